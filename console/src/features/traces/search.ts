/** What the address of the list of traces carries beside the shared filter. */
import { milliseconds, oneOf, searchOf, text, type Reader } from '../filters/address.ts';
import type { SharedSearch } from '../filters/filters.ts';

/** Values that a click filters by; the environment is one of the shared filter. */
const fields = [
  'transaction',
  'op',
  'service',
  'status',
  'method',
  'code',
  'release',
  'browser',
  'os',
  'user',
] as const;
export type FieldParameter = (typeof fields)[number];

/** `1795284600-1795285200`: seconds since the epoch. */
const timeSpan: Reader<string> = (value) => (/^\d{1,12}-\d{1,12}$/.test(value) ? value : undefined);

export const tracesSearch = searchOf({
  q: text,
  sort: oneOf('slowest'),
  failed: oneOf('true', 'false'),
  /** Durations, ms. */
  from: milliseconds,
  until: milliseconds,
  /** Within the range. */
  t: timeSpan,
  cursor: text,
  ...(Object.fromEntries(fields.map((name) => [name, text])) as Record<FieldParameter, Reader<string>>),
});

export type TracesSearch = SharedSearch & ReturnType<typeof tracesSearch.parse>;

/** All but where in the list one is: what is asked for. */
export const filterOf = (search: TracesSearch): TracesSearch => ({ ...search, cursor: undefined, sort: undefined });

/** Without the part of the heatmap that was chosen. */
export const withoutRegion = (search: TracesSearch): TracesSearch => ({
  ...search,
  t: undefined,
  from: undefined,
  until: undefined,
});

export const fieldParameters: readonly FieldParameter[] = fields;
