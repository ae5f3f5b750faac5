/** Rules for which something that happened to an issue is enough. */
import { foundSince } from '../../find/index.ts';
import { countMatching, issuesById, type MatchQuestion, readActivity } from '../../issues/index.ts';
import type { AlertStores } from '../stores.ts';
import type { Condition, IssueRule } from '../types.ts';
import {
  type Cause,
  type DigestSighting,
  type Happening,
  happeningActivities,
  isHappeningType,
  judge,
  thresholdOf,
  typesOf,
} from './judge.ts';
import {
  filterOf,
  isFiltered,
  type IssueFinding,
  lateMs,
  type LookRequest,
  maxActivity,
  maxSeconds,
  rememberedHappenings,
  watches,
} from './look.ts';

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
