/** What Sentry's clients send of alert rules, as definitions of rules. Throws `INPUT_INVALID` for what a rule cannot be. */
import { CodedError } from '../../base/errors.ts';
import { clientRules as texts } from '../../base/texts/client-alerts.ts';
import { type Metric, projectsOf, type RuleDefinition } from '../../domains/alerts/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { type ActionPlace, readActions } from './clients-actions.ts';
import type { DetectorUpdate, ThresholdRequest, WorkflowUpdate } from './clients-changes-contract.ts';
import { readConditions } from './clients-conditions.ts';
import {
  type ClientPlace,
  directions,
  type IssueRule,
  levels,
  type MetricRule,
  workflowsOf,
} from './clients-shapes.ts';
import { object, text } from '../shared/read.ts';

export interface RequestPlace extends ActionPlace, Pick<ClientPlace, 'rules'> {
  /** Those that who asks sees. */
  readonly projects: readonly Project[];
}

const refuse = (what: string): never => {
  throw new CodedError('INPUT_INVALID', [what]);
};

const fresh = {
  enabled: true,
  projectIds: [],
  environment: '',
  query: '',
  throttleMinutes: 30,
  digestMinutes: 5,
  channelIds: [],
  owner: null,
};

/** `before`: the rule as it is, of which stays what is left out. */
export function readWorkflow(body: WorkflowUpdate, place: RequestPlace, before?: IssueRule): RuleDefinition {
  const { triggers, actionFilters = [], detectorIds, config } = body;
  if (actionFilters.length > 1) refuse(texts.severalFilters);
  const [filter] = actionFilters;
  const start = { ...fresh, name: '', trigger: { match: 'any' as const, conditions: [] }, ...before };
  const conditions = triggers || filter || !before ? conditionsOf(body, before) : undefined;
  return {
    ...settingsOf(body, start),
    kind: 'issue',
    projectIds: detectorIds ? watched(detectorIds, place, before) : start.projectIds,
    environment: body.environment === undefined ? start.environment : (body.environment ?? ''),
    throttleMinutes: config?.frequency ?? start.throttleMinutes,
    digestMinutes: start.digestMinutes,
    channelIds: filter ? readActions(filter.actions, place, 'actionFilters[0].actions') : start.channelIds,
    query: conditions?.query ?? start.query,
    trigger: conditions?.trigger ?? start.trigger,
  };
}

/** What only one of both is sent for stays of the other: a query is in the filter, what happens in either. */
function conditionsOf({ triggers, actionFilters = [] }: WorkflowUpdate, before: IssueRule | undefined) {
  const none = { logicType: 'any-short', conditions: [] } as const;
  const read = readConditions(
    triggers ?? none,
    actionFilters[0] ?? { ...none, logicType: 'all' },
    before?.trigger.conditions,
    String(before?.id ?? ''),
    triggers ? undefined : before?.trigger,
  );
  return { trigger: read.trigger, query: actionFilters[0] || !before ? read.query : before.query };
}

function settingsOf(
  { name, enabled, owner }: Pick<WorkflowUpdate, 'name' | 'enabled' | 'owner'>,
  start: { readonly name: string; readonly enabled: boolean; readonly owner: string | null },
) {
  return {
    name: name ?? start.name,
    enabled: enabled ?? start.enabled,
    owner: owner === undefined ? start.owner : owner,
  };
}

/** A rule about all projects stays so where all of them are sent back. */
function watched(ids: readonly string[], { projects }: RequestPlace, before: IssueRule | undefined): readonly number[] {
  const found = ids.map((id) => projects.find((one) => String(one.id) === id)?.id ?? refuse(texts.detector(id)));
  if (!before || before.projectIds.length) return [...new Set(found)];
  const now = projectsOf(before, projects).map(({ id }) => id);
  return now.length === found.length && now.every((id) => found.includes(id)) ? [] : [...new Set(found)];
}

const datasets: Readonly<Record<string, Metric['dataset']>> = {
  errors: 'errors',
  events: 'errors',
  discover: 'errors',
  spans: 'spans',
  events_analytics_platform: 'spans',
  transactions: 'transactions',
  generic_metrics: 'transactions',
  sessions: 'sessions',
  metrics: 'sessions',
};

/** As older clients write shares of sessions. */
const sessionAggregates: readonly (readonly [RegExp, string])[] = [
  [/^percentage\(sessions_crashed, ?sessions\)/, 'crash_free_rate(session)'],
  [/^percentage\(users_crashed, ?users\)/, 'crash_free_rate(user)'],
];

const usual: Metric = {
  dataset: 'errors',
  aggregate: 'count()',
  minutes: 60,
  comparison: { type: 'static' },
  direction: 'above',
  warning: null,
  critical: null,
  resolve: null,
  noData: 'ok',
};

/** `project`: of a new rule. */
export function readDetector(
  body: DetectorUpdate,
  place: RequestPlace,
  before?: MetricRule,
  project?: Project,
): RuleDefinition {
  const { type = 'metric_issue', dataSources, conditionGroup, workflowIds } = body;
  if (type !== 'metric_issue') refuse(texts.detectorType(type));
  const start = { ...fresh, name: '', metric: usual, ...before };
  const source = dataSources && sourceOf(dataSources[0], before);
  const minutes = source?.minutes ?? start.metric.minutes;
  const thresholds = conditionGroup?.conditions;
  const actions = thresholds?.flatMap((one) => one.actions ?? []);
  return {
    ...settingsOf(body, start),
    kind: 'metric',
    projectIds: project ? [project.id] : start.projectIds,
    environment: source ? source.environment : start.environment,
    query: source ? source.query : start.query,
    throttleMinutes: start.throttleMinutes,
    digestMinutes: start.digestMinutes,
    channelIds: thresholds?.some((one) => one.actions)
      ? readActions(actions ?? [], place, 'conditionGroup.actions')
      : ((workflowIds && toldThrough(workflowIds, place, before)) ?? start.channelIds),
    metric: {
      ...start.metric,
      ...(source && { dataset: source.dataset, aggregate: source.aggregate, minutes }),
      ...(thresholds && thresholdsOf(thresholds, { comparison: comparisonOf(body.config, minutes) })),
    },
  };
}

/** Channels of the issue rules that it tells through; undefined where they are those that it had. */
function toldThrough(
  ids: readonly string[],
  { rules }: RequestPlace,
  before: MetricRule | undefined,
): number[] | undefined {
  const named = ids.map(
    (id) => rules.find((one) => one.kind === 'issue' && String(one.id) === id) ?? refuse(texts.workflow(id)),
  );
  const had = before ? workflowsOf(before, rules) : [];
  if (before && had.length === named.length && had.every((one) => named.includes(one))) return undefined;
  return [...new Set(named.flatMap(({ channelIds }) => [...channelIds]))];
}

function sourceOf(
  given: NonNullable<DetectorUpdate['dataSources']>[number] | undefined,
  before: MetricRule | undefined,
) {
  const sent = given?.queryObj?.snubaQuery ?? given;
  const dataset = sent?.dataset ?? before?.metric.dataset ?? '';
  const timeWindow = sent?.timeWindow ?? (before ? before.metric.minutes * 60 : 0);
  const aggregate = sent?.aggregate ?? before?.metric.aggregate ?? '';
  if (!sent || !dataset || !aggregate) return refuse(texts.dataSource);
  if (timeWindow < 60 || timeWindow > 86_400) refuse(texts.timeWindow);
  const ours = Object.hasOwn(datasets, dataset) ? datasets[dataset] : undefined;
  return {
    dataset: ours ?? refuse(texts.dataset(dataset)),
    aggregate: sessionAggregates.find(([pattern]) => pattern.test(aggregate))?.[1] ?? aggregate,
    minutes: Math.round(timeWindow / 60),
    query: sent.query ?? before?.query ?? '',
    // All, where none is sent with the rest of the query.
    environment: sent.environment ?? '',
  };
}

function comparisonOf(config: DetectorUpdate['config'], minutes: number): Metric['comparison'] {
  if (config?.detectionType !== 'percent') return { type: 'static' };
  const { comparisonDelta: delta } = config;
  // A window of a day compared with the one before it is compared with the day before.
  const against =
    delta === 86_400 ? 'day' : delta === 604_800 ? 'week' : delta === minutes * 60 ? 'previous' : refuse(texts.delta);
  return { type: 'change', against };
}

const isSensitivity = (name: string): name is 'low' | 'medium' | 'high' => ['low', 'medium', 'high'].includes(name);

function thresholdsOf(
  sent: readonly ThresholdRequest[],
  { comparison }: Pick<Metric, 'comparison'>,
): Pick<Metric, 'comparison' | 'direction' | 'warning' | 'critical' | 'resolve'> {
  const none = { warning: null, critical: null, resolve: null };
  const anomaly = object(sent.find(({ type }) => type === 'anomaly_detection')?.comparison);
  if (anomaly) {
    const sensitivity = text(anomaly['sensitivity']) ?? '';
    const direction = directions[Number(anomaly['threshold_type'] ?? 0)] ?? 'above';
    return {
      ...none,
      direction,
      comparison: { type: 'anomaly', sensitivity: isSensitivity(sensitivity) ? sensitivity : 'medium' },
    };
  }
  const found: { warning: number | null; critical: number | null; resolve: number | null } = { ...none };
  const seen = new Set<Metric['direction']>();
  for (const [index, one] of sent.entries()) {
    const at = `conditionGroup.conditions[${index}]`;
    const value =
      one.alertThreshold ?? (typeof one.comparison === 'number' ? one.comparison : refuse(texts.threshold(at)));
    const isOver = one.conditionResult === 0;
    if (isOver) found.resolve = value;
    else found[levelOf(one, found.critical === null, at)] = value;
    if (one.resolveThreshold != null) found.resolve = one.resolveThreshold;
    if (!isOver) seen.add(directionOf(one));
  }
  const [direction = 'above', other] = [...seen];
  if (other) refuse(texts.direction);
  // The CLI resolves at the critical threshold, where a warning still holds.
  if (found.resolve === found.critical && found.warning !== null) found.resolve = found.warning;
  return { ...found, comparison, direction };
}

function levelOf({ label, conditionResult }: ThresholdRequest, isFirst: boolean, at: string): 'warning' | 'critical' {
  if (conditionResult === undefined) return label ?? (isFirst ? 'critical' : 'warning');
  return levels.find(([, result]) => result === conditionResult)?.[0] ?? refuse(texts.priority(at));
}

const directionOf = ({ type, thresholdType }: ThresholdRequest): Metric['direction'] =>
  thresholdType === 1 || type === 'lt' || type === 'lte' ? 'below' : 'above';
