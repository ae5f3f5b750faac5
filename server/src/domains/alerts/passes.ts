/** One look at the rules of an organisation, by the node that has its lease. */
import type { Claimer } from '../../base/jobs/index.ts';
import type { Reduced } from '../issues/index.ts';
import { listProjects, type Project } from '../projects/index.ts';
import { happenedLately } from './issue/happened.ts';
import { measuredLately } from './issue/measured.ts';
import { createLookMemory, type LookMemory } from './issue/memory.ts';
import { issueSummaries } from './issue-summaries.ts';
import { type Lease, takeLease } from './lease.ts';
import { lookAtMetrics } from './metric/look.ts';
import type { WindowCache } from './metric/measure.ts';
import { resolveIncidents } from './resolve-incidents.ts';
import { listRules, statesOf } from './rules.ts';
import { projectsOf } from './scope.ts';
import { readSearches, type Searches } from './searches.ts';
import {
  decide,
  dueFlushes,
  dueMetrics,
  isHalfOver,
  isPlaceOld,
  mustAsk,
  readSince,
  type Standing,
} from './standing.ts';
import type { AlertStores } from './stores.ts';
import type { IssueRule, Rule, RuleState } from './types.ts';
import { type Outcome, writeOutcome, type Written } from './write.ts';

/** What looks at the same rules without waiting for each other: what happened, how often, and metrics. */
export const passes = ['happenings', 'counts', 'metrics'] as const;
export type Pass = (typeof passes)[number];

/** Of an organisation, between looks. */
export interface Memory {
  readonly look: LookMemory;
  readonly cache: WindowCache;
  readonly searches: Map<string, Promise<Reduced | undefined>>;
  standing: Standing;
  lease: Lease | undefined;
  /** Written down, ms since the epoch. */
  readUntil: number;
}

export const createMemory = (): Memory => ({
  look: createLookMemory(),
  cache: new Map(),
  searches: new Map(),
  standing: 'stranger',
  lease: undefined,
  readUntil: 0,
});

export interface LookRequest {
  readonly organizationId: string;
  readonly memory: Memory;
  readonly claimer: Claimer;
  readonly signal: AbortSignal;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

const lookTimeoutMs = 30_000;

interface Look extends LookRequest {
  readonly lease: Lease;
  readonly nowMs: number;
  /** Those that are on. */
  readonly rules: readonly Rule[];
  readonly states: ReadonlyMap<number, RuleState>;
  readonly projects: readonly Project[];
  projectsOf(rule: Rule): readonly Project[];
}

const nothing: Written = { firings: 0, messages: 0 };

/** Throws `LeaseLost` when another node has taken over meanwhile. */
export async function lookAt(stores: AlertStores, pass: Pass, request: LookRequest): Promise<Written> {
  const nowMs = Date.now();
  const lease = await heldLease(stores, request, nowMs);
  if (!lease) return nothing;
  const { organizationId } = request;
  const [all, projects, states] = await Promise.all([
    listRules(stores.state.db, organizationId),
    listProjects(stores.state, organizationId),
    statesOf(stores.state.db, organizationId),
  ]);
  const rules = all.filter((rule) => rule.enabled);
  const watched = new Map<Rule, readonly Project[]>(rules.map((rule) => [rule, projectsOf(rule, projects)]));
  const look: Look = {
    ...request,
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(lookTimeoutMs)]),
    lease,
    nowMs,
    rules,
    states,
    projects,
    projectsOf: (rule) => watched.get(rule) ?? [],
  };
  if (pass === 'metrics') return lookAtDueMetrics(stores, look);
  return pass === 'counts' ? lookAtCounts(stores, look) : lookAtHappenings(stores, look);
}

/** Asked for again when half of it is over. */
async function heldLease(
  { state }: AlertStores,
  { organizationId, memory, claimer }: LookRequest,
  nowMs: number,
): Promise<Lease | undefined> {
  const { lease } = memory;
  if (lease && isHalfOver(lease, claimer.leaseMs, nowMs)) memory.standing = decide(memory.standing, 'half_over');
  if (!mustAsk(memory.standing)) return lease;
  // Another node may have read further than this one remembers.
  memory.lease = await takeLease(state, organizationId, claimer, nowMs);
  memory.standing = decide(memory.standing, memory.lease ? 'taken' : 'refused');
  return memory.lease;
}

export function loseLease(memory: Memory): void {
  memory.standing = decide(memory.standing, 'lost');
  memory.lease = undefined;
}

async function lookAtDueMetrics(stores: AlertStores, look: Look): Promise<Written> {
  const { rules, states, nowMs, signal, memory } = look;
  const due = dueMetrics(rules, states, nowMs);
  if (!due.length) return nothing;
  const request = { rules: due, states, projectsOf: look.projectsOf, cache: memory.cache, nowMs, signal };
  const looks = await lookAtMetrics(stores, request);
  return looks.length ? write(stores, look, { looks }) : nothing;
}

async function lookAtCounts(stores: AlertStores, look: Look): Promise<Written> {
  look.memory.searches.clear();
  const searches = await searchesOf(stores, look);
  const findings = await measuredLately(stores, { ...issueRequest(look, searches), sinceMs: look.nowMs });
  const { problems } = searches;
  return findings.length || problems.length ? write(stores, look, { findings, problems }) : nothing;
}

async function lookAtHappenings(stores: AlertStores, look: Look): Promise<Written> {
  const { organizationId, memory, states, nowMs, lease, projects, baseUrl, claimer } = look;
  const searches = await searchesOf(stores, look);
  const sinceMs = readSince(lease, nowMs);
  const findings = await happenedLately(stores, { ...issueRequest(look, searches), sinceMs });
  const flushes = dueFlushes(searches.readable, await gatheringRules(stores, organizationId), states, nowMs);
  let written = nothing;
  if (findings.length || flushes.length || isPlaceOld(memory.readUntil, claimer.leaseMs, nowMs)) {
    written = await write(stores, look, { findings, flushes }, nowMs);
    memory.readUntil = nowMs;
  }
  const place = { organizationId, projects, sinceMs, nowMs, memory: memory.look, baseUrl };
  const ends = await resolveIncidents(stores.state, place);
  memory.look.written();
  memory.look.forgetBefore(nowMs);
  return { firings: written.firings, messages: written.messages + ends };
}

const searchesOf = (stores: AlertStores, look: Look): Promise<Searches> =>
  readSearches(stores, { ...look, known: look.memory.searches });

const issueRequest = (look: Look, { readable, of }: Searches) => ({
  organizationId: look.organizationId,
  rules: readable,
  projectsOf: look.projectsOf,
  searchOf: of,
  nowMs: look.nowMs,
  memory: look.memory.look,
  signal: look.signal,
});

/** `readUntil`: everything that happened before was looked at. */
async function write(
  stores: AlertStores,
  look: Look,
  found: Partial<Pick<Outcome, 'findings' | 'flushes' | 'looks' | 'problems'>>,
  readUntil?: number,
): Promise<Written> {
  const { organizationId, memory, claimer, lease, projects, signal, baseUrl } = look;
  const { findings = [], flushes = [], looks = [], problems = [] } = found;
  // A rule that has something to tell tells what it gathered with it.
  const telling = [...new Set([...flushes, ...findings.map((one) => one.rule)])];
  const gathered = telling.length ? await gatheredIssues(stores, organizationId, telling) : [];
  const asked = new Set([...findings.map((one) => one.issueId), ...gathered]);
  const issues = await issueSummaries(stores, [...asked], projects, signal);
  // A look takes a moment; what it found is written now.
  const nowMs = Math.max(look.nowMs, Date.now());
  const written = await writeOutcome(stores.state, {
    organizationId,
    claimer,
    readUntil,
    findings,
    flushes,
    looks,
    problems,
    issues,
    asked,
    projectsOf: look.projectsOf,
    baseUrl,
    nowMs,
  });
  const until = nowMs + claimer.leaseMs;
  memory.lease = { until, readUntil: readUntil ?? memory.lease?.readUntil ?? lease.readUntil };
  memory.standing = decide(memory.standing, 'written');
  return written;
}

async function gatheringRules({ state }: AlertStores, organizationId: string): Promise<ReadonlySet<number>> {
  const rows = await state.db
    .selectFrom('alert_firing')
    .select('rule_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'waiting')
    .execute();
  return new Set(rows.map((row) => row.rule_id));
}

async function gatheredIssues(
  { state }: AlertStores,
  organizationId: string,
  rules: readonly IssueRule[],
): Promise<number[]> {
  const ruleIds = rules.map((rule) => rule.id);
  const rows = await state.db
    .selectFrom('alert_firing')
    .select('issue_id')
    .where('organization_id', '=', organizationId)
    .where('state', '=', 'waiting')
    .where('rule_id', 'in', ruleIds)
    .groupBy('issue_id')
    .orderBy(({ fn }) => fn.min('id'))
    .limit(5_000)
    .execute();
  return rows.flatMap((row) => row.issue_id ?? []);
}
