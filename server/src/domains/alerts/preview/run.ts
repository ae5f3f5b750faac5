/** What a rule would have done in the last week. */
import { listProjects } from '../../projects/index.ts';
import { thresholdOf } from '../issue/judge.ts';
import { readingOf, thresholdsOf } from '../metric/levels.ts';
import { severityOfLevel } from '../message.ts';
import { projectsOf } from '../scope.ts';
import { readNamedSearch } from '../../named-search/index.ts';
import type { AlertStores } from '../stores.ts';
import type { Metric, MetricRule, RuleDefinition, Severity } from '../types.ts';
import { previews } from '../../../base/texts/alerts.ts';
import type { Interval } from '../../../base/texts/intl.ts';
import { fold, manyAWeek, raisedThreshold } from './fold.ts';
import { issueSparks } from './issue-sparks.ts';
import { type MetricPoint, metricPoints, tellingsOf } from './metric-run.ts';

export interface PreviewFiring {
  readonly at: number;
  readonly severity: Severity;
  readonly why: string;
  readonly value: number | null;
  /** Undefined where the value is right to 1 %. */
  readonly estimate: Interval | undefined;
  readonly issue: { readonly id: number; readonly shortId: string; readonly title: string } | null;
}

export interface PreviewResult {
  readonly days: number;
  readonly count: number;
  readonly messages: number;
  /** The newest first. */
  readonly firings: readonly PreviewFiring[];
  readonly tooMany:
    | { readonly count: number; readonly suggestedThreshold: number | null; readonly suggestedCount: number | null }
    | undefined;
  readonly series: readonly (readonly [seconds: number, value: number | null])[];
  /** Of values of the series that may be off by more than 1 %; none of changes. */
  readonly intervals: readonly (readonly [seconds: number, low: number, high: number])[];
  readonly verdict: string;
}

export interface PreviewStores extends AlertStores {}

export interface PreviewRun {
  readonly organizationId: string;
  readonly rule: RuleDefinition;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  onProgress(share: number): void;
}

export const previewDays = 7;
const maxFirings = 100;
const maxPoints = 336;

export async function runPreview(stores: PreviewStores, run: PreviewRun): Promise<PreviewResult> {
  return run.rule.kind === 'issue' ? previewIssues(stores, run, run.rule) : previewMetric(stores, run, run.rule);
}

async function previewIssues(
  stores: PreviewStores,
  { organizationId, nowMs, signal, onProgress }: PreviewRun,
  rule: Extract<RuleDefinition, { kind: 'issue' }>,
): Promise<PreviewResult> {
  const projects = projectsOf(rule, await listProjects(stores.state, organizationId));
  const environments = rule.environment ? [rule.environment] : [];
  const scope = { organizationId, projectIds: projects.map(({ id }) => id), environments, nowMs };
  const { sparks, issues } = await issueSparks(stores, {
    organizationId,
    trigger: rule.trigger,
    projects,
    environment: rule.environment,
    root: rule.query.trim() ? await readNamedSearch(stores, rule.query, scope) : undefined,
    fromMs: nowMs - previewDays * 86_400_000,
    nowMs,
    signal,
    onProgress,
  });
  const { fired, messages } = fold(sparks, rule);
  const names = new Map(projects.map((project) => [project.id, project.shortIdPrefix]));
  const [measured] = rule.trigger.conditions.flatMap((one, index) => (thresholdOf(one) === undefined ? [] : index));
  const own = sparks.filter((one) => one.measured === measured);
  const raised =
    measured === undefined || fired.length <= manyAWeek
      ? undefined
      : raisedThreshold(
          own.flatMap((one) => (one.value === null ? [] : one.value)),
          -Infinity,
          (threshold) =>
            fold(
              sparks.filter((one) => one.measured !== measured || (one.value ?? 0) >= threshold),
              rule,
            ).fired.length,
        );
  const firings = fired
    .toReversed()
    .slice(0, maxFirings)
    .map(({ at, why, value, estimate, issueId }): PreviewFiring => {
      const issue = issues.get(issueId);
      return {
        at,
        why,
        value,
        estimate,
        severity: severityOfLevel(issue?.level ?? 'error'),
        issue: issue
          ? { id: issue.id, shortId: `${names.get(issue.projectId) ?? ''}-${issue.number}`, title: issue.title }
          : null,
      };
    });
  return withVerdict({ count: fired.length, messages, firings, series: [], intervals: [] }, raised);
}

async function previewMetric(
  stores: PreviewStores,
  { organizationId, nowMs, signal, onProgress }: PreviewRun,
  rule: Extract<RuleDefinition, { kind: 'metric' }>,
): Promise<PreviewResult> {
  const projects = projectsOf(rule, await listProjects(stores.state, organizationId));
  const points = await metricPoints(stores, {
    question: { metric: rule.metric, environment: rule.environment, query: rule.query, projects },
    fromMs: nowMs - previewDays * 86_400_000,
    nowMs,
    signal,
    onProgress,
  });
  const asRule = (metric: Metric): MetricRule => ({
    ...rule,
    metric,
    id: 0,
    organizationId,
    mutedUntil: null,
    version: 0,
    createdBy: null,
    createdAt: 0,
    updatedAt: 0,
  });
  const said = tellingsOf(asRule(rule.metric), points);
  const fired = said.filter((one) => one.severity !== 'resolved');
  const raised = fired.length > manyAWeek ? raisedMetric(rule.metric, points, asRule) : undefined;
  const every = Math.ceil(points.length / maxPoints);
  const drawn = points.filter((_one, index) => index % every === 0);
  const isChange = rule.metric.comparison.type === 'change';
  return withVerdict(
    {
      count: fired.length,
      messages: said.length,
      firings: said
        .toReversed()
        .slice(0, maxFirings)
        .map((one) => ({ ...one, issue: null })),
      series: drawn.map(({ at, value, score }) => [Math.floor(at / 1000), isChange ? score : value] as const),
      intervals: drawn.flatMap(({ at, interval }) =>
        interval && !isChange ? [[Math.floor(at / 1000), interval.low, interval.high] as const] : [],
      ),
    },
    raised,
  );
}

/** With one threshold instead of those that it has. */
function raisedMetric(metric: Metric, points: readonly MetricPoint[], asRule: (metric: Metric) => MetricRule) {
  if (metric.comparison.type === 'anomaly') return undefined;
  const sign = metric.direction === 'below' && metric.comparison.type === 'static' ? -1 : 1;
  const scores = points.flatMap(({ score }) => (score === null ? [] : score));
  const before = [metric.warning, metric.critical].flatMap((one) => (one === null ? [] : one * sign));
  const found = raisedThreshold(scores, Math.min(...before), (score) => {
    const raised: Metric = { ...metric, warning: score * sign, critical: null, resolve: null };
    const judged = points.map((point) => ({ ...point, reading: readingAt(point, raised) }));
    return tellingsOf(asRule(raised), judged).filter((one) => one.severity !== 'resolved').length;
  });
  return found && { ...found, threshold: found.threshold * sign };
}

const readingAt = ({ reading, score }: MetricPoint, metric: Metric): MetricPoint['reading'] =>
  score === null ? reading : readingOf(score, thresholdsOf(metric));

function withVerdict(
  found: Omit<PreviewResult, 'days' | 'tooMany' | 'verdict'>,
  raised: { readonly threshold: number; readonly count: number } | undefined,
): PreviewResult {
  const { count, messages } = found;
  const tooMany =
    count > manyAWeek
      ? { count, suggestedThreshold: raised?.threshold ?? null, suggestedCount: raised?.count ?? null }
      : undefined;
  const verdict =
    count === 0
      ? previews.never
      : tooMany
        ? previews.tooMany(count, messages ?? 0, raised)
        : previews.fired(count, messages ?? 0);
  return { ...found, days: previewDays, tooMany, verdict };
}
