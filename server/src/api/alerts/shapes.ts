/** Alert rules and what they told, as the API shows them. */
import type { z } from 'zod';
import {
  type AlertPreview,
  type Firing,
  type FiringMessage,
  mayChange,
  quietWeek,
  type Rule,
  type RuleAsker,
  type RuleDefinition,
  type RuleSummary,
  sentenceOf,
  whoMayChange,
} from '../../domains/alerts/index.ts';
import type { IssueRow } from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import type * as contract from './contract.ts';
import { iso } from '../shared/read.ts';
import { toMetricFields } from './clients-shapes.ts';
import type { RulePlace } from './rule-place.ts';

export type RuleRequest = z.output<typeof contract.createAlertRule.body>;
type RuleShape = z.output<typeof contract.AlertRule>;
type FiringShape = z.output<typeof contract.listAlertFirings.response>[number];
type HistoryShape = z.output<typeof contract.listAlertHistory.response>[number];
type PreviewShape = z.output<typeof contract.previewAlertRule.response>;

export function toDefinition(request: RuleRequest): RuleDefinition {
  const { name, enabled, projectIds, environment, query, throttleMinutes, digestMinutes, channelIds, owner } = request;
  const settings = {
    name,
    enabled,
    projectIds: [...new Set(projectIds.map(Number))],
    environment: environment ?? '',
    query,
    throttleMinutes,
    digestMinutes,
    channelIds: [...new Set(channelIds.map(Number))],
    owner,
  };
  return request.kind === 'issue'
    ? { ...settings, kind: 'issue', trigger: { match: request.match, conditions: request.conditions } }
    : { ...settings, kind: 'metric', metric: request.metric };
}

/** The same as a request. */
export function toRequest(rule: RuleDefinition): RuleRequest {
  const { name, enabled, environment, query, throttleMinutes, digestMinutes, owner } = rule;
  const settings = {
    name,
    enabled,
    projectIds: rule.projectIds.map(String),
    environment: environment || null,
    query,
    throttleMinutes,
    digestMinutes,
    channelIds: rule.channelIds.map(String),
    owner,
  };
  return rule.kind === 'issue'
    ? {
        ...settings,
        kind: 'issue',
        match: rule.trigger.match,
        conditions: rule.trigger.conditions.map((one) => ({ ...one })),
      }
    : { ...settings, kind: 'metric', metric: { ...rule.metric, comparison: { ...rule.metric.comparison } } };
}

export function sentenceFor(rule: RuleDefinition, { projects, channels }: RulePlace): string {
  const slugs = new Map(projects.map((one) => [one.id, one.slug]));
  const names = new Map(channels.map((one) => [one.id, one.name]));
  return sentenceOf(rule, {
    projects: rule.projectIds.flatMap((id) => slugs.get(id) ?? []),
    channels: rule.channelIds.flatMap((id) => names.get(id) ?? []),
  });
}

/** Who looks at rules, and what is silent to them. */
export interface RuleViewer {
  readonly asker: RuleAsker;
  readonly members: readonly { readonly userId: string; readonly name: string }[];
  /** Until when, by id of the rule. */
  readonly muted: ReadonlyMap<number, number>;
}

export function toAlertRule(
  rule: Rule,
  summary: RuleSummary | undefined,
  place: RulePlace,
  { asker, members, muted }: RuleViewer,
): RuleShape {
  // Of another version nothing is known yet.
  const state = summary?.state?.version === rule.version ? summary.state : undefined;
  const { kind, ...settings } = toRequest(rule);
  const firedByDay = summary?.firedByDay ?? quietWeek;
  const mutedForMe = muted.get(rule.id);
  return {
    match: 'any',
    conditions: [],
    metric: null,
    ...settings,
    id: String(rule.id),
    kind,
    sentence: sentenceFor(rule, place),
    state: !rule.enabled ? 'disabled' : state?.problem ? 'problem' : (state?.state ?? 'ok'),
    stateSince: state && rule.kind === 'metric' ? iso(state.stateSince) : null,
    value: rule.kind === 'metric' ? (state?.value ?? null) : null,
    problem: state?.problem ?? '',
    mutedUntil: rule.mutedUntil !== null && rule.mutedUntil > Date.now() ? iso(rule.mutedUntil) : null,
    mutedForMeUntil: mutedForMe === undefined ? null : iso(mutedForMe),
    mayChange: mayChange(rule, asker),
    whoMayChange: whoMayChange(rule, members),
    lastFiredAt: summary?.lastFiredAt == null ? null : iso(summary.lastFiredAt),
    firedLast7Days: firedByDay.reduce((sum, count) => sum + count, 0),
    firedByDay: [...firedByDay],
    dateCreated: iso(rule.createdAt),
    dateUpdated: iso(rule.updatedAt),
    createdBy: rule.createdBy,
    ...(rule.kind === 'metric' && toMetricFields(rule, place)),
  };
}

export function toAlertFiring(
  firing: Firing,
  rules: ReadonlyMap<number, Pick<Rule, 'name'>>,
  issues: ReadonlyMap<number, IssueRow>,
  projects: readonly Project[],
): FiringShape {
  const issue = issues.get(firing.issueId ?? 0);
  const project = projects.find((one) => one.id === issue?.projectId);
  return {
    id: String(firing.id),
    ruleId: String(firing.ruleId),
    ruleName: rules.get(firing.ruleId)?.name ?? '',
    at: iso(firing.at),
    state: firing.state,
    severity: firing.severity,
    why: firing.why,
    value: firing.value,
    estimated: firing.estimated ?? null,
    issue:
      issue && project
        ? {
            id: String(issue.id),
            shortId: `${project.shortIdPrefix}-${issue.number}`,
            title: issue.title,
            level: issue.level,
          }
        : null,
  };
}

export const toHistoryEntry = (firing: FiringShape, messages: readonly FiringMessage[] = []): HistoryShape => ({
  ...firing,
  deliveries: messages.flatMap(({ id, channel, state, detail }) =>
    channel ? { id: String(id), channel: { id: String(channel.id), name: channel.name }, state, detail } : [],
  ),
});

export function toAlertPreview(
  { id, status, progress, detail, about: { rule }, result }: AlertPreview,
  place: RulePlace,
): PreviewShape {
  return {
    id,
    status,
    progress,
    detail,
    sentence: sentenceFor(rule, place),
    verdict: result?.verdict ?? '',
    days: result?.days ?? 0,
    count: result?.count ?? 0,
    messages: result?.messages ?? 0,
    perDay: result ? result.count / result.days : 0,
    firings: (result?.firings ?? []).map(({ at, issue, estimate, ...one }) => ({
      ...one,
      estimated: estimate ?? null,
      at: iso(at),
      issue: issue && { ...issue, id: String(issue.id) },
    })),
    tooMany: result?.tooMany ?? null,
    series: (result?.series ?? []).map(([at, value]) => [at, value]),
    // One that a node of an earlier version made has none.
    intervals: (result?.intervals ?? []).map(([at, low, high]) => [at, low, high]),
  };
}
