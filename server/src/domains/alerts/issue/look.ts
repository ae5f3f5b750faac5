/** One look at the issues of an organisation: what happened to them, how often they are seen, and which rules that concerns. */
import { foundSince } from '../../find/index.ts';
import { sessionCounts } from '../../sessions/index.ts';
import {
  activeIssues,
  countMatching,
  countSinceDay,
  type IssueRow,
  issuesById,
  type MatchCounts,
  type MatchQuestion,
  ownersOfHashes,
  readActivity,
  type Reduced,
} from '../../issues/index.ts';
import type { Project } from '../../projects/index.ts';
import type { AlertStores } from '../stores.ts';
import type { Condition, IssueRule } from '../types.ts';
import {
  type Cause,
  type DigestSighting,
  type Happening,
  happeningActivities,
  isHappeningType,
  judge,
  memoryOf,
  thresholdOf,
  typesOf,
} from './judge.ts';
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

/** At most so many issues are counted in one look: those that were seen last. */
const maxActive = 4_000;
const maxActivity = 5_000;
/** An event may be dated before it was received. */
const lateMs = 60_000;
const maxSeconds = 10;

const watches = (rule: IssueRule, is: (condition: Condition) => boolean): boolean => rule.trigger.conditions.some(is);

/** Rules for which something that happened is enough, or all that there is to look for. */
const goesByHappenings = ({ trigger: { match, conditions } }: IssueRule): boolean =>
  conditions.some((one) => isHappeningType(one.type) || isWatch(one)) &&
  (match === 'any' || conditions.every((one) => thresholdOf(one) === undefined));

const isWatch = (condition: Condition): boolean => condition.type === 'watched_digest' && condition.digest === null;

/** Rules for which something that happened is enough. What was looked at counts once `memory.written` says so. */
export async function happenedLately(stores: AlertStores, request: LookRequest): Promise<IssueFinding[]> {
  const { rules, nowMs, sinceMs, memory, organizationId } = request;
  const concerned = rules.filter(goesByHappenings);
  if (!concerned.length) return [];
  const projectIds = [...new Set(concerned.flatMap((rule) => request.projectsOf(rule).map(({ id }) => id)))];
  const activity = await readActivity(stores.state, {
    projectIds,
    types: happeningActivities,
    sinceMs,
    limit: maxActivity,
  });
  const fresh = activity.filter((one) => !memory.isJudged(one.id));
  const sightings = concerned.some((rule) => watches(rule, isWatch))
    ? await foundSince(stores.state, organizationId, sinceMs)
    : [];
  const seen = sightings.filter((one) => !memory.isJudged(`watch:${one.id}`));
  const watched = await issuesById(
    stores.state,
    seen.map((one) => one.issueId),
  );
  const candidates = new Map<number, Candidate>();
  const candidateOf = (id: number, projectId: number): Candidate => {
    const known = candidates.get(id) ?? { id, projectId, happenings: [], sightings: [], lastSeen: nowMs };
    candidates.set(id, known);
    return known;
  };
  for (const one of fresh) {
    const candidate = candidateOf(one.issueId, one.projectId);
    candidate.happenings.push({ id: one.id, types: typesOf(one.type, one.data), at: one.at });
    candidate.lastSeen = Math.min(candidate.lastSeen, one.lastSeen);
  }
  for (const { id, digest, issueId, at } of seen) {
    const issue = watched.get(issueId);
    if (!issue || issue.status !== 'unresolved') continue;
    candidateOf(issueId, issue.projectId).sightings.push({ digest, watchId: id, at });
  }
  const pairs = concerned.flatMap((rule) => {
    const own = new Set(request.projectsOf(rule).map(({ id }) => id));
    return [...candidates.values()].filter((one) => own.has(one.projectId)).map((issue) => ({ rule, issue }));
  });
  const remembered = await rememberedHappenings(stores, request, pairs);
  const wanted = pairs.flatMap(({ rule, issue: candidate }): Wanted[] => {
    // What happened before there was the rule is not news to it.
    const isNews = ({ at }: { readonly at: number }): boolean => at >= rule.createdAt;
    const causes = judge(rule.trigger, {
      issueId: candidate.id,
      happenings: remembered.get(`${rule.id}:${candidate.id}`) ?? candidate.happenings.filter(isNews),
      sightings: candidate.sightings.filter(isNews),
      measured: new Map(),
      lastFiring: 0,
    });
    return causes.map((cause) => ({ rule, candidate, cause }));
  });
  const found = await thatFit(stores, request, wanted);
  // An event may be stored a moment after what it did to its issue; until then a filter cannot be asked of it.
  const waiting = new Set(found.waiting.map((one) => one.candidate));
  for (const candidate of candidates.values()) {
    if (waiting.has(candidate)) continue;
    for (const one of candidate.happenings) memory.noteJudged(one.id, nowMs);
    for (const { watchId } of candidate.sightings) memory.noteJudged(`watch:${watchId}`, nowMs);
  }
  return found.fitting.map(({ rule, candidate, cause }) => ({ rule, issueId: candidate.id, cause }));
}

interface Candidate {
  readonly id: number;
  readonly projectId: number;
  readonly happenings: Happening[];
  readonly sightings: DigestSighting[];
  lastSeen: number;
}

interface Wanted {
  readonly rule: IssueRule;
  readonly candidate: Candidate;
  readonly cause: Cause;
}

/** So long an event that is not stored yet may still come, and one after others that are. */
const giveUpAfterMs = 45_000;
const settledAfterMs = 5_000;

async function thatFit(
  stores: AlertStores,
  request: LookRequest,
  wanted: readonly Wanted[],
): Promise<{ fitting: readonly Wanted[]; waiting: readonly Wanted[] }> {
  const { nowMs, memory } = request;
  const plain = wanted.filter(({ rule }) => !isFiltered(rule));
  const filtered = wanted.filter(({ rule }) => isFiltered(rule));
  const due = filtered.filter((one) => memory.isDue(keyOf(one), nowMs));
  const groups = [...Map.groupBy(due, (one) => one.rule)];
  const questions = await Promise.all(
    groups.map(async ([rule, ones]): Promise<MatchQuestion> => {
      const times = ones.map(({ candidate, cause }) => Math.min(candidate.lastSeen, cause.at ?? nowMs));
      return {
        issues: [...new Map(ones.map(({ candidate }) => [candidate.id, candidate])).values()],
        ...(await filterOf(request, rule)),
        // An event around that moment has to fit, at least the newest one.
        sinceMs: wholeMinute(Math.min(...times) - lateMs),
        nowMs,
        users: false,
      };
    }),
  );
  // Whether an issue has any event by now.
  questions.push({
    issues: [...new Map(due.map(({ candidate }) => [candidate.id, candidate])).values()],
    root: undefined,
    projects: [],
    environments: [],
    sinceMs: Math.min(nowMs, ...questions.map((one) => one.sinceMs)),
    nowMs,
    users: false,
  });
  const answers = due.length ? await countMatching(stores, questions, { signal: request.signal, maxSeconds }) : [];
  const stored = answers.at(-1);
  const fitting = [...plain];
  const waiting: Wanted[] = filtered.filter((one) => !due.includes(one));
  for (const [index, [, ones]] of groups.entries()) {
    for (const one of ones) {
      if (answers[index]?.has(one.candidate.id)) {
        fitting.push(one);
        memory.forget(keyOf(one));
      } else if (mayStillCome(one, stored?.has(one.candidate.id) ?? false, nowMs)) {
        memory.tryLater(keyOf(one), nowMs);
        waiting.push(one);
      }
    }
  }
  return { fitting, waiting };
}

/** Questions about the same stretch of events share one reading of it. */
const wholeMinute = (ms: number): number => Math.floor(ms / 60_000) * 60_000;

/** What made an issue come back may follow events that it had shortly before. */
function mayStillCome({ candidate, cause }: Wanted, isStored: boolean, nowMs: number): boolean {
  const isNew = candidate.happenings.some((one) => one.types.includes('new_issue'));
  return nowMs - (cause.at ?? nowMs) < (isStored ? (isNew ? 0 : settledAfterMs) : giveUpAfterMs);
}

const keyOf = ({ rule, candidate, cause }: Wanted): string =>
  `${rule.id}:${rule.version}:${candidate.id}:${cause.cause}`;

const isFiltered = (rule: IssueRule): boolean => rule.query.trim() !== '' || rule.environment !== '';

async function filterOf(
  request: LookRequest,
  rule: IssueRule,
): Promise<Pick<MatchQuestion, 'root' | 'projects' | 'environments'>> {
  return {
    root: await request.searchOf(rule),
    projects: request.projectsOf(rule),
    environments: rule.environment ? [rule.environment] : [],
  };
}

/** Rules about how often issues are seen, and about digests by name. */
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

export interface LastFiring {
  readonly id: number;
  readonly at: number;
}

/** Without a throttle, what still holds would be told at each look. */
const leastApartMs = 60_000;

const isThrottled = (rule: IssueRule, before: LastFiring | undefined, nowMs: number): boolean =>
  before !== undefined && nowMs - before.at < Math.max(leastApartMs, rule.throttleMinutes * 60_000);

/**
 * Without filters and environments: no rule finds more. By minutes of the window; where no rule that goes by them alone can
 * hold, what they are at most.
 */
async function plainCounts(
  stores: AlertStores,
  { memory, nowMs, signal, projectsOf }: LookRequest,
  rules: readonly IssueRule[],
  issues: readonly IssueRow[],
): Promise<ReadonlyMap<number, ReadonlyMap<number, MatchCounts>>> {
  const windows = windowsOf(rules, projectsOf);
  if (!issues.length || !windows.size) return new Map();
  const { reach } = memory;
  const firstMs = nowMs - Math.max(...windows.keys()) * 60_000;
  const totals = await countSinceDay(stores, issues, firstMs, { signal, maxSeconds });
  reach.begin({ firstDay: Math.floor(firstMs / 86_400_000), totals, nowMs });
  const asked = [...windows].map(([minutes, { users, least }]) => {
    const uncertain = issues.filter(({ id, projectId }) => {
      const { plain, filtered } = least.get(projectId) ?? unwatched;
      const [events, persons] = [`events:${minutes}:${id}`, `users:${minutes}:${id}`];
      const most = { events: reach.most(events, id), users: users ? reach.most(persons, id) : 0 };
      if (isReached(plain, most)) return true;
      return isReached(filtered, most) && !(reach.isKnown(events, id) && (!users || reach.isKnown(persons, id)));
    });
    return { minutes, users, uncertain };
  });
  const questions = asked.map(({ minutes, users, uncertain }): MatchQuestion => ({
    issues: uncertain,
    root: undefined,
    projects: [],
    environments: [],
    sinceMs: nowMs - minutes * 60_000,
    nowMs,
    users,
  }));
  const answers = await countMatching(stores, questions, { signal, maxSeconds });
  for (const [index, { minutes, users, uncertain }] of asked.entries()) {
    for (const { id } of uncertain) {
      const { count, userCount } = answers[index]?.get(id) ?? none;
      reach.note(`events:${minutes}:${id}`, id, count);
      if (users) reach.note(`users:${minutes}:${id}`, id, userCount);
    }
  }
  return new Map(
    asked.map(({ minutes, users }) => [
      minutes,
      new Map(
        issues.map(({ id }) => [
          id,
          {
            count: reach.most(`events:${minutes}:${id}`, id),
            userCount: users ? reach.most(`users:${minutes}:${id}`, id) : 0,
          },
        ]),
      ),
    ]),
  );
}

/** The lowest numbers that matter; a share of sessions may be reached by any number of events. */
interface Least {
  readonly events: number;
  readonly users: number;
}

const unreachable: Least = { events: Infinity, users: Infinity };
const unwatched = { plain: unreachable, filtered: unreachable };

const isReached = (least: Least, most: Least): boolean => most.events >= least.events || most.users >= least.users;

interface CountedWindow {
  /** Whether a rule counts users in it. */
  readonly users: boolean;
  /** By project: of rules that go by plain counts, and of those with a filter. */
  readonly least: ReadonlyMap<number, { readonly plain: Least; readonly filtered: Least }>;
}

/** By minutes. */
function windowsOf(
  rules: readonly IssueRule[],
  projectsOf: LookRequest['projectsOf'],
): ReadonlyMap<number, CountedWindow> {
  const windows = new Map<number, { users: boolean; least: Map<number, { plain: Least; filtered: Least }> }>();
  for (const rule of rules) {
    const kind = isFiltered(rule) ? 'filtered' : 'plain';
    const projects = projectsOf(rule);
    for (const condition of rule.trigger.conditions) {
      const threshold = thresholdOf(condition);
      if (threshold === undefined || !('minutes' in condition)) continue;
      const ofUsers = condition.type === 'user_frequency';
      const events = condition.type === 'session_share' ? 0 : threshold;
      const window = windows.get(condition.minutes) ?? { users: false, least: new Map() };
      windows.set(condition.minutes, window);
      window.users ||= ofUsers;
      for (const { id } of projects) {
        const known = window.least.get(id) ?? unwatched;
        const { events: fewestEvents, users: fewestUsers } = known[kind];
        const least = ofUsers
          ? { events: fewestEvents, users: Math.min(fewestUsers, threshold) }
          : { events: Math.min(fewestEvents, events), users: fewestUsers };
        window.least.set(id, { ...known, [kind]: least });
      }
    }
  }
  return windows;
}

type Measured = Map<number, Map<number, number>>;

/** Of each rule and issue the conditions that hold, by index. */
async function exactCounts(
  stores: AlertStores,
  request: LookRequest,
  rules: readonly IssueRule[],
  issues: readonly IssueRow[],
  plain: ReadonlyMap<number, ReadonlyMap<number, MatchCounts>>,
): Promise<ReadonlyMap<IssueRule, Measured>> {
  const { nowMs, memory, signal } = request;
  const found = new Map<IssueRule, Measured>();
  const note = (rule: IssueRule, issueId: number, index: number, value: number): void => {
    const ofRule = found.get(rule) ?? new Map<number, Map<number, number>>();
    const ofIssue = ofRule.get(issueId) ?? new Map<number, number>();
    found.set(rule, ofRule.set(issueId, ofIssue.set(index, value)));
  };
  const asked: { rule: IssueRule; index: number; question: MatchQuestion; sessions: number }[] = [];
  for (const rule of rules) {
    const projects = request.projectsOf(rule);
    const watched = new Set(projects.map(({ id }) => id));
    for (const [index, condition] of rule.trigger.conditions.entries()) {
      const threshold = thresholdOf(condition);
      if (threshold === undefined || !('minutes' in condition)) continue;
      const counts = plain.get(condition.minutes);
      const sessions =
        condition.type === 'session_share' ? await sessionsOf(stores, request, rule, condition.minutes) : 0;
      // Too few to say anything about a share.
      if (condition.type === 'session_share' && sessions < leastSessions) continue;
      const over = issues.filter((issue) => {
        const own = watched.has(issue.projectId) ? counts?.get(issue.id) : undefined;
        return own !== undefined && valueOf(condition, own, sessions) >= threshold;
      });
      if (!isFiltered(rule)) {
        for (const issue of over)
          note(rule, issue.id, index, valueOf(condition, counts?.get(issue.id) ?? none, sessions));
        continue;
      }
      const due = over.filter(({ id }) => {
        const key = `${rule.id}:${rule.version}:${index}:${id}`;
        if (memory.isDeclined(key, nowMs)) return false;
        return condition.type === 'session_share' || memory.reach.most(key, id) >= threshold;
      });
      if (!due.length) continue;
      const question = {
        issues: due,
        ...(await filterOf(request, rule)),
        sinceMs: nowMs - condition.minutes * 60_000,
        nowMs,
        users: condition.type === 'user_frequency',
      };
      asked.push({ rule, index, question, sessions });
    }
  }
  const answers = await countMatching(
    stores,
    asked.map(({ question }) => question),
    { signal, maxSeconds },
  );
  for (const [at, { rule, index, question, sessions }] of asked.entries()) {
    const condition = rule.trigger.conditions[index];
    if (!condition || !('minutes' in condition)) continue;
    for (const { id } of question.issues) {
      const value = valueOf(condition, answers[at]?.get(id) ?? none, sessions);
      const key = `${rule.id}:${rule.version}:${index}:${id}`;
      if (value >= (thresholdOf(condition) ?? Infinity)) note(rule, id, index, value);
      else memory.decline(key, nowMs, condition.minutes * 60_000);
      if (condition.type !== 'session_share') memory.reach.note(key, id, value);
    }
  }
  return found;
}

const none: MatchCounts = { count: 0, userCount: 0 };
const leastSessions = 50;

function valueOf(condition: Condition, { count, userCount }: MatchCounts, sessions: number): number {
  if (condition.type === 'user_frequency') return userCount;
  return condition.type === 'session_share' ? (count / sessions) * 100 : count;
}

async function sessionsOf(
  stores: AlertStores,
  { nowMs, ...request }: LookRequest,
  rule: IssueRule,
  minutes: number,
): Promise<number> {
  const { sessions } = await sessionCounts(stores.events, {
    projectIds: request.projectsOf(rule).map(({ id }) => id),
    environment: rule.environment,
    fromMs: nowMs - minutes * 60_000,
    untilMs: nowMs,
  });
  return sessions;
}

/** Events with digests that rules name, of the last minute or so. */
async function digestSightings(
  stores: AlertStores,
  { nowMs, signal }: LookRequest,
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
  const rows = await stores.events.query<{ project: number; digest: string; hash: string; at: number }>(
    `SELECT project_id AS project, digest, group_hash AS hash, toUnixTimestamp64Milli(max(received_at)) AS at
     FROM errors WHERE project_id IN {projects:Array(UInt64)} AND digest IN {digests:Array(String)}
       AND timestamp >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
     GROUP BY project, digest, hash`,
    { projects: projectIds, digests, since: nowMs - lateMs },
    { signal, maxExecutionSeconds: maxSeconds },
  );
  const issues = new Map<number, Pick<IssueRow, 'id' | 'projectId'>>();
  for (const [projectId, ones] of Map.groupBy(rows, (row) => row.project)) {
    const owners = await ownersOfHashes(
      stores.state,
      projectId,
      ones.map((one) => one.hash),
    );
    const known = await issuesById(stores.state, [...new Set(owners.values())]);
    for (const { hash, digest, at } of ones) {
      const issue = known.get(owners.get(hash) ?? 0);
      if (!issue || issue.status !== 'unresolved') continue;
      issues.set(issue.id, issue);
      byIssue.set(issue.id, [...(byIssue.get(issue.id) ?? []), { digest, watchId: undefined, at }]);
    }
  }
  return { issues: [...issues.values()], of: (issueId) => byIssue.get(issueId) ?? [] };
}

/** By rule and issue, of those that were told or are about to be. */
export async function lastFirings(
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

/** What happened to issues for as long as rules that ask for all of their conditions remember it. */
async function rememberedHappenings(
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
