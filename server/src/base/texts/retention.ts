/** Retention in errors and notifications. */
import type { RetentionClass } from '../retention.ts';
import { byteSize, utcDay } from './intl.ts';

const classes: Readonly<Record<RetentionClass, string>> = {
  errors: 'errors',
  spans: 'spans',
  logs: 'logs',
  sessions: 'sessions',
  attachments: 'attachments',
  other: 'other data',
};

const because = {
  size: 'Their size exceeded the limit in the retention settings.',
  disk: 'The disk was nearly full.',
};

export const retentionTexts = {
  dropped: (name: RetentionClass, before: number, bytes: number, reason: 'size' | 'disk'): string =>
    `Deleted ${classes[name]} from before ${utcDay(before)} (${byteSize(bytes)}). ${because[reason]}`,
  policyTwice: (name: string): string =>
    `the policy "${name}" appears twice in the request; give each a name of its own`,
  policyUsed: (name: string, projects: number): string =>
    `the policy "${name}" is used by ${projects === 1 ? '1 project' : `${projects} projects`}; choose another one for ` +
    `${projects === 1 ? 'it' : 'them'} before you delete it`,
  noPolicy: (name: string): string =>
    `there is no retention policy "${name}"; choose one of those the installation has, or null for the default`,
  twice: (name: RetentionClass): string => `${classes[name]} appear twice in the request; send each class once`,
};
