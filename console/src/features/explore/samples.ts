/** Rows of the samples: what their cells show, and what they lead to. Pure. */
import type { DataSet } from './data-sets.ts';
import type { AnswerRow } from './table.ts';
import { isNumeric, measureOf, momentOf, numberWords, valueText, type AnswerMeta } from './values.ts';

export type SamplePlace =
  | { readonly kind: 'event'; readonly issue: string; readonly event: string }
  /** `at`: seconds since the epoch, which lets the server find the trace faster. */
  | {
      readonly kind: 'trace';
      readonly trace: string;
      readonly span: string | undefined;
      readonly at: number | undefined;
    }
  | { readonly kind: 'find'; readonly text: string }
  | { readonly kind: 'none' };

const textOf = (row: AnswerRow, field: string): string | undefined => {
  const value = Object.hasOwn(row, field) ? row[field] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export function placeOf(row: AnswerRow, dataSet: DataSet): SamplePlace {
  const id = textOf(row, 'id');
  if (dataSet === 'errors') {
    const issue = textOf(row, 'issue');
    if (issue && issue !== 'unknown' && id) return { kind: 'event', issue, event: id };
    return id ? { kind: 'find', text: id } : { kind: 'none' };
  }
  const trace = textOf(row, 'trace');
  const at = momentOf(row['timestamp']);
  return trace
    ? { kind: 'trace', trace, span: id, at: at === undefined ? undefined : Math.floor(at / 1000) }
    : { kind: 'none' };
}

export interface SampleCell {
  readonly field: string;
  readonly value: unknown;
  readonly text: string;
  /** Of a moment, which is shown as such. */
  readonly atMs: number | undefined;
  readonly numeric: boolean;
}

export function sampleCells(row: AnswerRow, meta: AnswerMeta, fields: readonly string[]): SampleCell[] {
  return fields.map((field) => {
    const value = Object.hasOwn(row, field) ? row[field] : undefined;
    const measure = measureOf(meta, field);
    const numeric = isNumeric(measure) && typeof value === 'number';
    return {
      field,
      value,
      // Status codes and the like are no amounts: only what has a unit is made shorter.
      text: numeric && measure.unit !== null ? numberWords(value, measure, true) : valueText(value),
      atMs: measure.type === 'date' ? momentOf(value) : undefined,
      numeric,
    };
  });
}
