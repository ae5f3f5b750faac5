/** Alert rules in the words of Sentry's clients. */
import type { z } from 'zod';
import { type Condition, projectsOf, type Rule, type RuleSummary } from '../../domains/alerts/index.ts';
import type { People } from '../../domains/teams/index.ts';
import type * as contract from './clients-contract.ts';
import { iso } from '../shared/read.ts';
import type { RulePlace } from './rule-place.ts';

type WorkflowShape = z.output<typeof contract.listWorkflows.response>[number];
type DetectorShape = z.output<typeof contract.listDetectors.response>[number];
type CombinedShape = z.output<typeof contract.listCombinedRules.response>[number];
type MetricShape = Omit<Extract<CombinedShape, { type: 'alert_rule' }>, keyof CombinedCommon>;
type CombinedCommon = Pick<
  CombinedShape,
  'type' | 'id' | 'name' | 'status' | 'environment' | 'owner' | 'query' | 'dateCreated'
>;

export type IssueRule = Extract<Rule, { kind: 'issue' }>;
export type MetricRule = Extract<Rule, { kind: 'metric' }>;

export interface ClientPlace extends RulePlace {
  /** All that who asks sees. */
  readonly rules: readonly Rule[];
  readonly people: People;
  readonly summaries: ReadonlyMap<number, RuleSummary>;
}

/** As Sentry calls what ours are; `watched_digest` it does not know. */
export const conditionTypes: Readonly<Record<Condition['type'], string>> = {
  new_issue: 'first_seen_event',
  regression: 'regression_event',
  escalating: 'reappeared_event',
  unarchived: 'reappeared_event',
  event_frequency: 'event_frequency_count',
  user_frequency: 'event_unique_user_frequency_count',
  session_share: 'percent_sessions_count',
  watched_digest: 'watched_digest',
};

const interval = (minutes: number): string =>
  minutes % 1440 === 0 ? `${minutes / 1440}d` : minutes % 60 === 0 ? `${minutes / 60}hr` : `${minutes}min`;

export function comparisonOf(one: Condition): unknown {
  switch (one.type) {
    case 'event_frequency':
    case 'user_frequency':
      return { value: one.count, interval: interval(one.minutes) };
    case 'session_share':
      return { value: one.percent, interval: interval(one.minutes) };
    case 'watched_digest':
      return one.digest ?? true;
    default:
      return true;
  }
}

function ownerOf({ owner }: Rule, { members, teams }: People): WorkflowShape['owner'] {
  const [type, id = ''] = owner?.split(':', 2) ?? [];
  if (type === 'user') return { type, id, name: members.find((one) => one.userId === id)?.name ?? '' };
  if (type === 'team') return { type, id, name: teams.find((one) => String(one.id) === id)?.name ?? '' };
  return null;
}

const actionsOf = ({ channelIds }: Rule, { channels }: RulePlace): WorkflowShape['actionFilters'][number]['actions'] =>
  channels
    .filter(({ id }) => channelIds.includes(id))
    .map(({ id, type, name }) => ({
      id: String(id),
      type,
      data: {},
      config: { targetIdentifier: String(id), targetDisplay: name },
    }));

const lastFired = (rule: Rule, { summaries }: ClientPlace): string | null => {
  const at = summaries.get(rule.id)?.lastFiredAt ?? null;
  return at === null ? null : iso(at);
};

const datesOf = (rule: Rule) => ({ dateCreated: iso(rule.createdAt), dateUpdated: iso(rule.updatedAt) });

export function toWorkflow(rule: IssueRule, place: ClientPlace): WorkflowShape {
  const id = String(rule.id);
  const watched = projectsOf(rule, place.projects);
  const { match, conditions } = rule.trigger;
  const query = { id, type: 'query', comparison: rule.query, conditionResult: true };
  const triggers = conditions.map((one, index) => ({
    id: `${id}-${index + 1}`,
    type: conditionTypes[one.type],
    comparison: comparisonOf(one),
    conditionResult: true,
  }));
  const actions = actionsOf(rule, place);
  return {
    id,
    name: rule.name,
    organizationId: rule.organizationId,
    enabled: rule.enabled,
    status: rule.enabled ? 'active' : 'disabled',
    environment: rule.environment || null,
    owner: ownerOf(rule, place.people),
    createdBy: rule.createdBy,
    ...datesOf(rule),
    lastTriggered: lastFired(rule, place),
    projects: watched.map(({ slug }) => slug),
    detectorIds: watched.map((project) => String(project.id)),
    actionMatch: match,
    frequency: rule.throttleMinutes,
    config: { frequency: rule.throttleMinutes },
    triggers: { id, logicType: match === 'any' ? 'any-short' : 'all', conditions: triggers },
    actionFilters: [{ id, logicType: 'all', conditions: rule.query === '' ? [] : [query], actions }],
    conditions: triggers,
    actions,
  };
}

/** Sentry's levels of a metric: 75 is high, 50 medium. */
export const levels = [
  ['critical', 75],
  ['warning', 50],
] as const;

/** Between the windows that a change compares. */
const changeSeconds = { previous: undefined, day: 86_400, week: 604_800 } as const;

/** Issue rules that tell the same channels, and no others: there a metric rule tells through them. */
export const workflowsOf = ({ channelIds }: Pick<Rule, 'channelIds'>, rules: readonly Rule[]): Rule[] =>
  rules.filter(
    (one) => one.kind === 'issue' && one.channelIds.length > 0 && one.channelIds.every((id) => channelIds.includes(id)),
  );

/** Sentry's numbers of directions. */
export const directions = ['above', 'below', 'both'] as const;

type Threshold = NonNullable<DetectorShape['conditionGroup']>['conditions'][number];

function thresholdsOf({ id, metric }: MetricRule, actions: Threshold['actions']): Threshold[] {
  const { comparison, direction, resolve } = metric;
  if (comparison.type === 'anomaly') {
    const { sensitivity } = comparison;
    const anomaly = { sensitivity, seasonality: 'auto', threshold_type: directions.indexOf(direction) };
    return [{ id: `${id}-critical`, type: 'anomaly_detection', comparison: anomaly, conditionResult: 75, actions }];
  }
  const isBelow = direction === 'below';
  const type = isBelow ? 'lt' : 'gt';
  const thresholds = levels.flatMap(([level, conditionResult]): Threshold[] => {
    const value = metric[level];
    return value === null ? [] : [{ id: `${id}-${level}`, type, comparison: value, conditionResult, actions }];
  });
  if (resolve === null) return thresholds;
  const ends = { id: `${id}-resolve`, type: isBelow ? 'gte' : 'lte', comparison: resolve, conditionResult: 0 };
  return [...thresholds, { ...ends, actions: [] }];
}

export function toDetector(rule: MetricRule, place: ClientPlace): DetectorShape {
  const id = String(rule.id);
  const { metric } = rule;
  const { comparison } = metric;
  const watched = projectsOf(rule, place.projects);
  const [only, second] = watched;
  const timeWindow = metric.minutes * 60;
  return {
    id,
    name: rule.name,
    type: 'metric_issue',
    organizationId: rule.organizationId,
    enabled: rule.enabled,
    status: rule.enabled ? 0 : 1,
    projectId: only && !second ? String(only.id) : null,
    projectSlug: only && !second ? only.slug : null,
    projects: watched.map(({ slug }) => slug),
    owner: ownerOf(rule, place.people),
    createdBy: rule.createdBy,
    ...datesOf(rule),
    workflowIds: workflowsOf(rule, place.rules).map((one) => String(one.id)),
    dataSources: [
      {
        id,
        type: 'snuba_query_subscription',
        queryObj: {
          id,
          snubaQuery: {
            id,
            dataset: metric.dataset,
            query: rule.query,
            aggregate: metric.aggregate,
            timeWindow,
            environment: rule.environment || null,
          },
        },
      },
    ],
    conditionGroup: { id, logicType: 'any', conditions: thresholdsOf(rule, actionsOf(rule, place)) },
    config: {
      detectionType: comparison.type === 'static' ? 'static' : comparison.type === 'change' ? 'percent' : 'dynamic',
      comparisonDelta: comparison.type === 'change' ? (changeSeconds[comparison.against] ?? timeWindow) : null,
    },
  };
}

/** Of a project: what finds its errors, which all issue rules are about. */
export const toErrorDetector = (
  { id, slug, name, createdAt }: { id: number; slug: string; name: string; createdAt: number },
  organizationId: string,
): DetectorShape => ({
  id: String(id),
  name,
  type: 'error',
  organizationId,
  enabled: true,
  status: 0,
  projectId: String(id),
  projectSlug: slug,
  projects: [slug],
  owner: null,
  createdBy: null,
  dateCreated: iso(createdAt),
  dateUpdated: iso(createdAt),
  workflowIds: [],
  dataSources: [],
  conditionGroup: null,
  config: { detectionType: 'static', comparisonDelta: null },
});

export function toMetricFields(rule: MetricRule, place: RulePlace): MetricShape {
  const { metric } = rule;
  const actions = actionsOf(rule, place);
  return {
    dataset: metric.dataset,
    aggregate: metric.aggregate,
    timeWindow: metric.minutes,
    projects: rule.projectIds.length ? projectsOf(rule, place.projects).map(({ slug }) => slug) : [],
    triggers: levels.flatMap(([label]) => {
      const alertThreshold = metric[label];
      if (alertThreshold === null) return [];
      const thresholdType = metric.direction === 'below' ? 1 : 0;
      const resolveThreshold = metric.resolve;
      return [{ id: `${rule.id}-${label}`, label, thresholdType, alertThreshold, resolveThreshold, actions }];
    }),
  };
}

export function toCombined(rule: Rule, place: ClientPlace): CombinedShape {
  const common = {
    id: String(rule.id),
    name: rule.name,
    status: rule.enabled ? ('active' as const) : ('disabled' as const),
    environment: rule.environment || null,
    owner: rule.owner,
    query: rule.query,
    dateCreated: iso(rule.createdAt),
  };
  return rule.kind === 'metric'
    ? { type: 'alert_rule', ...common, ...toMetricFields(rule, place) }
    : {
        type: 'rule',
        ...common,
        projects: rule.projectIds.length ? projectsOf(rule, place.projects).map(({ slug }) => slug) : [],
        actionMatch: rule.trigger.match,
        frequency: rule.throttleMinutes,
        lastTriggered: lastFired(rule, place),
      };
}
