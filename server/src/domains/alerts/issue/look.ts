/** What a look at the issues of an organisation is asked and answers, and what both kinds of rules read. */
import { type IssueRow, type MatchQuestion, readActivity, type Reduced } from '../../issues/index.ts';
import type { Project } from '../../projects/index.ts';
import type { AlertStores } from '../stores.ts';
import type { Condition, IssueRule } from '../types.ts';
import { type Cause, type Happening, happeningActivities, isHappeningType, memoryOf, typesOf } from './judge.ts';
import type { LookMemory } from './memory.ts';

export interface LookRequest {
  readonly organizationId: string;
  readonly rules: readonly IssueRule[];
  /** Those that each rule watches. */
  projectsOf(rule: IssueRule): readonly Project[];
  /** The search of a rule, read; undefined for everything, false for nothing. */
  searchOf(rule: IssueRule): Promise<Reduced | undefined>;
  /** From there on what happened is read. */
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly memory: LookMemory;
  readonly signal: AbortSignal;
}

export interface IssueFinding {
  readonly rule: IssueRule;
  readonly issueId: number;
  readonly cause: Cause;
}

export const maxActivity = 5_000;
/** An event may be dated before it was received. */
export const lateMs = 60_000;
export const maxSeconds = 10;

export const watches = (rule: IssueRule, is: (condition: Condition) => boolean): boolean =>
  rule.trigger.conditions.some(is);

export const isFiltered = (rule: IssueRule): boolean => rule.query.trim() !== '' || rule.environment !== '';

export async function filterOf(
  request: LookRequest,
  rule: IssueRule,
): Promise<Pick<MatchQuestion, 'root' | 'projects' | 'environments'>> {
  return {
    root: await request.searchOf(rule),
    projects: request.projectsOf(rule),
    environments: rule.environment ? [rule.environment] : [],
  };
}

/** What happened to issues for as long as rules that ask for all of their conditions remember it. */
export async function rememberedHappenings(
  stores: AlertStores,
  { nowMs }: LookRequest,
  pairs: readonly { readonly rule: IssueRule; readonly issue: Pick<IssueRow, 'id' | 'projectId'> }[],
): Promise<ReadonlyMap<string, readonly Happening[]>> {
  const asking = pairs.filter(
    ({ rule }) => rule.trigger.match === 'all' && watches(rule, (one) => isHappeningType(one.type)),
  );
  const found = new Map<string, Happening[]>();
  if (!asking.length) return found;
  const issueIds = [...new Set(asking.map(({ issue }) => issue.id))];
  const activity = await readActivity(stores.state, {
    projectIds: [...new Set(asking.map(({ issue }) => issue.projectId))],
    types: happeningActivities,
    sinceMs: nowMs - Math.max(...asking.map(({ rule }) => memoryOf(rule.trigger))),
    issueIds,
    limit: maxActivity,
  });
  const byIssue = Map.groupBy(activity, (one) => one.issueId);
  for (const { rule, issue } of asking) {
    const sinceMs = Math.max(rule.createdAt, nowMs - memoryOf(rule.trigger));
    const happenings = (byIssue.get(issue.id) ?? [])
      .filter((one) => one.at >= sinceMs)
      .map((one) => ({ id: one.id, types: typesOf(one.type, one.data), at: one.at }));
    found.set(`${rule.id}:${issue.id}`, happenings);
  }
  return found;
}
