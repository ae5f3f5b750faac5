/** Rules about how often issues are seen, and about digests by name. */
import { activeIssues, type IssueRow, issuesById, ownersOfHashes } from '../../issues/index.ts';
import type { AlertStores } from '../stores.ts';
import type { IssueRule } from '../types.ts';
import { exactCounts, plainCounts } from './counts.ts';
import { importedInto } from './imported.ts';
import { type DigestSighting, judge, thresholdOf } from './judge.ts';
import { type IssueFinding, lateMs, type LookRequest, maxSeconds, rememberedHappenings, watches } from './look.ts';

/** At most so many issues are counted in one look: those that were seen last. */
const maxActive = 4_000;

export async function measuredLately(stores: AlertStores, request: LookRequest): Promise<IssueFinding[]> {
  const { rules, nowMs } = request;
  const counting = rules.filter((rule) => watches(rule, (one) => thresholdOf(one) !== undefined));
  const named = rules.filter((rule) => watches(rule, (one) => one.type === 'watched_digest' && one.digest !== null));
  const projectIds = [
    ...new Set([...counting, ...named].flatMap((rule) => request.projectsOf(rule).map(({ id }) => id))),
  ];
  if (!projectIds.length) return [];
  const sinceMs = nowMs - lateMs;
  const issues = counting.length ? await activeIssues(stores.state, projectIds, sinceMs, maxActive) : [];
  const plain = await plainCounts(stores, request, counting, issues);
  const sightings = await digestSightings(stores, request, named, projectIds);
  const exact = await exactCounts(stores, request, counting, issues, plain);
  const touched = new Map<number, Pick<IssueRow, 'id' | 'projectId'>>(issues.map((issue) => [issue.id, issue]));
  for (const issue of sightings.issues) touched.set(issue.id, issue);
  const concerned = [...new Set([...counting, ...named])];
  const pairs: {
    rule: IssueRule;
    issue: Pick<IssueRow, 'id' | 'projectId'>;
    measured: Map<number, number>;
    seen: DigestSighting[];
  }[] = [];
  for (const rule of concerned) {
    const watched = new Set(request.projectsOf(rule).map(({ id }) => id));
    for (const issue of touched.values()) {
      if (!watched.has(issue.projectId)) continue;
      const measured = exact.get(rule)?.get(issue.id) ?? new Map<number, number>();
      const seen = sightings.of(issue.id).filter((one) => rule.createdAt <= one.at);
      if (measured.size || seen.length) pairs.push({ rule, issue, measured, seen });
    }
  }
  if (!pairs.length) return [];
  const last = await lastFirings(
    stores,
    pairs.map(({ rule, issue }) => [rule.id, issue.id]),
  );
  const remembered = await rememberedHappenings(stores, request, pairs);
  return pairs.flatMap(({ rule, issue, measured, seen }) => {
    const before = last.get(`${rule.id}:${issue.id}`);
    const facts = {
      issueId: issue.id,
      happenings: rule.trigger.match === 'all' ? (remembered.get(`${rule.id}:${issue.id}`) ?? []) : [],
      sightings: seen,
      measured,
      lastFiring: before?.id ?? 0,
    };
    return judge(rule.trigger, facts)
      .filter((cause) => cause.isHappening || !isThrottled(rule, before, nowMs))
      .map((cause) => ({ rule, issueId: issue.id, cause }));
  });
}

interface LastFiring {
  readonly id: number;
  readonly at: number;
}

/** Without a throttle, what still holds would be told at each look. */
const leastApartMs = 60_000;

const isThrottled = (rule: IssueRule, before: LastFiring | undefined, nowMs: number): boolean =>
  before !== undefined && nowMs - before.at < Math.max(leastApartMs, rule.throttleMinutes * 60_000);

/** Events with digests that rules name, of the last minute or so. */
async function digestSightings(
  stores: AlertStores,
  { nowMs, signal, projectsOf }: LookRequest,
  rules: readonly IssueRule[],
  projectIds: readonly number[],
): Promise<{ issues: readonly Pick<IssueRow, 'id' | 'projectId'>[]; of(issueId: number): readonly DigestSighting[] }> {
  const digests = [
    ...new Set(
      rules.flatMap((rule) =>
        rule.trigger.conditions.flatMap((one) =>
          one.type === 'watched_digest' && one.digest !== null ? one.digest : [],
        ),
      ),
    ),
  ];
  const byIssue = new Map<number, DigestSighting[]>();
  if (!digests.length) return { issues: [], of: () => [] };
  const rows = await stores.events.query<{ project: number; digest: string; hash: string; at: number; last: number }>(
    `SELECT project_id AS project, digest, group_hash AS hash, toUnixTimestamp64Milli(max(received_at)) AS at,
       toUnixTimestamp64Milli(max(timestamp)) AS last
     FROM errors WHERE project_id IN {projects:Array(UInt64)} AND digest IN {digests:Array(String)}
       AND timestamp >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
     GROUP BY project, digest, hash`,
    { projects: projectIds, digests, since: nowMs - lateMs },
    { signal, maxExecutionSeconds: maxSeconds },
  );
  const imported = importedInto(rules, projectsOf);
  const issues = new Map<number, Pick<IssueRow, 'id' | 'projectId'>>();
  for (const [projectId, ones] of Map.groupBy(rows, (row) => row.project)) {
    const owners = await ownersOfHashes(
      stores.state,
      projectId,
      ones.map((one) => one.hash),
    );
    const known = await issuesById(stores.state, [...new Set(owners.values())]);
    for (const { hash, digest, at, last } of ones) {
      if (last <= (imported.get(projectId) ?? 0)) continue;
      const issue = known.get(owners.get(hash) ?? 0);
      if (!issue || issue.status !== 'unresolved') continue;
      issues.set(issue.id, issue);
      byIssue.set(issue.id, [...(byIssue.get(issue.id) ?? []), { digest, watchId: undefined, at }]);
    }
  }
  return { issues: [...issues.values()], of: (issueId) => byIssue.get(issueId) ?? [] };
}

/** By rule and issue, of those that were told or are about to be. */
async function lastFirings(
  { state }: Pick<AlertStores, 'state'>,
  pairs: readonly (readonly [ruleId: number, issueId: number])[],
): Promise<ReadonlyMap<string, LastFiring>> {
  const issueIds = [...new Set(pairs.map(([, issueId]) => issueId))];
  const ruleIds = [...new Set(pairs.map(([ruleId]) => ruleId))];
  const found = new Map<string, LastFiring>();
  for (let from = 0; from < issueIds.length; from += 500) {
    const rows = await state.db
      .selectFrom('alert_firing')
      .select((eb) => ['rule_id', 'issue_id', eb.fn.max('id').as('id'), eb.fn.max('at').as('at')])
      .where('issue_id', 'in', issueIds.slice(from, from + 500))
      .where('rule_id', 'in', ruleIds.slice(0, 2_000))
      .where('state', '!=', 'throttled')
      .groupBy(['rule_id', 'issue_id'])
      .execute();
    for (const row of rows) found.set(`${row.rule_id}:${row.issue_id}`, { id: Number(row.id), at: Number(row.at) });
  }
  return found;
}
