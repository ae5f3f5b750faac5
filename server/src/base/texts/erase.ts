/** Erasing people and events, and projects on hold: what requests, certificates and commands say. */
import { number, plural, pluralForm } from './intl.ts';

const kinds = { id: 'user ID', email: 'email address', name: 'name', ip: 'IP address' } as const;

export const erase = {
  kinds,
  empty: (kind: keyof typeof kinds, longest: number) => `the ${kinds[kind]} must have 1 to ${longest} characters`,
  pattern: (kind: keyof typeof kinds) =>
    `the ${kinds[kind]} contains *, % or control characters. Only exact values are matched`,
  ofNobody: (value: string) => `"${value}" is used for unknown users. It would match many people`,
  noMail: 'the email address is not valid',
  noAddress: 'the IP address is not valid, or belongs to every machine',
  nothing: 'give a person or an event, not both',
  tooMany: (most: number) => `give at most ${most} values`,
  event: 'the event ID must have 32 hex digits',
  otherConfirmation: 'the confirmation is not one of the values of this request',
  moreThanShown: (found: number, shown: number) =>
    `${number(found)} rows match now, ${number(shown)} matched when you looked. Search again, then confirm`,
  interrupted: 'It was interrupted too often. Search again.',
  failed: (digest: string) => `It failed. Search the log of the server for ${digest}.`,
  keyLost: 'The key of the installation has changed since the request. Search again.',
  erasedUser: 'erased',
  unknownUsers: [
    'anonymous',
    'anon',
    'guest',
    'unknown',
    'undefined',
    'null',
    'none',
    'nil',
    'nan',
    'true',
    'false',
    'user',
    'users',
    'admin',
    'root',
    'test',
    'default',
    'system',
    'n/a',
    'na',
    '0',
    '1',
    '-1',
    '[object object]',
    '[filtered]',
    '[redacted]',
    '[erased]',
    '00000000-0000-0000-0000-000000000000',
  ],
  sealedAs: (id: number) => `erased person ${id}`,
  restored: (id: number) => `erasure ${id}, after a restore`,
  instead: '[erased]',
  steps: {
    waiting: 'Waiting for events that arrived before',
    finding: 'Searching',
    exporting: 'Writing the export',
    removing: 'Removing rows',
    state: 'Removing texts of issues and messages',
    files: 'Removing files',
    rewriting: 'Overwriting what was removed',
    checking: 'Searching again',
  },
  remains: {
    aggregates:
      'Counts of events, sessions and users stay. Counts of users are sets of 32-bit and 64-bit hashes. They contain no ID, name, email address or IP address. They go with the retention.',
    members:
      'Accounts, memberships, commits and sign-in settings are not part of this. Members delete their own account.',
    audit: (count: number) =>
      `${plural(count, 'entry', 'entries')} of the audit log ${pluralForm(count, 'names', 'name')} the person. The log cannot be changed; entries go with its retention.`,
    backups:
      'Older backups still contain the person until they expire. Each restore erases the person again: what the person is matched by is kept encrypted for that.',
    restorePoints: (count: number) =>
      `${plural(count, 'restore point')} from before an upgrade may contain data of the person until it expires.`,
    files: 'Archives, pictures and memory dumps were not unpacked. Those of erased events were deleted.',
    short: (kind: keyof typeof kinds) =>
      `The ${kinds[kind]} is short, so it was matched in the fields of users, not in texts.`,
  },
  held: (slug: string, reason: string) => `${slug} is on hold: ${reason}`,
} as const;
