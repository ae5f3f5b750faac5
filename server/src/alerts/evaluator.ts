/**
 * Evaluates the rules of this installation: every second what happened to issues, every five seconds how often they are seen,
 * and metric rules when they are due. Of several nodes one does it for an organisation at a time (`lease.ts`).
 *
 * It runs beside ingestion and never in its way: it asks the stores with limits on rows and time, one organisation after the
 * other, and when a look takes long the next one begins so much later that it is idle at least half of the time.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../errors.ts';
import type { Reduced } from '../issues/index.ts';
import { listProjects, type Project } from '../projects/index.ts';
import type { Failures } from '../self/index.ts';
import { lookAtIssues } from './issue/look.ts';
import { createLookMemory, type LookMemory } from './issue/memory.ts';
import { defaultLeaseMs, giveUpLeases, type Lease, LeaseLost, takeLease } from './lease.ts';
import { isDue, lookAtMetrics, type MetricLook } from './metric/look.ts';
import type { WindowCache } from './metric/measure.ts';
import { listRules, statesOf, sweepFirings } from './rules.ts';
import { projectsOf } from './scope.ts';
import type { AlertStores, ReadSearch } from './stores.ts';
import { toldIssues } from './told-issues.ts';
import type { IssueRule, MetricRule, Rule, RuleState } from './types.ts';
import { type RuleProblem, writeOutcome } from './write.ts';

export interface EvaluatorOptions extends AlertStores {
  readonly readSearch: ReadSearch;
  readonly failures: Failures;
  /** Public address, without a trailing slash. */
  readonly getUrl: () => string;
  /** ms between looks; a second unless told. */
  readonly everyMs?: number;
  /** ms that a node may be silent before another one takes over; 20 seconds unless told. */
  readonly leaseMs?: number;
  /** Called when messages were written. */
  readonly onMessages?: (() => void) | undefined;
}

export interface Evaluator extends AsyncDisposable {
  /** One look at once; for tests and for who does not want to wait. */
  look(): Promise<void>;
  stats(): EvaluatorStats;
}

export interface EvaluatorStats {
  readonly looks: number;
  readonly firings: number;
  readonly messages: number;
  /** Of the last look, ms. */
  readonly lookMs: number;
}

const defaultEveryMs = 1_000;
const countsEveryMs = 5_000;
/** What is written in a transaction that takes so long to commit is not missed. */
const overlapMs = 60_000;
/** What happened while nobody looked is told when it is not older than that. */
const latestMs = 3_600_000;
const lookTimeoutMs = 30_000;
/** Metric rules in one look; the rest follows in the next. */
const mostMetrics = 60;
const sweepEveryMs = 3_600_000;

interface Memory {
  readonly look: LookMemory;
  readonly cache: WindowCache;
  readonly searches: Map<string, Promise<Reduced | undefined>>;
  lease: Lease | undefined;
  countedAt: number;
  readUntil: number;
}

export function openEvaluator(options: EvaluatorOptions): Evaluator {
  const { state, failures, everyMs = defaultEveryMs, leaseMs = defaultLeaseMs } = options;
  const holder = randomUUID();
  const closing = new AbortController();
  const memories = new Map<string, Memory>();
  const stats = { looks: 0, firings: 0, messages: 0, lookMs: 0 };
  let sweptAt = Date.now();

  const memoryOf = (organizationId: string): Memory => {
    const known = memories.get(organizationId) ?? {
      look: createLookMemory(),
      cache: new Map(),
      searches: new Map(),
      lease: undefined,
      countedAt: 0,
      readUntil: 0,
    };
    memories.set(organizationId, known);
    return known;
  };

  async function lookAtAll(): Promise<void> {
    const organizations = await state.db
      .selectFrom('alert_rule')
      .select('organization_id')
      .distinct()
      .where('enabled', '=', 1)
      .execute();
    for (const { organization_id: organizationId } of organizations) {
      if (closing.signal.aborted) return;
      try {
        await lookAt(organizationId);
      } catch (error) {
        const memory = memoryOf(organizationId);
        memory.look.lost();
        if (error instanceof LeaseLost) memory.lease = undefined;
        else if (!closing.signal.aborted) noteFailure(error);
      }
    }
  }

  function noteFailure(error: unknown): void {
    // The events store comes back by itself, and what happened meanwhile is looked at then.
    if (error instanceof CodedError && error.code === 'ENGINE_UNAVAILABLE') return;
    failures.note(error, { message: 'alert rules could not be evaluated; it is tried again', atMostEveryMs: 60_000 });
  }

  async function lookAt(organizationId: string): Promise<void> {
    const nowMs = Date.now();
    const memory = memoryOf(organizationId);
    const lease = await heldLease(organizationId, memory, nowMs);
    if (!lease) return;
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(lookTimeoutMs)]);
    const [rules, projects, states] = await Promise.all([
      listRules(state.db, organizationId),
      listProjects(state, organizationId),
      statesOf(state.db, organizationId),
    ]);
    const active = rules.filter((rule) => rule.enabled);
    const ofRule = new Map<Rule, readonly Project[]>(active.map((rule) => [rule, projectsOf(rule, projects)]));
    const watched = (rule: Rule): readonly Project[] => ofRule.get(rule) ?? [];
    const counts = nowMs - memory.countedAt >= countsEveryMs || memory.countedAt > nowMs;
    if (counts) memory.countedAt = nowMs;
    const searches = await readableSearches(active, states, watched, memory, nowMs, counts);
    const issueRules = searches.readable;
    const { problems } = searches;
    const findings = await lookAtIssues(options, {
      organizationId,
      rules: issueRules,
      projectsOf: watched,
      searchOf: searches.of,
      sinceMs: Math.max(lease.readUntil - overlapMs, nowMs - latestMs),
      nowMs,
      counts,
      memory: memory.look,
      signal,
    });
    const looks = await dueMetrics(active, states, watched, memory, nowMs, signal);
    const flushes = await dueFlushes(organizationId, issueRules, states, nowMs);
    const read: Lease = { until: nowMs + leaseMs, readUntil: nowMs };
    const isStale = nowMs - memory.readUntil > leaseMs / 2 || memory.readUntil > nowMs;
    if (!findings.length && !looks.length && !flushes.length && !problems.length && !isStale) {
      memory.look.written();
      return;
    }
    const waiting = flushes.length ? await waitingIssues(flushes) : [];
    const issues = await toldIssues(options, [...findings.map((one) => one.issueId), ...waiting], projects, signal);
    const written = await writeOutcome(state, {
      organizationId,
      holder,
      lease: read,
      findings,
      flushes,
      looks,
      problems,
      issues,
      projectsOf: watched,
      baseUrl: options.getUrl(),
      // A look takes a moment; what it found is written now.
      nowMs: Math.max(nowMs, Date.now()),
    });
    memory.look.written();
    memory.lease = read;
    memory.readUntil = nowMs;
    stats.firings += written.firings;
    stats.messages += written.messages;
    if (written.messages) options.onMessages?.();
  }

  /** Asked for again when half of it is over. */
  async function heldLease(organizationId: string, memory: Memory, nowMs: number): Promise<Lease | undefined> {
    const { lease } = memory;
    if (lease && lease.until - nowMs > leaseMs / 2 && lease.until - nowMs <= leaseMs) return lease;
    const taken = await takeLease(state, organizationId, holder, nowMs, leaseMs);
    // Another node may have read further than this one remembers.
    memory.lease = taken;
    return taken;
  }

  /** Searches name people and releases, so that they are read anew now and then. */
  async function readableSearches(
    active: readonly Rule[],
    states: ReadonlyMap<number, RuleState>,
    watched: (rule: Rule) => readonly Project[],
    memory: Memory,
    nowMs: number,
    anew: boolean,
  ): Promise<{ readable: IssueRule[]; problems: RuleProblem[]; of(rule: IssueRule): Promise<Reduced | undefined> }> {
    if (anew) memory.searches.clear();
    const of = (rule: IssueRule): Promise<Reduced | undefined> => {
      const key = `${rule.id}:${rule.version}`;
      const known =
        memory.searches.get(key) ??
        options.readSearch(rule.query, {
          organizationId: rule.organizationId,
          userId: rule.createdBy ?? undefined,
          projectIds: watched(rule).map(({ id }) => id),
          environments: rule.environment ? [rule.environment] : [],
          nowMs,
        });
      memory.searches.set(key, known);
      return known;
    };
    const readable: IssueRule[] = [];
    const problems: RuleProblem[] = [];
    const note = (rule: IssueRule, problem: string): void => {
      if ((states.get(rule.id)?.problem ?? '') !== problem) problems.push({ rule, problem });
    };
    for (const rule of active) {
      if (rule.kind !== 'issue') continue;
      if (rule.query.trim()) {
        try {
          await of(rule);
        } catch (error) {
          if (!(error instanceof CodedError) || error.status >= 500) throw error;
          memory.searches.delete(`${rule.id}:${rule.version}`);
          note(rule, error.message);
          continue;
        }
      }
      note(rule, '');
      readable.push(rule);
    }
    return { readable, problems, of };
  }

  async function dueMetrics(
    active: readonly Rule[],
    states: ReadonlyMap<number, RuleState>,
    watched: (rule: Rule) => readonly Project[],
    memory: Memory,
    nowMs: number,
    signal: AbortSignal,
  ): Promise<MetricLook[]> {
    const due = active
      .filter((rule): rule is MetricRule => rule.kind === 'metric' && isDue(rule, states.get(rule.id), nowMs))
      .toSorted((a, b) => (states.get(a.id)?.evaluatedAt ?? 0) - (states.get(b.id)?.evaluatedAt ?? 0))
      .slice(0, mostMetrics);
    if (!due.length) return [];
    return lookAtMetrics(options, { rules: due, states, projectsOf: watched, cache: memory.cache, nowMs, signal });
  }

  /** Rules that gathered firings for long enough. */
  async function dueFlushes(
    organizationId: string,
    rules: readonly IssueRule[],
    states: ReadonlyMap<number, RuleState>,
    nowMs: number,
  ): Promise<IssueRule[]> {
    const rows = await state.db
      .selectFrom('alert_firing')
      .select('rule_id')
      .distinct()
      .where('organization_id', '=', organizationId)
      .where('state', '=', 'waiting')
      .execute();
    const waiting = new Set(rows.map((row) => row.rule_id));
    return rules.filter((rule) => {
      const messageAt = states.get(rule.id)?.messageAt;
      return (
        waiting.has(rule.id) &&
        (messageAt == null || messageAt > nowMs || nowMs - messageAt >= rule.digestMinutes * 60_000)
      );
    });
  }

  async function waitingIssues(rules: readonly IssueRule[]): Promise<number[]> {
    const rows = await state.db
      .selectFrom('alert_firing')
      .select('issue_id')
      .distinct()
      .where('state', '=', 'waiting')
      .where(
        'rule_id',
        'in',
        rules.map((rule) => rule.id),
      )
      .limit(5_000)
      .execute();
    return rows.flatMap((row) => row.issue_id ?? []);
  }

  let looking: Promise<void> | undefined;
  const look = (): Promise<void> => {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  async function lookOnce(): Promise<void> {
    const started = performance.now();
    try {
      await lookAtAll();
      const nowMs = Date.now();
      if (Math.abs(nowMs - sweptAt) > sweepEveryMs) {
        sweptAt = nowMs;
        await sweepFirings(state, nowMs);
      }
    } catch (error) {
      if (!closing.signal.aborted) noteFailure(error);
    }
    stats.looks += 1;
    stats.lookMs = performance.now() - started;
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await look();
      await delay(Math.max(everyMs, Math.min(stats.lookMs, 5_000)), undefined, {
        signal: closing.signal,
        ref: false,
      }).catch(() => {});
    }
  }
  const running = everyMs > 0 ? run() : Promise.resolve();

  return {
    look,
    stats: () => stats,
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('the server stops'));
      await running;
      await looking;
      await giveUpLeases(state, holder).catch(() => {});
    },
  };
}
