/** What the addresses of the pages about performance carry beside the shared filter. */
import { milliseconds, searchOf, text } from '../filters/address.ts';
import type { SharedSearch } from '../filters/filters.ts';

export const listSearch = searchOf({
  q: text,
  sort: text,
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

export const queriesSearch = searchOf({
  q: text,
  sort: text,
  cursor: text,
  /** Hash of the one that is looked at, and the slug of its project. */
  query: text,
  of: text,
});

export const vitalsSearch = searchOf({
  /** The one page that is looked at, and the slug of its project. */
  page: text,
  of: text,
  vital: text,
});

export type ListSearch = SharedSearch & ReturnType<typeof listSearch.parse>;
export type TransactionSearch = SharedSearch & ReturnType<typeof transactionSearch.parse>;
export type QueriesSearch = SharedSearch & ReturnType<typeof queriesSearch.parse>;
export type VitalsSearch = SharedSearch & ReturnType<typeof vitalsSearch.parse>;
