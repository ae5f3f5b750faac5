/** Rules, values and times in words. */
import { parseField } from '@culprit/search';
import type { Condition, Metric, RuleDefinition } from './types.ts';
import { number, percentage, plural, withUnit } from '../../base/numbers.ts';

export interface RuleNames {
  /** Slugs; empty: all. */
  readonly projects: readonly string[];
  readonly channels: readonly string[];
}

/** The rule in one sentence. */
export function sentenceOf(rule: RuleDefinition, { projects, channels }: RuleNames): string {
  const place = [
    projects.length ? `in ${listed(projects, 'or')}` : '',
    rule.environment ? `in ${rule.environment}` : '',
    rule.query.trim() ? `for what fits “${rule.query.trim()}”` : '',
  ].filter(Boolean);
  const when = rule.kind === 'issue' ? issueSentence(rule.trigger) : metricSentence(rule.metric);
  const often =
    rule.kind === 'issue' && rule.throttleMinutes
      ? `, at most once in ${duration(rule.throttleMinutes)} for an issue`
      : '';
  const tell = channels.length
    ? `tell ${listed(channels, 'and')}`
    : 'note it in the history, since no channel is chosen';
  return `When ${[when, ...place].join(' ')}, ${tell}${often}.`;
}

function issueSentence({
  match,
  conditions,
}: {
  readonly match: 'any' | 'all';
  readonly conditions: readonly Condition[];
}): string {
  return listed(conditions.map(conditionText), match === 'any' ? 'or' : 'and');
}

function conditionText(condition: Condition): string {
  switch (condition.type) {
    case 'new_issue':
      return 'a new issue appears';
    case 'regression':
      return 'a resolved issue comes back';
    case 'escalating':
      return 'an issue escalates';
    case 'unarchived':
      return 'an archived issue comes back';
    case 'event_frequency':
      return `an issue has at least ${plural(condition.count, 'event')} in ${duration(condition.minutes)}`;
    case 'user_frequency':
      return `an issue affects at least ${plural(condition.count, 'user')} in ${duration(condition.minutes)}`;
    case 'session_share':
      return `an issue has at least ${plural(condition.percent, 'event')} for each 100 sessions in ${duration(condition.minutes)}`;
    case 'watched_digest':
      return condition.digest === null ? 'a watched digest is seen' : `digest ${condition.digest} is seen`;
  }
}

function metricSentence(metric: Metric): string {
  const what = `${metric.aggregate} of ${metric.dataset} over ${duration(metric.minutes)}`;
  const { comparison, direction } = metric;
  if (comparison.type === 'anomaly') {
    const how = direction === 'above' ? 'high' : direction === 'below' ? 'low' : 'high or low';
    return `${what} is unusually ${how} for its hour of the week (${comparison.sensitivity} sensitivity)`;
  }
  const levels = (
    [
      ['warning', metric.warning],
      ['critical', metric.critical],
    ] as const
  )
    .flatMap(([name, value]) => (value === null ? [] : [`${thresholdText(metric, value)} (${name})`]))
    .join(' or ');
  if (comparison.type === 'static') return `${what} is ${direction === 'below' ? 'at most' : 'at least'} ${levels}`;
  const how = direction === 'above' ? 'rises by' : direction === 'below' ? 'falls by' : 'changes by';
  return `${what} ${how} at least ${levels} against ${againstText(comparison.against, metric.minutes)}`;
}

export const againstText = (against: 'previous' | 'day' | 'week', minutes: number): string =>
  against === 'previous' ? `the ${duration(minutes)} before` : `the same time a ${against} before`;

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

/** `5 minutes`, `an hour`, `90 minutes`, `a day`. */
export function duration(minutes: number): string {
  for (const [size, name] of [
    [1_440, 'day'],
    [60, 'hour'],
  ] as const) {
    if (minutes === size) return name === 'hour' ? 'an hour' : `a ${name}`;
    if (minutes > size && minutes % size === 0) return plural(minutes / size, name);
  }
  return minutes === 1 ? 'a minute' : plural(minutes, 'minute');
}

function listed(texts: readonly string[], word: 'and' | 'or'): string {
  if (texts.length < 2) return texts[0] ?? '';
  return `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}
