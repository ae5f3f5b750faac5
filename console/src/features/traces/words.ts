/** What the pages about traces say of numbers, values and filters. Pure. */
import { duration } from '../../ui/durations.ts';
import { exactNumber, percent, plural } from '../../ui/numbers.ts';
import type { Region } from './heatmap.ts';
import type { TraceFields, TraceHeatmap } from './queries.ts';
import { fieldParameters, type TracesSearch } from './search.ts';

export type FieldName = TraceFields['fields'][number]['field'];

export const fieldLabels: Readonly<Record<FieldName, string>> = {
  transaction: 'Name',
  op: 'Operation',
  service: 'Service',
  status: 'Status',
  method: 'HTTP method',
  code: 'HTTP status',
  environment: 'Environment',
  release: 'Release',
  browser: 'Browser',
  os: 'System',
  user: 'User',
};

export const milliseconds = (ms: number): string => duration(ms * 1000);

/** `120 ms to 180 ms`, `from 2 s`, `below 10 ms`. */
export function durationWords({ fromMs, untilMs }: Pick<Region, 'fromMs' | 'untilMs'>): string {
  if (untilMs === undefined) return fromMs === undefined ? 'any duration' : `from ${milliseconds(fromMs)}`;
  return fromMs === undefined
    ? `below ${milliseconds(untilMs)}`
    : `${milliseconds(fromMs)} to ${milliseconds(untilMs)}`;
}

export const requestWords = (count: number, failed: number): string =>
  failed ? `${plural(count, 'request')}, ${exactNumber(failed)} failed` : plural(count, 'request');

/** The heatmap in a sentence, for those who do not see it. */
export function heatmapSentence({ rows, cells, count, failed }: TraceHeatmap): string {
  if (!count) return 'No requests';
  const sums = new Map<number, number>();
  for (const [, row, n] of cells) sums.set(row, (sums.get(row) ?? 0) + n);
  const [usual] = [...sums].reduce((best, each) => (each[1] > best[1] ? each : best));
  const took = rows[usual];
  const longest = rows[Math.max(...sums.keys())];
  const share = failed ? `${exactNumber(failed)} of them failed (${percent(failed, count)})` : 'none failed';
  const outcome = failed === count ? 'all failed' : share;
  const most = `Most took ${took ? durationWords(took) : 'no time'}`;
  return `${plural(count, 'request')}, ${outcome}. ${most}${longest && longest !== took ? `, the longest ${durationWords(longest)}` : ''}.`;
}

export const regionOf = ({ t, from, until }: TracesSearch): Region => {
  const [since, before] = t?.split('-').map(Number) ?? [];
  return { since, before, fromMs: from, untilMs: until };
};

export const hasRegion = ({ t, from, until }: TracesSearch): boolean =>
  t !== undefined || from !== undefined || until !== undefined;

export interface Chip {
  readonly key: string;
  readonly label: string;
  readonly value: string;
  /** The same search without it. */
  readonly without: TracesSearch;
}

/** Filters of this page as they are removed one by one. `timeWords` writes a time, seconds since the epoch. */
export function chipsOf(search: TracesSearch, timeWords: (since: number, before: number) => string): Chip[] {
  const bare = { ...search, cursor: undefined };
  const { since, before, ...durations } = regionOf(search);
  return [
    ...(search.q ? [{ key: 'q', label: 'name has', value: search.q, without: { ...bare, q: undefined } }] : []),
    ...(search.failed
      ? [
          {
            key: 'failed',
            label: 'outcome',
            value: search.failed === 'true' ? 'failed' : 'not failed',
            without: { ...bare, failed: undefined },
          },
        ]
      : []),
    ...fieldParameters.flatMap((name) => {
      const value = search[name];
      return value
        ? [
            {
              key: name,
              label: fieldLabels[name].replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()),
              value,
              without: { ...bare, [name]: undefined },
            },
          ]
        : [];
    }),
    ...(since !== undefined && before !== undefined
      ? [{ key: 't', label: 'time', value: timeWords(since, before), without: { ...bare, t: undefined } }]
      : []),
    ...(search.from !== undefined || search.until !== undefined
      ? [
          {
            key: 'duration',
            label: 'duration',
            value: durationWords(durations),
            without: { ...bare, from: undefined, until: undefined },
          },
        ]
      : []),
  ];
}

export interface Difference {
  readonly field: FieldName;
  readonly value: string;
  /** From 0 to 1, among those chosen and among all. */
  readonly here: number;
  readonly all: number;
}

/** Fewer than this many are chance. */
const leastCount = 3;
const leastDifference = 0.1;

/** Values that the chosen ones have clearly more often than all of them, the greatest difference first. */
export function differences(chosen: TraceFields, everything: TraceFields, most = 6): Difference[] {
  if (!chosen.count || !everything.count || chosen.count >= everything.count) return [];
  const found = chosen.fields.flatMap(({ field, values }) => {
    const known = everything.fields.find((each) => each.field === field);
    // What is not among the values of all is rarer than the rarest of them.
    const least = known?.more ? (known.values.at(-1)?.count ?? 0) : 0;
    return values.flatMap(({ value, count }) => {
      const here = count / chosen.count;
      const of = known?.values.find((each) => each.value === value)?.count ?? least;
      const all = Math.min(1, of / everything.count);
      return count >= leastCount && here - all >= leastDifference ? [{ field, value, here, all }] : [];
    });
  });
  return found.toSorted((a, b) => b.here - b.all - (a.here - a.all)).slice(0, most);
}

/** Where a pasted text leads without a search: a trace, or one of its spans. */
export function traceIn(text: string): { readonly trace?: string; readonly span?: string } | undefined {
  const trimmed = text.trim().toLowerCase();
  if (trimmed.length > 80) return undefined;
  const header = /^(?:[0-9a-f]{2}-)?([0-9a-f]{32})-([0-9a-f]{16})(?:-[0-9a-f]{1,2})?$/.exec(trimmed);
  if (header) return { trace: header[1] ?? '', span: header[2] ?? '' };
  const id = trimmed.replaceAll('-', '');
  if (/^[0-9a-f]{32}$/.test(id)) return { trace: id };
  return /^[0-9a-f]{16}$/.test(trimmed) ? { span: trimmed } : undefined;
}
