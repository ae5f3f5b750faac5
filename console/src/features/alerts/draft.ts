/** A rule while it is written: numbers are texts as typed, so that half a number is no other number. Pure. */
import * as m from '../../messages/alerts.ts';
import type { AlertCondition, AlertMetric, AlertRule, AlertRuleRequest } from './queries.ts';

export interface ConditionDraft {
  /** Distinguishes conditions of one type while they are written. */
  readonly key: number;
  readonly type: AlertCondition['type'];
  /** Events, users, or percent. */
  readonly count: string;
  readonly minutes: number;
  /** Digits; '' for any that someone watches. */
  readonly digest: string;
}

export interface MetricDraft {
  readonly dataset: AlertMetric['dataset'];
  readonly aggregate: string;
  readonly minutes: number;
  readonly comparison: AlertMetric['comparison']['type'];
  readonly against: 'previous' | 'day' | 'week';
  readonly sensitivity: 'low' | 'medium' | 'high';
  readonly direction: AlertMetric['direction'];
  readonly warning: string;
  readonly critical: string;
  readonly resolve: string;
  readonly noData: AlertMetric['noData'];
}

export interface RuleDraft {
  readonly kind: 'issue' | 'metric';
  readonly name: string;
  readonly enabled: boolean;
  readonly projectIds: readonly string[];
  readonly environment: string;
  readonly query: string;
  readonly throttleMinutes: number;
  readonly digestMinutes: number;
  readonly channelIds: readonly string[];
  readonly owner: string;
  readonly match: 'any' | 'all';
  readonly conditions: readonly ConditionDraft[];
  readonly metric: MetricDraft;
}

export const windows: readonly number[] = [1, 5, 10, 15, 30, 60, 180, 360, 720, 1440];
/** What is offered, and what is chosen already. */
export const withOwn = (offered: readonly number[], own: number): readonly number[] =>
  [...new Set([...offered, own])].toSorted((a, b) => a - b);

export const throttles: readonly number[] = [0, 5, 30, 60, 180, 720, 1440, 10_080];

export const conditionOf = (type: AlertCondition['type'], key: number): ConditionDraft => ({
  key,
  type,
  count: type === 'session_share' ? '5' : type === 'user_frequency' ? '50' : '100',
  minutes: 60,
  digest: '',
});

const plainMetric: MetricDraft = {
  dataset: 'errors',
  aggregate: 'count()',
  minutes: 60,
  comparison: 'static',
  against: 'week',
  sensitivity: 'medium',
  direction: 'above',
  warning: '',
  critical: '100',
  resolve: '',
  noData: 'ok',
};

export const newDraft = (kind: RuleDraft['kind']): RuleDraft => ({
  kind,
  name: '',
  enabled: true,
  projectIds: [],
  environment: '',
  query: '',
  throttleMinutes: 30,
  digestMinutes: 5,
  channelIds: [],
  owner: '',
  match: 'any',
  conditions: [conditionOf('new_issue', 1), conditionOf('regression', 2)],
  metric: plainMetric,
});

const textOf = (value: number | null): string => (value === null ? '' : String(value));

/** Of a rule that is kept, or of one that is suggested. */
export function draftOf(rule: AlertRule | AlertRuleRequest): RuleDraft {
  const blank = newDraft(rule.kind);
  const conditions = 'conditions' in rule ? rule.conditions : [];
  const metric = 'metric' in rule ? rule.metric : null;
  return {
    ...blank,
    name: rule.name,
    enabled: rule.enabled ?? true,
    projectIds: rule.projectIds ?? [],
    environment: rule.environment ?? '',
    query: rule.query ?? '',
    throttleMinutes: rule.throttleMinutes ?? blank.throttleMinutes,
    digestMinutes: rule.digestMinutes ?? blank.digestMinutes,
    channelIds: rule.channelIds ?? [],
    owner: rule.owner ?? '',
    match: 'match' in rule ? (rule.match ?? 'any') : 'any',
    conditions: conditions.length
      ? conditions.map((condition, index) => ({
          ...conditionOf(condition.type, index + 1),
          ...('count' in condition && { count: String(condition.count) }),
          ...('percent' in condition && { count: String(condition.percent) }),
          ...('minutes' in condition && { minutes: condition.minutes }),
          ...('digest' in condition && { digest: condition.digest ?? '' }),
        }))
      : blank.conditions,
    metric: metric
      ? {
          ...plainMetric,
          dataset: metric.dataset,
          aggregate: metric.aggregate,
          minutes: metric.minutes,
          comparison: metric.comparison.type,
          ...(metric.comparison.type === 'change' && { against: metric.comparison.against }),
          ...(metric.comparison.type === 'anomaly' && { sensitivity: metric.comparison.sensitivity }),
          direction: metric.direction,
          warning: textOf(metric.warning),
          critical: textOf(metric.critical),
          resolve: textOf(metric.resolve),
          noData: metric.noData,
        }
      : plainMetric,
  };
}

/** By field; a condition's by `conditions.N`. */
export type DraftProblems = Readonly<Record<string, string>>;

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')));

export function problemsOf(draft: RuleDraft): DraftProblems {
  const found: Record<string, string> = {};
  if (!draft.name.trim()) found['name'] = m.problems.name;
  if (draft.kind === 'issue') {
    if (!draft.conditions.length) found['conditions'] = m.problems.conditions;
    for (const [index, condition] of draft.conditions.entries()) {
      const problem = conditionProblem(condition);
      if (problem) found[`conditions.${index}`] = problem;
    }
    return found;
  }
  const { metric } = draft;
  if (!metric.aggregate.trim()) found['aggregate'] = m.problems.aggregate;
  for (const name of ['warning', 'critical', 'resolve'] as const) {
    if (metric[name].trim() !== '' && Number.isNaN(numberOf(metric[name]))) found[name] = m.problems.number;
  }
  if (metric.comparison !== 'anomaly' && !metric.warning.trim() && !metric.critical.trim())
    found['critical'] = m.problems.threshold;
  return found;
}

function conditionProblem({ type, count, digest }: ConditionDraft): string | undefined {
  if (type === 'watched_digest') return digest === '' || /^\d{1,20}$/.test(digest) ? undefined : m.problems.digest;
  if (type === 'event_frequency' || type === 'user_frequency') {
    const number = numberOf(count);
    return Number.isInteger(number) && number >= 1 ? undefined : m.problems.count;
  }
  if (type === 'session_share') return numberOf(count) > 0 ? undefined : m.problems.share;
  return undefined;
}

/** Of a draft without problems. */
export function requestOf(draft: RuleDraft): AlertRuleRequest {
  const shared = {
    name: draft.name.trim(),
    enabled: draft.enabled,
    projectIds: [...draft.projectIds],
    environment: draft.environment || null,
    query: draft.query.trim(),
    throttleMinutes: draft.throttleMinutes,
    digestMinutes: draft.digestMinutes,
    channelIds: [...draft.channelIds],
    owner: draft.owner || null,
  };
  return draft.kind === 'issue'
    ? { kind: 'issue', ...shared, match: draft.match, conditions: draft.conditions.map(toCondition) }
    : { kind: 'metric', ...shared, metric: toMetric(draft.metric) };
}

function toCondition({ type, count, minutes, digest }: ConditionDraft): AlertCondition {
  switch (type) {
    case 'event_frequency':
    case 'user_frequency':
      return { type, count: numberOf(count), minutes };
    case 'session_share':
      return { type, percent: numberOf(count), minutes };
    case 'watched_digest':
      return { type, digest: digest || null };
    default:
      return { type };
  }
}

function toMetric(metric: MetricDraft): AlertMetric {
  const value = (text: string): number | null => (text.trim() === '' ? null : numberOf(text));
  const isAnomaly = metric.comparison === 'anomaly';
  return {
    dataset: metric.dataset,
    aggregate: metric.aggregate.trim(),
    minutes: metric.minutes,
    comparison:
      metric.comparison === 'static'
        ? { type: 'static' }
        : metric.comparison === 'change'
          ? { type: 'change', against: metric.against }
          : { type: 'anomaly', sensitivity: metric.sensitivity },
    direction: metric.comparison === 'static' && metric.direction === 'both' ? 'above' : metric.direction,
    warning: isAnomaly ? null : value(metric.warning),
    critical: isAnomaly ? null : value(metric.critical),
    resolve: isAnomaly ? null : value(metric.resolve),
    noData: metric.noData,
  };
}

/** With the threshold that a preview proposes: of the first condition that has one, or of the metric in place of both. */
export function withThreshold(draft: RuleDraft, threshold: number): RuleDraft {
  if (draft.kind === 'metric')
    return { ...draft, metric: { ...draft.metric, warning: '', critical: String(threshold), resolve: '' } };
  const measured = draft.conditions.findIndex(({ type }) => isMeasured(type));
  return {
    ...draft,
    conditions: draft.conditions.map((each, index) =>
      index === measured ? { ...each, count: String(threshold) } : each,
    ),
  };
}

/** Whether it has a number and a window. */
export const isMeasured = (type: ConditionDraft['type']): boolean =>
  type === 'event_frequency' || type === 'user_frequency' || type === 'session_share';
