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
  twice: (name: RetentionClass): string => `${classes[name]} appear twice in the request; send each class once`,
};
