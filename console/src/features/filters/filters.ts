/** The filter that every page shares, kept in the address: project, environment, time range. */
import { searchOf, text } from './address.ts';

const rangePattern = /^[1-9]\d{0,3}[mhdw]$/;

export const filtersSchema = searchOf({
  /** Slug of a project; absent for all. */
  project: text,
  environment: text,
  /** `24h`, `14d`; absent: the default of the page. */
  range: (value) => (rangePattern.test(value) ? value : undefined),
  /** Instead of `range`: two instants, ISO 8601. */
  start: readInstant,
  end: readInstant,
});

export type Filters = ReturnType<typeof filtersSchema.parse>;

export const defaultRange = '14d';

export const ranges: readonly { readonly value: string; readonly label: string }[] = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '14d', label: 'Last 14 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
];

const units: Readonly<Record<string, string>> = { m: 'minutes', h: 'hours', d: 'days', w: 'weeks' };
const dayFormat = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** `Last 14 days`, or the two instants; with an empty fallback `Any time`. */
export function rangeLabel(filters: Filters, fallback = defaultRange): string {
  if (filters.start && filters.end) {
    return `${dayFormat.format(Date.parse(filters.start))} – ${dayFormat.format(Date.parse(filters.end))}`;
  }
  const value = filters.range ?? fallback;
  if (value === '') return 'Any time';
  return ranges.find((range) => range.value === value)?.label ?? `Last ${value.slice(0, -1)} ${units[value.slice(-1)]}`;
}

function readInstant(value: string): string | undefined {
  const at = Date.parse(value);
  return Number.isFinite(at) ? new Date(at).toISOString() : undefined;
}
