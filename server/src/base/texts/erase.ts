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
  tooManyMatched: (found: number, most: number) =>
    `${number(found)} rows match, and one request can erase ${number(most)}. Give other values, or fewer projects`,
  interrupted: 'It was interrupted too often. Search again.',
  failed: (digest: string) => `It failed. Search the log of the server for ${digest}.`,
  keyLost: 'The key of the installation has changed since the request. Search again.',
  erasedUser: 'erased',
  byMail: 'mail',
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
    comparing: 'Comparing with what you confirmed',
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
      'Counts of events, sessions and users stay. Counts of users are sets of 32-bit and 64-bit hashes. They contain no ID, name, email address or IP address, and expire with the retention period.',
    members:
      'Accounts, memberships, commits and sign-in settings are not part of this. Members delete their own account.',
    audit: (count: number) =>
      `${plural(count, 'entry', 'entries')} of the audit log ${pluralForm(count, 'names', 'name')} the person. The log cannot be changed; its entries expire with its own retention period.`,
    backups:
      'Older backups still contain the person until they expire. Each restore erases the person again. For this, Culprit keeps the values you entered, encrypted.',
    restorePoints: (count: number) =>
      `${plural(count, 'restore point')} from before an upgrade may contain data of the person until it expires.`,
    stateStore: (bytes: number) =>
      `The state store has ${number(Math.round(bytes / 2 ** 20))} MiB. Its free space was not overwritten. Stop the server and run: culprit migrate --compact`,
    tables: (bytes: number) =>
      `Tables of ${number(Math.ceil(bytes / 2 ** 20))} MiB in PostgreSQL are large or were in use. Their free space was not overwritten. Run: VACUUM FULL`,
    parts:
      'Replaced files of the events store were still in use and could contain the person. ClickHouse deletes them when they are no longer read.',
    writeAhead: 'The write-ahead log and the archives of PostgreSQL contain older data until PostgreSQL recycles them.',
    sent: 'Notifications that were sent and are still listed may contain the title of the event.',
    files: 'Archives, pictures and memory dumps were not unpacked. Those of erased events were deleted.',
    short: (kind: keyof typeof kinds) =>
      `The ${kinds[kind]} is short, so it was matched in the fields of users, not in texts.`,
  },
  held: (slug: string, reason: string) => `${slug} is on hold: ${reason}`,
} as const;

/** `culprit erase`. */
export const eraseCommand = {
  summary: 'Finds and erases what is stored of a person or an event, with a certificate.',
  id: 'user ID of the person',
  email: 'email address of the person',
  name: 'user name of the person',
  ip: 'IP address of the person',
  event: 'ID of an event, instead of a person',
  project: 'project of the event; for a person, the only project to search',
  noMentions: 'leave out texts of others that name the person',
  reference: 'your name for the request, such as a ticket number',
  confirm: 'one of the values of the request, to confirm',
  requestNeeded: (action: string) => `The number of a request is required: culprit erase ${action} REQUEST`,
  projectNeeded: 'An event needs --project.',
  badReference: 'The reference must have 1 to 200 characters.',
  none: 'No requests.',
  waiting: 'Waiting for the server',
  noServer: 'No server runs on this data directory. It does the work when it starts.',
  counted: (kind: string, own: number, mentioned: number) =>
    `${kind.padEnd(16)} ${number(own)}${mentioned > 0 ? `, and ${number(mentioned)} that name the person` : ''}`,
  nothing: 'Nothing is stored. Check the values for typing errors.',
  next: (id: number) => `To erase it within an hour: culprit erase run ${id} --confirm VALUE`,
  done: (id: number) => `Erased. The certificate: culprit erase certificate ${id}`,
  certificate: (id: number, at: string) => `Certificate of request ${id}, finished ${at}`,
  removed: (kind: string, count: number) => `removed ${kind.padEnd(16)} ${number(count)}`,
  leftBy: (channel: string, count: number) => `sent before by ${channel}: ${number(count)}`,
  leftMirror: (project: string) => `forwarded before: requests of ${project}`,
  foundAfter: (count: number) => `found by the final search: ${number(count)}`,
} as const;
