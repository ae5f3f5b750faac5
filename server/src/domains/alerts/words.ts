/** Rules and values in words. */
import { parseField } from '@culprit/search';
import type { Condition, Metric, RuleDefinition } from './types.ts';
import { conditions, metrics, ruleSentence } from '../../base/texts/alerts.ts';
import { listed, number, percentage, withUnit } from '../../base/texts/intl.ts';

export interface RuleNames {
  /** Slugs; empty: all. */
  readonly projects: readonly string[];
  readonly channels: readonly string[];
}

/** The rule in one sentence. */
export const sentenceOf = (rule: RuleDefinition, { projects, channels }: RuleNames): string =>
  ruleSentence({
    when:
      rule.kind === 'issue'
        ? listed(rule.trigger.conditions.map(conditionText), rule.trigger.match === 'any' ? 'or' : 'and')
        : metricText(rule.metric),
    projects,
    environment: rule.environment,
    query: rule.query.trim(),
    channels,
    throttleMinutes: rule.kind === 'issue' ? rule.throttleMinutes : 0,
  });

function conditionText(condition: Condition): string {
  switch (condition.type) {
    case 'event_frequency':
      return conditions.events(condition.count, condition.minutes);
    case 'user_frequency':
      return conditions.users(condition.count, condition.minutes);
    case 'session_share':
      return conditions.sessions(condition.percent, condition.minutes);
    case 'watched_digest':
      return conditions.digest(condition.digest);
    default:
      return conditions[condition.type];
  }
}

function metricText(metric: Metric): string {
  const { aggregate, dataset, minutes, comparison, direction } = metric;
  return `${metrics.what(aggregate, dataset, minutes)} ${
    comparison.type === 'anomaly'
      ? metrics.unusual(direction, comparison.sensitivity)
      : comparison.type === 'static'
        ? metrics.threshold(direction, levelTexts(metric))
        : metrics.change(direction, levelTexts(metric), metrics.against(comparison.against, minutes))
  }`;
}

const levelTexts = (metric: Metric): string[] =>
  (['warning', 'critical'] as const).flatMap((level) => {
    const value = metric[level];
    return value === null ? [] : [metrics.level(thresholdText(metric, value), level)];
  });

/** Of a rule of changes thresholds are percent. */
export const thresholdText = (metric: Metric, value: number): string =>
  metric.comparison.type === 'change' ? percentage(value / 100) : valueText(metric, value);

/** With the unit of the aggregate. */
export function valueText({ dataset, aggregate }: Pick<Metric, 'dataset' | 'aggregate'>, value: number): string {
  if (dataset === 'sessions') return aggregate.startsWith('crash') ? percentage(value / 100) : number(value);
  const field = parseField(aggregate, dataset === 'errors' ? 'events' : 'spans');
  const type = 'code' in field ? 'number' : field.type;
  if (type === 'duration') return value >= 1_000 ? withUnit(value / 1_000, 's') : withUnit(value, 'ms');
  if (type === 'percentage') return percentage(value);
  return number(value);
}
