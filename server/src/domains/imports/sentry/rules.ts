/** Alert rules of issues: conditions that have a counterpart here come, the rest is told. */
import type { z } from 'zod';
import type { Condition } from '../../alerts/index.ts';
import type { RuleRecord } from '../records.ts';
import type * as shapes from './shapes.ts';

type Rule = z.output<typeof shapes.Rule>;
type Part = NonNullable<Rule['conditions']>[number];

/** Longer windows have no counterpart here. */
const minutesOf: Readonly<Record<string, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '1h': 60,
  '1d': 1_440,
};

const mostCount = 99_999_999;
const mostMinutes = 1_440;

export function ofRule(rule: Rule): RuleRecord {
  const all = rule.conditions ?? [];
  const conditions = all.flatMap((part) => conditionOf(part) ?? []);
  return {
    id: rule.id,
    name: rule.name || rule.id,
    match: rule.actionMatch === 'all' ? 'all' : 'any',
    conditions,
    environment: rule.environment,
    throttleMinutes: Math.min(rule.frequency ?? 0, mostMinutes),
    lost: [
      ...(conditions.length < all.length || all.length === 0 ? (['conditions'] as const) : []),
      ...(rule.actions?.length ? (['actions'] as const) : []),
      ...(rule.filters?.length ? (['filters'] as const) : []),
    ],
  };
}

function conditionOf({ id, value, interval }: Part): Condition | undefined {
  const name = id.slice(id.lastIndexOf('.') + 1);
  if (name === 'FirstSeenEventCondition') return { type: 'new_issue' };
  if (name === 'RegressionEventCondition') return { type: 'regression' };
  if (name === 'ReappearedEventCondition') return { type: 'unarchived' };
  const minutes = Object.hasOwn(minutesOf, interval) ? minutesOf[interval] : undefined;
  const number = Math.ceil(Number(value));
  if (minutes === undefined || !(number > 0) || number > mostCount) return undefined;
  // More than so many there is at least one more here.
  if (name === 'EventFrequencyCondition') return { type: 'event_frequency', count: number + 1, minutes };
  if (name === 'EventUniqueUserFrequencyCondition') return { type: 'user_frequency', count: number + 1, minutes };
  if (name === 'EventFrequencyPercentCondition')
    return { type: 'session_share', percent: Math.min(number, 1_000), minutes };
  return undefined;
}

/** GlitchTip's: so many events in so many minutes, told to recipients that do not come. */
export function ofAlert(alert: z.output<typeof shapes.ProjectAlert>): RuleRecord {
  const minutes = alert.timespanMinutes ?? alert.timespan_minutes ?? 0;
  const count = alert.quantity ?? 0;
  const has = minutes > 0 && minutes <= mostMinutes && count > 0;
  const id = alert.id ?? alert.pk ?? alert.name;
  return {
    id,
    name: alert.name || id,
    match: 'any',
    conditions: has ? [{ type: 'event_frequency', count, minutes }] : [],
    environment: '',
    throttleMinutes: 0,
    lost: has ? ['actions'] : ['conditions', 'actions'],
  };
}
