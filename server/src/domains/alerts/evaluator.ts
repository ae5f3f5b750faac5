/**
 * Evaluates the rules of this installation: every second what happened to issues, every five seconds how often they are seen,
 * and metric rules when they are due. Of several nodes one does it for an organisation at a time (`lease.ts`).
 *
 * It runs beside ingestion and never in its way: it asks the stores with limits on rows and time, one organisation after the
 * other, and after a look that took long it rests as long.
 */
import { CodedError } from '../../base/errors.ts';
import { type Claimer, type Job, LeaseLost } from '../../base/jobs/index.ts';
import type { Failures } from '../../base/self/index.ts';
import { createMemory, lookAt, loseLease, type Memory, type Pass, passes } from './passes.ts';
import { sweepFirings } from './rules.ts';
import type { AlertStores } from './stores.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';

export interface EvaluatorOptions extends AlertStores {
  readonly failures: Failures;
  /** Public address, without a trailing slash. */
  readonly getUrl: () => string;
  /** Called when messages were written. */
  readonly onMessages?: (() => void) | undefined;
}

export interface Evaluator {
  readonly jobs: readonly Job[];
  /** One look of each pass at once; for tests. */
  look(claimer: Claimer): Promise<void>;
  stats(): EvaluatorStats;
}

export interface EvaluatorStats {
  readonly firings: number;
  readonly messages: number;
}

/** ms between looks. */
const paces: Readonly<Record<Pass, number>> = { happenings: 1_000, counts: 5_000, metrics: 1_000 };
/** After a look that took long it rests as long, at most so long. */
const maxRestMs = 5_000;
const sweepEveryMs = 3_600_000;

const titles: Readonly<Record<Pass, string>> = {
  happenings: jobTexts.alertRules.happenings,
  counts: jobTexts.alertRules.counts,
  metrics: jobTexts.alertRules.metrics,
};

export function createEvaluator(options: EvaluatorOptions): Evaluator {
  const memories = new Map<string, Memory>();
  const stats = { firings: 0, messages: 0 };

  async function lookAtAll(pass: Pass, claimer: Claimer, signal: AbortSignal): Promise<void> {
    for (const organizationId of await organizationsOf(options)) {
      if (signal.aborted) return;
      const memory = memories.get(organizationId) ?? createMemory();
      memories.set(organizationId, memory);
      try {
        const baseUrl = options.getUrl();
        const written = await lookAt(options, pass, { organizationId, memory, claimer, signal, baseUrl });
        stats.firings += written.firings;
        stats.messages += written.messages;
        if (written.messages) options.onMessages?.();
      } catch (error) {
        if (pass === 'happenings') memory.look.lost();
        if (error instanceof LeaseLost) loseLease(memory);
        // Of one organisation; the others are looked at all the same.
        else if (!signal.aborted) noteFailure(options.failures, error);
      }
    }
  }

  const jobOf = (pass: Pass): Job => ({
    name: `alert-${pass}`,
    title: titles[pass],
    nodes: 'each',
    everyMs: Math.max(maxRestMs, paces[pass]),
    needsEvents: true,
    failed: jobTexts.alertRules.failed,
    async run({ signal, ...claimer }) {
      const started = performance.now();
      await lookAtAll(pass, claimer, signal);
      const tookMs = performance.now() - started;
      return Date.now() + Math.max(paces[pass] - tookMs, Math.min(tookMs, maxRestMs), 10);
    },
  });

  return {
    jobs: [
      ...passes.map(jobOf),
      {
        name: 'alert-expiry',
        title: jobTexts.alertExpiry.title,
        nodes: 'one',
        everyMs: sweepEveryMs,
        failed: jobTexts.alertExpiry.failed,
        run: () => sweepFirings(options.state, Date.now()),
      },
    ],
    async look(claimer) {
      for (const pass of passes) await lookAtAll(pass, claimer, new AbortController().signal);
    },
    stats: () => stats,
  };
}

async function organizationsOf({ state }: AlertStores): Promise<string[]> {
  const rows = await state.db
    .selectFrom('alert_rule')
    .select('organization_id')
    .distinct()
    .where('enabled', '=', 1)
    .execute();
  return rows.map((row) => row.organization_id);
}

function noteFailure(failures: Failures, error: unknown): void {
  // The events store comes back by itself, and what happened meanwhile is looked at then.
  if (error instanceof CodedError && error.code === 'ENGINE_UNAVAILABLE') return;
  failures.note(error, { message: jobTexts.alertRules.failed, atMostEveryMs: 60_000 });
}
