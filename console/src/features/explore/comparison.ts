/** What a selection has that the rest has not, as it is drawn. Pure. */
import * as m from '../../messages/explore-compare.ts';
import { exactNumber, percent } from '../../ui/numbers.ts';
import type { DataSet } from './data-sets.ts';
import { none } from './values.ts';

export interface ComparedAttribute {
  readonly key: string;
  readonly difference: number;
  readonly values: readonly { readonly value: string; readonly inSelection: number; readonly inRest: number }[];
}

/** A part of the rows and the rest of them. */
export interface Comparison {
  readonly selection: number;
  readonly rest: number;
  /** Shares are from a sample. */
  readonly sampled: boolean;
  readonly attributes: readonly ComparedAttribute[];
}

interface ComparedValue {
  readonly value: string;
  readonly text: string;
  /** From 0 to 1. */
  readonly here: number;
  readonly rest: number;
  readonly hereText: string;
  readonly restText: string;
}

export interface ComparedRow {
  readonly key: string;
  readonly values: readonly ComparedValue[];
  /** Values that are not among them. */
  readonly more: number;
}

/** Less than this is chance. */
const leastDifference = 0.05;
const valuesShown = 4;

/** Attributes that differ, the greatest difference first, each with the values that make it; `same` counts the others. */
export function comparedRows(attributes: readonly ComparedAttribute[]): { rows: ComparedRow[]; same: number } {
  const differing = attributes.filter(({ difference }) => difference >= leastDifference);
  const rows = differing.map(({ key, values }) => {
    const byDifference = values.toSorted(
      (a, b) =>
        Math.abs(b.inSelection - b.inRest) - Math.abs(a.inSelection - a.inRest) || b.inSelection - a.inSelection,
    );
    return {
      key,
      values: byDifference.slice(0, valuesShown).map(({ value, inSelection, inRest }) => ({
        value,
        text: value || none,
        here: inSelection,
        rest: inRest,
        hereText: percent(inSelection, 1),
        restText: percent(inRest, 1),
      })),
      more: Math.max(0, values.length - valuesShown),
    };
  });
  return { rows, same: attributes.length - differing.length };
}

/** `120 errors selected, compared with 4,000 others` */
export function comparisonSentence(
  { selection, rest, sampled }: Omit<Comparison, 'attributes'>,
  dataSet: DataSet,
): string {
  const rows = m.rows[dataSet]({ count: selection, text: exactNumber(selection) });
  const sentence = m.comparison({ rows, count: rest });
  return sampled ? m.comparisonSampled({ sentence }) : sentence;
}
