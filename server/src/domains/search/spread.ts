/** How far counts and rates of errors may be off after a storm: what `issues/queries/estimate.ts` asks of stored rows. */
import type { FunctionField } from '@culprit/search';
import { type AggregateContext, conditionOf } from './aggregates.ts';
import { expressionOf } from './expressions.ts';
import { largestSampled, sampledSpread } from './stood-for.ts';
import { present } from './terms.ts';

export interface SpreadSql {
  /** Of the errors that are counted: sum of w (w - 1), the largest w, and how many are stored. */
  readonly spread: string;
  readonly largest: string;
  readonly stored: string;
  /** The value is the count divided by it. */
  readonly per: number;
  /** All errors are counted: of a whole project the count is right. */
  readonly isWhole: boolean;
}

/** Undefined for what does not grow with the errors that stored ones stand for, and for spans. */
export function spreadOf(field: FunctionField, context: AggregateContext): SpreadSql | undefined {
  if (context.dataSet !== 'events') return undefined;
  const [first] = field.args;
  switch (field.key.name) {
    case 'count':
      return first?.kind === 'key' ? ofPart(present(expressionOf(first.key, context.dataSet, context.bind))) : ofAll(1);
    case 'count_if':
      return ofPart(conditionOf(field.args, context));
    case 'eps':
    case 'epm':
      return ofAll((context.rangeSeconds ?? 1) / (field.key.name === 'eps' ? 1 : 60));
    default:
      return undefined;
  }
}

const ofAll = (per: number): SpreadSql => ({
  spread: sampledSpread(),
  largest: largestSampled(),
  stored: 'count()',
  per,
  isWhole: true,
});

const ofPart = (condition: string): SpreadSql => ({
  spread: sampledSpread(condition),
  largest: largestSampled(condition),
  stored: `countIf(${condition})`,
  per: 1,
  isWhole: false,
});
