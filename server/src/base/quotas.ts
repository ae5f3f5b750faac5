/** How much of what may be sent in a minute or a month: what intake, domains and the API share of quotas. */
import type { DataCategory } from '@culprit/envelope';
import { momentOf, wallTime } from './wall-time.ts';

/** Those of which something is stored and shown. Attachments are counted in bytes, decompressed; all others in items. */
export const quotaCategories = [
  'error',
  'transaction',
  'span',
  'log_item',
  'session',
  'attachment',
  'feedback',
] as const;
export type QuotaCategory = (typeof quotaCategories)[number];

export const quotaPeriods = ['minute', 'month'] as const;
export type QuotaPeriod = (typeof quotaPeriods)[number];

export const quotaScopes = ['organization', 'project', 'key'] as const;
export type QuotaScope = (typeof quotaScopes)[number];

/** Who is counted together, as it stands in the state store: `organization:9f…`, `project:3`, `key:7`. */
export const quotaTarget = (scope: QuotaScope, id: string | number): string => `${scope}:${id}`;

/** Of whom the target names: `7` of `key:7`. */
export const idOfTarget = (target: string): string => target.slice(target.indexOf(':') + 1);

/** Reports of browsers are stored as errors. */
const categories: Partial<Record<DataCategory, QuotaCategory>> = {
  ...Object.fromEntries(quotaCategories.map((category) => [category, category])),
  security: 'error',
};

/** Undefined for what no quota counts. */
export const quotaCategoryOf = (category: DataCategory): QuotaCategory | undefined => categories[category];

/** What SDKs call it in `X-Sentry-Rate-Limits`. */
export const sdkCategories: Readonly<Record<QuotaCategory, readonly string[]>> = {
  error: ['error', 'security'],
  transaction: ['transaction'],
  span: ['span'],
  log_item: ['log_item'],
  session: ['session'],
  attachment: ['attachment'],
  feedback: ['feedback', 'user_report_v2'],
};

/** A minute or a month. */
export interface QuotaTerm {
  /** Minutes since the epoch, or months since the year 0. The same for all nodes, and in every time zone for a month. */
  readonly number: number;
  /** ms since the epoch. */
  readonly startMs: number;
  /** ms since the epoch; exclusive. */
  readonly endMs: number;
}

const minuteMs = 60_000;
/** The last one asked for, by time zone. */
const months = new Map<string, QuotaTerm>();

/** In which that moment lies: a month of the time zone (IANA name, UTC where it is unknown here), or a minute. */
export function quotaTermAt(period: QuotaPeriod, nowMs: number, timeZone: string): QuotaTerm {
  return period === 'minute' ? minuteAt(nowMs) : monthAt(nowMs, timeZone);
}

function minuteAt(nowMs: number): QuotaTerm {
  const number = Math.floor(nowMs / minuteMs);
  return { number, startMs: number * minuteMs, endMs: (number + 1) * minuteMs };
}

function monthAt(nowMs: number, timeZone: string): QuotaTerm {
  const known = months.get(timeZone);
  if (known && nowMs >= known.startMs && nowMs < known.endMs) return known;
  const month = computeMonth(nowMs, timeZone);
  months.set(timeZone, month);
  return month;
}

function computeMonth(nowMs: number, timeZone: string): QuotaTerm {
  let wall: Date;
  try {
    wall = new Date(wallTime(nowMs, timeZone));
  } catch (error) {
    // Another node may know more zones than this one.
    if (error instanceof RangeError && timeZone !== 'UTC') return computeMonth(nowMs, 'UTC');
    throw error;
  }
  const [year, month] = [wall.getUTCFullYear(), wall.getUTCMonth()];
  return {
    number: year * 12 + month,
    startMs: momentOf(Date.UTC(year, month, 1), timeZone),
    endMs: momentOf(Date.UTC(year, month + 1, 1), timeZone),
  };
}

/** The name of a month by its number: `2026-11`. */
export const monthName = (number: number): string =>
  `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;
