/** Rules, values and times in words. */
import { parseField } from '@culprit/search';
import type { Condition, Metric, RuleDefinition } from './types.ts';

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
      return `an issue has at least ${number(condition.count)} ${plural(condition.count, 'event')} in ${duration(condition.minutes)}`;
    case 'user_frequency':
      return `an issue affects at least ${number(condition.count)} ${plural(condition.count, 'user')} in ${duration(condition.minutes)}`;
    case 'session_share':
      return `an issue has at least ${number(condition.percent)} events for each 100 sessions in ${duration(condition.minutes)}`;
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
  metric.comparison.type === 'change' ? `${number(value)} %` : valueText(metric, value);

/** With the unit of the aggregate. */
export function valueText({ dataset, aggregate }: Pick<Metric, 'dataset' | 'aggregate'>, value: number): string {
  if (dataset === 'sessions') return aggregate.startsWith('crash') ? `${number(value)} %` : number(value);
  const field = parseField(aggregate, dataset === 'errors' ? 'events' : 'spans');
  const type = 'code' in field ? 'number' : field.type;
  if (type === 'duration') return value >= 1_000 ? `${number(value / 1_000)} s` : `${number(value)} ms`;
  if (type === 'percentage') return `${number(value * 100)} %`;
  return number(value);
}

const format = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export const number = (value: number): string => (Math.abs(value) >= 1_000 ? whole : format).format(value);

export const plural = (count: number, word: string): string => (count === 1 ? word : `${word}s`);

/** `5 minutes`, `an hour`, `90 minutes`, `a day`. */
export function duration(minutes: number): string {
  for (const [size, name] of [
    [1_440, 'day'],
    [60, 'hour'],
  ] as const) {
    if (minutes === size) return name === 'hour' ? 'an hour' : `a ${name}`;
    if (minutes > size && minutes % size === 0) return `${minutes / size} ${name}s`;
  }
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

function listed(texts: readonly string[], word: 'and' | 'or'): string {
  if (texts.length < 2) return texts[0] ?? '';
  return `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}
