/** One statement that reads a sample: what was seen of each group in each stretch, group by group. */
import type { AggregateParts } from '../../search/index.ts';
import type { Stored } from '../cells.ts';
import {
  boundOf,
  type Estimate,
  estimatePercentile,
  estimateRatio,
  estimateTotal,
  fewestStretches,
  type Interval,
  type Seen,
  sharesAround,
} from './intervals.ts';
import { type Sample, stretchSql } from './sample.ts';
import type { CellInterval } from './types.ts';

export interface SampleStatement {
  readonly table: string;
  /** Conditions on rows, with that they are of the sample. */
  readonly where: string;
  /** SQL by which rows are grouped. */
  readonly keys: readonly string[];
  readonly aggregates: readonly AggregateParts[];
  /** Places in `aggregates`, the greatest first; the groups with the greatest are kept. */
  readonly sort: readonly number[];
  readonly limit: number;
}

/** Columns `k0`, …; `stretches` and what `placesOf` says. */
export interface SampleRow {
  readonly [key: `k${number}`]: Stored;
  /** Number of the stretch, its rows and its parts. */
  readonly stretches: readonly (readonly [stretch: number, parts: readonly number[]])[];
  readonly [one: `one${number}`]: Stored;
  readonly [value: `value${number}`]: number | null;
  readonly [curve: `curve${number}`]: readonly (readonly [share: number, value: number])[];
  /** By stretch: values, and how many up to the percentile. */
  readonly [upTo: `upTo${number}`]: readonly (readonly [values: number, upTo: number])[];
}

/** Where parts of an aggregate stand in those of a stretch. Rows are the first. */
function placesOf(aggregates: readonly AggregateParts[]): { readonly sql: string[]; readonly places: number[] } {
  const sql = ['toFloat64(count())'];
  const places = aggregates.map((one) => {
    const place = sql.length;
    if (one.kind === 'total') sql.push(`toFloat64(${one.sql})`);
    if (one.kind === 'ratio') sql.push(`toFloat64(${one.over})`, `toFloat64(${one.under})`);
    return place;
  });
  return { sql, places };
}

export function sampleSql({ table, where, keys, aggregates, sort, limit }: SampleStatement, sample: Sample): string {
  const { sql, places } = placesOf(aggregates);
  const named = keys.map((_, index) => `k${index}`);
  const ones = aggregates.flatMap((one, index) => (one.kind === 'one' ? [{ ...one, name: `one${index}` }] : []));
  const percentiles = aggregates.flatMap((one, index) => (one.kind === 'percentile' ? [{ ...one, index }] : []));
  // What is NULL is no value, in an array as in an aggregate.
  const lists = percentiles.map(({ sql: of, index }) => `groupArray(toFloat64(${of})) AS list${index}`);
  const ofStretches = [
    ...keys.map((key, index) => `${key} AS k${index}`),
    `${stretchSql(sample)} AS stretch`,
    `[${sql.join(', ')}] AS parts`,
    ...ones.map(({ sql: of, name }) => `${of} AS ${name}`),
    ...lists,
  ];
  const ofGroups = [
    ...named,
    `groupArray((stretch, parts${percentiles.map(({ index }) => `, list${index}`).join('')})) AS seen`,
    // Of texts the greatest is any that is not ''.
    ...ones.map(({ of, name }) => `${of === 'min' ? 'min' : 'max'}(${name}) AS ${name}Of`),
  ];
  // Step by step: a lambda would have the whole array that it looks into beside each element of another.
  const sorted = percentiles.map(
    ({ index }, place) => `arraySort(arrayFlatten(arrayMap(each -> each.${place + 3}, seen))) AS sorted${index}`,
  );
  const at = (index: number, share: number): string =>
    `sorted${index}[toUInt32(greatest(1, ceil(${share} * length(sorted${index}))))]`;
  const read = percentiles.flatMap(({ index, share }) => [
    `if(empty(sorted${index}), NULL, ${at(index, share)}) AS value${index}`,
    `[${sharesAround(share)
      .map((one) => `(${one}, ${at(index, one)})`)
      .join(', ')}] AS curve${index}`,
  ]);
  const kept = [...named, 'seen', ...ones.map(({ name }) => `${name}Of`)];
  const selected = [
    ...named,
    'arrayMap(each -> (each.1, each.2), seen) AS stretches',
    ...ones.map(({ name }) => `${name}Of AS ${name}`),
    ...percentiles.flatMap(({ index }, place) => [
      `value${index}`,
      `curve${index}`,
      `arrayMap(each -> (length(each.${place + 3}), arrayCount(one -> one <= value${index}, each.${place + 3})), seen) AS upTo${index}`,
    ]),
  ];
  const sumOf = (place: number): string => `arraySum(each -> each.2[${place + 1}], seen)`;
  const order = sort.map((index) => {
    const [one, place = 0] = [aggregates[index], places[index]];
    const by =
      one?.kind === 'ratio'
        ? `${sumOf(place)} / nullIf(${sumOf(place + 1)}, 0)`
        : one?.kind === 'percentile'
          ? `value${index}`
          : one?.kind === 'one'
            ? `one${index}Of`
            : sumOf(place);
    return `${by} DESC NULLS LAST`;
  });
  const stretches = `SELECT ${ofStretches.join(', ')} FROM ${table} WHERE ${where}
    GROUP BY ${[...named, 'stretch'].join(', ')}`;
  const groups = `SELECT ${ofGroups.join(', ')} FROM (${stretches})${named.length ? ` GROUP BY ${named.join(', ')}` : ''}`;
  const from = percentiles.length
    ? `SELECT ${[...kept, ...read].join(', ')} FROM (SELECT ${[...kept, ...sorted].join(', ')} FROM (${groups}))`
    : groups;
  // What says too little to be told apart from others does not stand before them.
  const isRank = sort.some((index) => aggregates[index]?.kind === 'ratio' || aggregates[index]?.kind === 'percentile');
  const ordered = [...(isRank ? [`length(seen) >= ${fewestStretches} DESC`] : []), ...order, ...named];
  return `SELECT ${selected.join(', ')} FROM (${from})
    ${ordered.length ? `ORDER BY ${ordered.join(', ')}` : ''} LIMIT ${limit}`;
}

export interface Estimated {
  readonly value: Stored;
  readonly interval: CellInterval;
}

export const seenOf = (stretches: SampleRow['stretches']): Seen[] =>
  stretches.map(([stretch, parts]) => ({ stretch, parts }));

/** Of each aggregate, in their order. */
export function estimatesOf(row: SampleRow, aggregates: readonly AggregateParts[], sample: Sample): Estimated[] {
  const seen = seenOf(row.stretches);
  const { places } = placesOf(aggregates);
  return aggregates.map((one, index): Estimated => {
    const place = places[index] ?? 0;
    switch (one.kind) {
      case 'total':
        return divided(estimateTotal(seen, place, one.counts, sample), one.per);
      case 'ratio':
        return estimateRatio(seen, [place, place + 1], one.isShare, sample);
      case 'percentile': {
        const counted = row.stretches.map(([stretch], at): Seen => ({
          stretch,
          parts: row[`upTo${index}`]?.[at] ?? [0, 0],
        }));
        return estimatePercentile(
          counted,
          {
            share: one.share,
            value: row[`value${index}`] ?? null,
            values: 0,
            upTo: 1,
            curve: row[`curve${index}`] ?? [],
          },
          sample,
        );
      }
      default: {
        const value = row[`one${index}`] ?? null;
        const end = typeof value === 'number' || typeof value === 'string' ? value : null;
        return { value, interval: boundOf(one.of, end) };
      }
    }
  });
}

function divided({ value, interval: [low, high] }: Estimate, per: number): Estimate {
  if (per === 1) return { value, interval: [low, high] };
  const by = (one: number | null): number | null => (one === null ? null : one / per);
  const interval: Interval = [by(low), by(high)];
  return { value: by(value), interval };
}
