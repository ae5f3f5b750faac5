/** What the address of Explore carries beside the shared filter. Lists are written with commas; see `lists.ts`. */
import { oneOf, searchOf, text, type Reader } from '../filters/address.ts';
import type { SharedSearch } from '../filters/filters.ts';

/** `1795284600-1795285200`: seconds since the epoch. */
const timeSpan: Reader<string> = (value) => (/^\d{1,12}-\d{1,12}$/.test(value) ? value : undefined);

export const exploreSearch = searchOf({
  /** Absent: errors. */
  dataset: oneOf('spans', 'transactions'),
  query: text,
  /** Attributes that rows are grouped by. */
  groupBy: text,
  /** Aggregates, each a chart and a column. Absent: `count()`. */
  yAxis: text,
  /** Columns of the samples; absent: the usual ones. */
  field: text,
  /** A column, with `-` before it for the greatest first. */
  sort: text,
  tab: oneOf('samples', 'compare'),
  /** A part of the time that was chosen on a chart. */
  selection: timeSpan,
  /** Of those, or of all: the ones that fulfil this too are compared with the rest. */
  subset: text,
  /** Id of the saved query that it began with. */
  saved: text,
  cursor: text,
});

export type ExploreSearch = SharedSearch & ReturnType<typeof exploreSearch.parse>;
