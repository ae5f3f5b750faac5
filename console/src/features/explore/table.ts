/** Rows of the table of aggregates as they are drawn. Pure. */
import * as m from '../../messages/explore.ts';
import { compactNumber, exactNumber, percent } from '../../ui/numbers.ts';
import { localTime } from '../../ui/relative-time.ts';
import type { DataSet } from './data-sets.ts';
import { errorWords, type ErrorWords, type Interval } from './estimate.ts';
import { groupKey, isNumeric, measureOf, momentOf, numberWords, valueText, type AnswerMeta } from './values.ts';

export type AnswerRow = Readonly<Record<string, unknown>>;

export interface GroupCell {
  readonly field: string;
  readonly value: unknown;
  readonly text: string;
}

export interface MeasureCell {
  readonly axis: string;
  readonly text: string;
  /** What the text says in short; '' where it says it all. */
  readonly exact: string;
  /** From 0 to 1, of the greatest on the page; undefined where a bar would say nothing. */
  readonly bar: number | undefined;
  /** Of all rows, for counts: `12%`. */
  readonly share: string | undefined;
  /** How far it may be off, where it is estimated; undefined: it is exact. */
  readonly error: ErrorWords | undefined;
}

export interface TableRow {
  readonly key: string;
  /** Key of the group, which its line has too. */
  readonly group: string;
  readonly groups: readonly GroupCell[];
  readonly measures: readonly MeasureCell[];
}

const own = (row: AnswerRow, field: string): unknown => (Object.hasOwn(row, field) ? row[field] : undefined);

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** `total`: how many rows there are in all groups together, where that is known; `intervals` where they are estimated. */
export function tableRows(
  data: readonly AnswerRow[],
  meta: AnswerMeta | undefined,
  { groups, axes }: { readonly groups: readonly string[]; readonly axes: readonly string[] },
  total: number | undefined,
  intervals?: readonly Readonly<Record<string, Interval>>[],
): TableRow[] {
  const most = new Map(
    axes.map((axis) => [axis, data.reduce((highest, row) => Math.max(highest, numberOf(own(row, axis)) ?? 0), 0)]),
  );
  const used = new Set<string>();
  return data.map((row, index) => {
    const ofRow = intervals?.[index];
    const group = groupKey(groups.map((field) => own(row, field)));
    let key = group;
    while (used.has(key)) key += ' ';
    used.add(key);
    return {
      key,
      group,
      groups: groups.map((field) => {
        const value = own(row, field);
        const atMs = measureOf(meta, field).type === 'date' ? momentOf(value) : undefined;
        return { field, value, text: atMs === undefined ? valueText(value) : localTime(atMs) };
      }),
      measures: axes.map((axis) => {
        const raw = own(row, axis);
        const value = numberOf(raw);
        const measure = measureOf(meta, axis);
        const atMs = measure.type === 'date' ? momentOf(raw) : undefined;
        const interval = ofRow && Object.hasOwn(ofRow, axis) ? ofRow[axis] : undefined;
        const error = interval && raw !== null && raw !== undefined ? errorWords(raw, interval, measure) : undefined;
        const plain = { axis, exact: '', bar: undefined, share: undefined, error };
        if (atMs !== undefined) return { ...plain, text: localTime(atMs) };
        if (value === undefined) return { ...plain, text: raw === null || raw === undefined ? '–' : valueText(raw) };
        const text = numberWords(value, measure);
        const exact = numberWords(value, measure, true);
        const highest = most.get(axis) ?? 0;
        return {
          axis,
          text,
          exact: exact === text ? '' : exact,
          bar: data.length > 1 && highest > 0 && value > 0 && isNumeric(measure) ? value / highest : undefined,
          share: axis === 'count()' && total && groups.length ? percent(value, total) : undefined,
          error,
        };
      }),
    };
  });
}

/** `25+ groups of 1,204 errors`; without groups `1,204 errors`; `about 1.2M errors` where they are estimated. */
export function answerSentence(
  groups: number | undefined,
  hasMore: boolean,
  total: number | undefined,
  dataSet: DataSet,
  isEstimated = false,
): string {
  const rows = total === undefined ? '' : rowCount(dataSet, total);
  const all = rows && isEstimated ? m.about({ rows }) : rows;
  if (groups === undefined) return all;
  const found = m.groups({ count: groups, text: `${exactNumber(groups)}${hasMore ? '+' : ''}` });
  return all ? m.groupsOf({ groups: found, rows: all }) : found;
}

/** `1,204 errors`, `1.2M spans` */
export const rowCount = (dataSet: DataSet, count: number): string =>
  m.rows[dataSet]({ count, text: compactNumber(count) });
