/** What the pages about traces say of numbers, values and filters. Pure. */
import * as m from '../../messages/traces.ts';
import { duration } from '../../ui/durations.ts';
import { percent } from '../../ui/numbers.ts';
import type { Region } from './heatmap.ts';
import type { TraceFields, TraceHeatmap } from './queries.ts';
import { fieldParameters, type TracesSearch } from './search.ts';

export type FieldName = TraceFields['fields'][number]['field'];

export const fieldLabels: Readonly<Record<FieldName, string>> = m.fields;

export const milliseconds = (ms: number): string => duration(ms * 1000);

/** `120 ms to 180 ms`, `at least 2 s`, `under 10 ms`. */
export function durationWords({ fromMs, untilMs }: Pick<Region, 'fromMs' | 'untilMs'>): string {
  if (untilMs === undefined)
    return fromMs === undefined ? m.durationAny : m.durationFrom({ from: milliseconds(fromMs) });
  const until = milliseconds(untilMs);
  return fromMs === undefined ? m.durationUntil({ until }) : m.durationBetween({ from: milliseconds(fromMs), until });
}

export const requestWords = (count: number, failed: number): string =>
  failed ? m.requestsFailed({ count, failed }) : m.requests({ count });

/** The heatmap in a sentence, for those who do not see it. */
export function heatmapSentence({ rows, cells, count, failed }: TraceHeatmap): string {
  if (!count) return m.heatmapEmpty;
  const sums = new Map<number, number>();
  for (const [, row, n] of cells) sums.set(row, (sums.get(row) ?? 0) + n);
  const [usualRow] = [...sums].reduce((best, each) => (each[1] > best[1] ? each : best));
  const took = rows[usualRow];
  const longest = rows[Math.max(...sums.keys())];
  const outcome =
    failed === count
      ? m.heatmapAllFailed({ count })
      : failed
        ? m.heatmapFailedShare({ count, failed, share: percent(failed, count) })
        : m.heatmapNoneFailed({ count });
  if (!took) return outcome;
  const usual = durationWords(took);
  const most =
    longest && longest !== took
      ? m.heatmapUsualLongest({ usual, longest: durationWords(longest) })
      : m.heatmapUsual({ usual });
  return `${outcome} ${most}`;
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
    ...(search.q ? [{ key: 'q', label: m.filterNames.name, value: search.q, without: { ...bare, q: undefined } }] : []),
    ...(search.failed
      ? [
          {
            key: 'failed',
            label: m.filterNames.outcome,
            value: m.outcomes[search.failed],
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
              label: fieldLabels[name],
              value,
              without: { ...bare, [name]: undefined },
            },
          ]
        : [];
    }),
    ...(since !== undefined && before !== undefined
      ? [{ key: 't', label: m.filterNames.time, value: timeWords(since, before), without: { ...bare, t: undefined } }]
      : []),
    ...(search.from !== undefined || search.until !== undefined
      ? [
          {
            key: 'duration',
            label: m.filterNames.duration,
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
