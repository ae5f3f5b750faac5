/** The filter that every page shares, kept in the address: project, environment, time range. */
import { searchOf, text } from './address.ts';

const rangePattern = /^[1-9]\d{0,3}[mhdw]$/;

const readers = {
  /** Slug of a project; absent for all. */
  project: text,
  environment: text,
  /** `24h`, `14d`; absent: the default of the page. */
  range: readRange,
  /** Instead of `range`: two instants, ISO 8601. */
  start: readInstant,
  end: readInstant,
};

export const filtersSchema = searchOf(readers);

/** What the address of every page may carry. */
export const sharedSearch = searchOf({
  ...readers,
  /** What is chosen where the page has a filter of its own: see `travel.ts`. */
  elsewhere: text,
});

export type Filters = ReturnType<typeof filtersSchema.parse>;
export type SharedSearch = ReturnType<typeof sharedSearch.parse>;

export const defaultRange = '14d';

/** The time up to now, in place of any other; the default of the page without one. */
export const lasting = (range?: string) => ({ range, start: undefined, end: undefined });

/** From one instant to another, ms, in place of any other time. */
export const between = (startMs: number, endMs: number) => ({
  range: undefined,
  start: new Date(startMs).toISOString(),
  end: new Date(endMs).toISOString(),
});

function readRange(value: string): string | undefined {
  return rangePattern.test(value) ? value : undefined;
}

function readInstant(value: string): string | undefined {
  const at = Date.parse(value);
  return Number.isFinite(at) ? new Date(at).toISOString() : undefined;
}
