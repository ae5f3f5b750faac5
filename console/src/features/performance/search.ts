/** What the addresses of the pages about performance carry beside the shared filter. */
import { milliseconds, oneOf, searchOf, text } from '../filters/address.ts';
import type { SharedSearch } from '../filters/filters.ts';

export const transactionSorts = [
  'total',
  'count',
  'failure',
  'p50',
  'p75',
  'p95',
  'p99',
  'apdex',
  'users',
  'name',
] as const;

export type TransactionSort = (typeof transactionSorts)[number];

export const listSearch = searchOf({
  q: text,
  sort: oneOf(...transactionSorts),
  release: text,
  cursor: text,
});

export const transactionSearch = searchOf({
  /** Slug of its project. */
  of: text,
  transaction: text,
  op: text,
  release: text,
  /** Durations that are looked at, ms. */
  from: milliseconds,
  until: milliseconds,
  /** `key:value` */
  tag: text,
});

export const vitalsSearch = searchOf({
  /** The one page that is looked at, and the slug of its project. */
  page: text,
  of: text,
  vital: oneOf('lcp', 'inp', 'cls', 'fcp', 'ttfb'),
});

export type ListSearch = SharedSearch & ReturnType<typeof listSearch.parse>;
export type TransactionSearch = SharedSearch & ReturnType<typeof transactionSearch.parse>;
export type VitalsSearch = SharedSearch & ReturnType<typeof vitalsSearch.parse>;
