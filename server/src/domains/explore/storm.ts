/** Counts and rates of errors that a storm made estimates: of a part of what was gathered, they may be off. */
import type { Field } from '@culprit/search';
import { type Bind, estimateOf, spreadOf, type SpreadSql } from '../search/index.ts';
import type { StoredRow } from './cells.ts';
import type { CellInterval } from './estimate/types.ts';
import type { IssueProject } from './issue-terms.ts';
import { languageOf } from './sources.ts';
import { secondsOf } from './sql.ts';
import type { ExploreScope, ReadQuery } from './types.ts';

export interface Spread extends SpreadSql {
  /** Place of the field. */
  readonly at: number;
}

/** Whether a storm sampled errors of the range at all: without one nothing more is asked. */
export const wasSampled = (
  { dataSet, range }: Pick<ExploreScope, 'dataSet' | 'range'>,
  projects: readonly IssueProject[],
): boolean => dataSet === 'errors' && projects.some(({ sampledUntil }) => (sampledUntil ?? -1) >= range.startMs);

/** Of those fields that may be off. `isSplit`: rows are grouped by more than time. */
export function spreadsOf(
  fields: readonly Field[],
  question: ExploreScope & { readonly query: ReadQuery },
  isSplit: boolean,
  bind: Bind,
): Spread[] {
  const { dataSet, range, nowMs, query, environments } = question;
  const isPart = isSplit || query.rows !== undefined || environments.length > 0;
  const context = { dataSet: languageOf(dataSet), bind, nowMs, rangeSeconds: secondsOf(range) };
  return fields.flatMap((field, at): Spread[] => {
    const spread = field.kind === 'function' ? spreadOf(field, context) : undefined;
    return spread && (isPart || !spread.isWhole) ? [{ ...spread, at }] : [];
  });
}

/** For SELECT: what `stormInterval` reads. */
export const spreadColumns = (spreads: readonly Spread[]): string[] =>
  spreads.flatMap(({ at, spread, largest, stored }) => [
    `${spread} AS spread${at}`,
    `${largest} AS largest${at}`,
    `${stored} AS stored${at}`,
  ]);

/** Undefined where the value is right to 1 %. */
export function stormInterval(value: unknown, row: StoredRow, { at, per }: Spread): CellInterval | undefined {
  const sums = { own: Number(row[`spread${at}`]), others: Infinity, largest: Number(row[`largest${at}`]) };
  const found = estimateOf(Math.round(Number(value) * per), Number(row[`stored${at}`]), sums);
  return found && [found.low / per, found.high / per];
}
