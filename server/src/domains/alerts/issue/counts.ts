/** How often issues were seen in the windows of rules, asked of the events store only where a threshold can be reached. */
import { sessionCounts } from '../../sessions/index.ts';
import { countSinceDay, type IssueRow, type MatchCounts, type MatchQuestion } from '../../issues/index.ts';
import type { AlertStores } from '../stores.ts';
import type { Condition, IssueRule } from '../types.ts';
import { countNews, importedInto } from './imported.ts';
import { thresholdOf } from './judge.ts';
import { filterOf, isFiltered, type LookRequest, maxSeconds } from './look.ts';

/**
 * Without filters and environments: no rule finds more. By minutes of the window; where no rule that goes by them alone can
 * hold, what they are at most.
 */
export async function plainCounts(
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
  const answers = await countNews(stores, questions, importedInto(rules, projectsOf), { signal, maxSeconds });
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
export async function exactCounts(
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
  const answers = await countNews(
    stores,
    asked.map(({ question }) => question),
    importedInto(rules, request.projectsOf),
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
