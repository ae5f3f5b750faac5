/** When an issue rule would have fired in past days, before throttle and digests. What issues are by now counts as what they were. */
import {
  estimateOfPart,
  eventsCount,
  noSpread,
  partSpread,
  type PartSpread,
  plusSpread,
  usersCount,
} from '../../search/index.ts';
import { foundSince } from '../../find/index.ts';
import { sessionCounts } from '../../sessions/index.ts';
import { inEnvironments, inProjects, moment, where } from '../../../base/sql.ts';
import {
  countMatching,
  issuesById,
  type IssueRow,
  ownersOfHashes,
  planSearch,
  readActivity,
  type Reduced,
  rowConditions,
} from '../../issues/index.ts';
import type { Project } from '../../projects/index.ts';
import {
  happeningActivities,
  isHappeningType,
  judge,
  measuredText,
  memoryOf,
  thresholdOf,
  typesOf,
} from '../issue/judge.ts';
import type { AlertStores } from '../stores.ts';
import { reasons } from '../../../base/texts/alerts.ts';
import type { Condition, IssueTrigger } from '../types.ts';
import type { Spark } from './fold.ts';

export interface IssuePreviewRequest {
  readonly organizationId: string;
  readonly trigger: IssueTrigger;
  readonly projects: readonly Project[];
  readonly environment: string;
  readonly root: Reduced | undefined;
  readonly fromMs: number;
  readonly nowMs: number;
  readonly signal: AbortSignal;
  onProgress(share: number): void;
}

export interface IssueSpark extends Spark {
  readonly issueId: number;
  /** Index of the condition, where it counts something. */
  readonly measured: number | undefined;
}

const dayMs = 86_400_000;
const maxActivity = 20_000;
const maxRows = 50_000;
const maxSeconds = 20;
/** An issue may own several hashes; sums over more than so many may be missed. */
const hashesOfIssue = 3;

export async function issueSparks(
  stores: AlertStores,
  request: IssuePreviewRequest,
): Promise<{ sparks: IssueSpark[]; issues: ReadonlyMap<number, IssueRow> }> {
  const { trigger, nowMs, signal } = request;
  const measuring = trigger.conditions.filter((one) => thresholdOf(one) !== undefined).length;
  const each: IssueSpark[][] = [];
  let done = 0;
  for (const [index, condition] of trigger.conditions.entries()) {
    if (thresholdOf(condition) === undefined) each.push(await happenedSparks(stores, request, condition));
    else {
      const share = (part: number): void => request.onProgress((done + part) / measuring);
      each.push(await measuredSparks(stores, request, condition, index, share));
      done += 1;
    }
  }
  const issueIds = [...new Set(each.flatMap((ones) => ones.map((one) => one.issueId)))];
  const issues = await issuesById(stores.state, issueIds);
  let passing = new Set(issues.keys());
  if (request.root !== undefined || request.environment) {
    const question = {
      issues: [...issues.values()],
      root: request.root,
      projects: request.projects,
      environments: request.environment ? [request.environment] : [],
      sinceMs: request.fromMs,
      nowMs,
      users: false,
    };
    const [found] = await countMatching(stores, [question], { signal, maxSeconds });
    passing = new Set(found?.keys());
  }
  const kept = each.map((ones) => ones.filter((one) => passing.has(one.issueId)));
  return { sparks: trigger.match === 'any' ? unique(kept.flat()) : together(trigger, kept), issues };
}

/** Two conditions may be about the same entry. */
const unique = (sparks: readonly IssueSpark[]): IssueSpark[] => [
  ...new Map(sparks.map((one) => [`${one.issueId}:${one.at}:${one.measured ?? ''}`, one])).values(),
];

/** At each time at which one of the conditions came true: whether the others hold then. */
function together(trigger: IssueTrigger, each: readonly (readonly IssueSpark[])[]): IssueSpark[] {
  const memoryMs = memoryOf(trigger);
  const byIssue = each.map((ones) => Map.groupBy(ones, (one) => one.issueId));
  const [first] = byIssue;
  const sparks: IssueSpark[] = [];
  for (const issueId of first?.keys() ?? []) {
    const own = byIssue.map((ones) => ones.get(issueId) ?? []);
    if (own.some((ones) => !ones.length)) continue;
    const seen = new Set<string>();
    for (const spark of own.flat().toSorted((a, b) => a.at - b.at)) {
      const held = own.map((ones, index) => {
        const condition = trigger.conditions[index];
        const reachMs = condition && 'minutes' in condition ? condition.minutes * 60_000 : memoryMs;
        return ones.findLast((one) => one.at <= spark.at && spark.at - one.at <= reachMs);
      });
      if (held.some((one) => one === undefined)) continue;
      const happened = held.filter((one) => one?.measured === undefined).map((one) => one?.at);
      const key = happened.join();
      if (happened.length && seen.has(key)) continue;
      seen.add(key);
      const value = held.find((one) => one?.measured !== undefined);
      sparks.push({ ...(value ?? spark), at: spark.at, why: held.map((one) => one?.why).join('; ') });
    }
  }
  return sparks;
}

async function happenedSparks(
  stores: AlertStores,
  { organizationId, projects, fromMs, nowMs, signal }: IssuePreviewRequest,
  condition: Condition,
): Promise<IssueSpark[]> {
  const trigger: IssueTrigger = { match: 'any', conditions: [condition] };
  const ids = projects.map(({ id }) => id);
  if (isHappeningType(condition.type)) {
    const activity = await readActivity(stores.state, {
      projectIds: ids,
      types: happeningActivities,
      sinceMs: fromMs,
      untilMs: nowMs,
      anyStatus: true,
      limit: maxActivity,
    });
    return activity.flatMap((one) => {
      const happening = { id: one.id, types: typesOf(one.type, one.data), at: one.at };
      const facts = {
        issueId: one.issueId,
        happenings: [happening],
        sightings: [],
        measured: new Map<number, number>(),
        lastFiring: 0,
      };
      return judge(trigger, facts).map(({ why }) => ({
        at: one.at,
        issueId: one.issueId,
        why,
        value: null,
        measured: undefined,
      }));
    });
  }
  if (condition.type !== 'watched_digest' || !ids.length) return [];
  if (condition.digest === null) {
    const found = await foundSince(stores.state, organizationId, fromMs);
    return found.map(({ issueId, digest, at }) => ({
      at,
      issueId,
      why: reasons.watchedDigest(digest),
      value: null,
      measured: undefined,
    }));
  }
  const rows = await stores.events.query<{ project: number; hash: string; at: number }>(
    `SELECT project_id AS project, group_hash AS hash, toUnixTimestamp64Milli(min(timestamp)) AS at FROM errors
     WHERE project_id IN {projects:Array(UInt64)} AND digest = {digest:String} AND timestamp >= ${moment('from')}
     GROUP BY project, hash, intDiv(toUnixTimestamp64Milli(timestamp), 60000) ORDER BY at LIMIT {most:UInt32}`,
    { projects: ids, digest: condition.digest, from: fromMs, most: maxRows },
    { signal, maxExecutionSeconds: maxSeconds },
  );
  const owners = await ownersOf(stores, rows);
  return rows.flatMap((row) => {
    const issueId = owners.get(`${row.project}:${row.hash}`);
    const why = reasons.digest(condition.digest ?? '');
    return issueId === undefined ? [] : [{ at: row.at, issueId, why, value: null, measured: undefined }];
  });
}

/** Windows that begin a quarter of their length apart, a day of events at a time. */
async function measuredSparks(
  stores: AlertStores,
  request: IssuePreviewRequest,
  condition: Condition,
  index: number,
  onShare: (share: number) => void,
): Promise<IssueSpark[]> {
  const threshold = thresholdOf(condition);
  const { projects, environment, root, fromMs, nowMs, signal } = request;
  if (threshold === undefined || !('minutes' in condition) || !projects.length) return [];
  const windowMs = condition.minutes * 60_000;
  const stepMs = Math.max(60_000, windowMs / 4);
  const sessions = condition.type === 'session_share' ? await sessionsAWindow(stores, request, windowMs) : 0;
  if (condition.type === 'session_share' && sessions < 1) return [];
  // In events or users.
  const least = condition.type === 'session_share' ? (threshold / 100) * sessions : threshold;
  const plan = planSearch(root, projects, nowMs);
  const ids = plan.filter.projects.map(({ id }) => id);
  if (!ids.length) return [];
  const scope = where(
    inProjects(ids),
    inEnvironments(environment ? [environment] : []),
    rowConditions(plan.rows, { projectIds: ids, fromMs, nowMs, projects }),
  );
  // Of users none is left out.
  const isEstimate =
    condition.type !== 'user_frequency' &&
    projects.some(({ sampledUntil }) => (sampledUntil ?? -1) >= fromMs - windowMs);
  const spreadColumns = isEstimate ? `, ${partSpread()}` : '';
  const sums = new Map<string, { issueId: number; at: number; value: number; spread: PartSpread }>();
  const days = Math.ceil((nowMs - fromMs) / dayMs);
  for (let day = 0; day < days; day += 1) {
    signal.throwIfAborted();
    onShare(day / days);
    const [startMs, endMs] = [fromMs + day * dayMs, Math.min(nowMs, fromMs + (day + 1) * dayMs)];
    const firstMs = Math.floor((startMs - windowMs) / stepMs) * stepMs;
    const rows = await stores.events.query<
      { project: number; hash: string; slot: number; n: number } & Partial<PartSpread>
    >(
      `SELECT project_id AS project, group_hash AS hash,
         intDiv(toUnixTimestamp64Milli(timestamp) - {first:Int64}, {step:Int64}) - arrayJoin(range({overlap:UInt32})) AS slot,
         ${condition.type === 'user_frequency' ? usersCount() : eventsCount} AS n${spreadColumns}
       FROM errors WHERE ${scope.sql} AND timestamp >= ${moment('start')} AND timestamp < ${moment('end')}
       GROUP BY project, hash, slot HAVING n >= {least:Float64} ORDER BY n DESC LIMIT {most:UInt32}`,
      {
        ...scope.params,
        first: firstMs,
        step: stepMs,
        overlap: Math.max(1, Math.round(windowMs / stepMs)),
        start: startMs - windowMs,
        end: endMs,
        least: least / hashesOfIssue,
        most: maxRows,
      },
      { signal, maxExecutionSeconds: maxSeconds },
    );
    const owners = await ownersOf(stores, rows);
    for (const { project, hash, slot, n, ...part } of rows) {
      const issueId = owners.get(`${project}:${hash}`);
      const at = firstMs + slot * stepMs + windowMs;
      if (issueId === undefined || at < startMs || at >= endMs) continue;
      const key = `${issueId}:${at}`;
      const before = sums.get(key);
      const spread = plusSpread(before?.spread ?? noSpread, { ...noSpread, ...part });
      sums.set(key, { issueId, at, value: (before?.value ?? 0) + n, spread });
    }
  }
  const valueOf = (n: number): number => (condition.type === 'session_share' ? (n / sessions) * 100 : n);
  return [...sums.values()]
    .filter((one) => one.value >= least)
    .map(({ issueId, at, value, spread }) => {
      const sure = estimateOfPart(value, spread);
      const estimate = sure && { low: valueOf(sure.low), high: valueOf(sure.high) };
      const why = measuredText(condition, valueOf(value), estimate);
      return { issueId, at, value: valueOf(value), estimate, why, measured: index };
    });
}

/** On average. */
async function sessionsAWindow(stores: AlertStores, request: IssuePreviewRequest, windowMs: number): Promise<number> {
  const { projects, environment, fromMs, nowMs } = request;
  const { sessions } = await sessionCounts(stores.events, {
    projectIds: projects.map(({ id }) => id),
    environment,
    fromMs,
    untilMs: nowMs,
  });
  return (sessions * windowMs) / (nowMs - fromMs);
}

async function ownersOf(
  { state }: AlertStores,
  rows: readonly { readonly project: number; readonly hash: string }[],
): Promise<Map<string, number>> {
  const owners = new Map<string, number>();
  for (const [project, ones] of Map.groupBy(rows, (row) => row.project)) {
    const found = await ownersOfHashes(
      state,
      project,
      ones.map((one) => one.hash),
    );
    for (const [hash, id] of found) owners.set(`${project}:${hash}`, id);
  }
  return owners;
}
