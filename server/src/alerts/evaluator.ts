/**
 * Evaluates the rules of this installation: every second what happened to issues, every five seconds how often they are seen,
 * and metric rules when they are due. Of several nodes one does it for an organisation at a time (`lease.ts`).
 *
 * It runs beside ingestion and never in its way: it asks the stores with limits on rows and time, one organisation after the
 * other, and after a look that took long it rests as long.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../errors.ts';
import type { Reduced } from '../issues/index.ts';
import { listProjects, type Project } from '../projects/index.ts';
import type { Failures } from '../self/index.ts';
import { happenedLately, measuredLately } from './issue/look.ts';
import { createLookMemory, type LookMemory } from './issue/memory.ts';
import { defaultLeaseMs, giveUpLeases, type Lease, LeaseLost, takeLease } from './lease.ts';
import { isDue, lookAtMetrics, type MetricLook } from './metric/look.ts';
import type { WindowCache } from './metric/measure.ts';
import { listRules, statesOf, sweepFirings } from './rules.ts';
import { tellPagersOfEnds } from './over.ts';
import { projectsOf } from './scope.ts';
import type { AlertStores, ReadSearch } from './stores.ts';
import { toldIssues } from './told-issues.ts';
import type { IssueRule, MetricRule, Rule, RuleState } from './types.ts';
import { type Outcome, type RuleProblem, writeOutcome } from './write.ts';

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
  readonly firings: number;
  readonly messages: number;
}

const defaultEveryMs = 1_000;
/** What looks at the same rules without waiting for each other: what happened, how often, and metrics. */
const passes = ['happenings', 'counts', 'metrics'] as const;
type Pass = (typeof passes)[number];

/** After a look that took long it rests as long, at most so long. */
const mostRestMs = 5_000;
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
  readUntil: number;
}

export function openEvaluator(options: EvaluatorOptions): Evaluator {
  const { state, failures, everyMs = defaultEveryMs, leaseMs = defaultLeaseMs } = options;
  const holder = randomUUID();
  const closing = new AbortController();
  const memories = new Map<string, Memory>();
  const stats = { firings: 0, messages: 0 };
  let sweptAt = Date.now();

  const memoryOf = (organizationId: string): Memory => {
    const known = memories.get(organizationId) ?? {
      look: createLookMemory(),
      cache: new Map(),
      searches: new Map(),
      lease: undefined,
      readUntil: 0,
    };
    memories.set(organizationId, known);
    return known;
  };

  async function lookAtAll(pass: Pass): Promise<void> {
    const organizations = await state.db
      .selectFrom('alert_rule')
      .select('organization_id')
      .distinct()
      .where('enabled', '=', 1)
      .execute();
    for (const { organization_id: organizationId } of organizations) {
      if (closing.signal.aborted) return;
      const memory = memoryOf(organizationId);
      try {
        await lookAt(organizationId, memory, pass);
      } catch (error) {
        if (pass === 'happenings') memory.look.lost();
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

  async function lookAt(organizationId: string, memory: Memory, pass: Pass): Promise<void> {
    const nowMs = Date.now();
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
    const write = async (
      found: Partial<Pick<Outcome, 'findings' | 'flushes' | 'looks' | 'problems'>>,
      readUntil?: number,
    ): Promise<void> => {
      const { findings = [], flushes = [], looks = [], problems = [] } = found;
      // A rule that has something to tell tells what it gathered with it.
      const telling = [...new Set([...flushes, ...findings.map((one) => one.rule)])];
      const waiting = telling.length ? await waitingIssues(organizationId, telling) : [];
      const asked = new Set([...findings.map((one) => one.issueId), ...waiting]);
      const issues = await toldIssues(options, [...asked], projects, signal);
      // A look takes a moment; what it found is written now.
      const writtenMs = Math.max(nowMs, Date.now());
      const until = writtenMs + leaseMs;
      const outcome = {
        organizationId,
        holder,
        lease: { until, readUntil },
        findings,
        flushes,
        looks,
        problems,
        issues,
        asked,
      };
      const written = await writeOutcome(state, {
        ...outcome,
        projectsOf: watched,
        baseUrl: options.getUrl(),
        nowMs: writtenMs,
      });
      memory.lease = { until, readUntil: readUntil ?? memory.lease?.readUntil ?? lease.readUntil };
      stats.firings += written.firings;
      stats.messages += written.messages;
      if (written.messages) options.onMessages?.();
    };
    if (pass === 'metrics') {
      const looks = await dueMetrics(active, states, watched, memory, nowMs, signal);
      if (looks.length) await write({ looks });
      return;
    }
    const { readable, problems, of } = await readableSearches(
      active,
      states,
      watched,
      memory,
      nowMs,
      pass === 'counts',
    );
    const request = {
      organizationId,
      rules: readable,
      projectsOf: watched,
      searchOf: of,
      nowMs,
      memory: memory.look,
      signal,
    };
    if (pass === 'counts') {
      const findings = await measuredLately(options, { ...request, sinceMs: nowMs });
      if (findings.length || problems.length) await write({ findings, problems });
      return;
    }
    const sinceMs = Math.max(lease.readUntil - overlapMs, nowMs - latestMs);
    const findings = await happenedLately(options, { ...request, sinceMs });
    const flushes = await dueFlushes(organizationId, readable, states, nowMs);
    const isStale = nowMs - memory.readUntil > leaseMs / 2 || memory.readUntil > nowMs;
    if (findings.length || flushes.length || isStale) {
      await write({ findings, flushes }, nowMs);
      memory.readUntil = nowMs;
    }
    const place = { organizationId, projects, sinceMs, nowMs, memory: memory.look, baseUrl: options.getUrl() };
    const ends = await tellPagersOfEnds(state, place);
    stats.messages += ends;
    if (ends) options.onMessages?.();
    memory.look.written();
    memory.look.forgetBefore(nowMs);
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

  async function waitingIssues(organizationId: string, rules: readonly IssueRule[]): Promise<number[]> {
    const rows = await state.db
      .selectFrom('alert_firing')
      .select('issue_id')
      .where('organization_id', '=', organizationId)
      .where('state', '=', 'waiting')
      .where(
        'rule_id',
        'in',
        rules.map((rule) => rule.id),
      )
      .groupBy('issue_id')
      .orderBy(({ fn }) => fn.min('id'))
      .limit(5_000)
      .execute();
    return rows.flatMap((row) => row.issue_id ?? []);
  }

  /** One pass at a time of each kind: none holds up another. */
  const looking = new Map<Pass, Promise<void>>();
  const lookOnce = (pass: Pass): Promise<void> => {
    const known = looking.get(pass) ?? passOf(pass).finally(() => looking.delete(pass));
    looking.set(pass, known);
    return known;
  };

  async function passOf(pass: Pass): Promise<void> {
    try {
      await lookAtAll(pass);
      const nowMs = Date.now();
      if (pass === 'counts' && Math.abs(nowMs - sweptAt) > sweepEveryMs) {
        sweptAt = nowMs;
        await sweepFirings(state, nowMs);
      }
    } catch (error) {
      if (!closing.signal.aborted) noteFailure(error);
    }
  }

  async function run(pass: Pass, paceMs: number): Promise<void> {
    while (!closing.signal.aborted) {
      const started = performance.now();
      await lookOnce(pass);
      const tookMs = performance.now() - started;
      const restMs = Math.max(paceMs - tookMs, Math.min(tookMs, mostRestMs), 10);
      await delay(restMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
  }
  const paces: Readonly<Record<Pass, number>> = { happenings: everyMs, counts: everyMs * 5, metrics: everyMs };
  const running = everyMs > 0 ? passes.map((pass) => run(pass, paces[pass])) : [];

  return {
    async look() {
      for (const pass of passes) await lookOnce(pass);
    },
    stats: () => stats,
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('the server stops'));
      await Promise.all([...running, ...looking.values()]);
      await giveUpLeases(state, holder).catch(() => {});
    },
  };
}
