/** Whether the service itself is well, from what became of what was sent. */
import { countOutcomes } from '../outcomes/index.ts';
import { lastPeriod } from '../search/index.ts';
import type { IntakeTrouble, NowRequest, NowStores } from './types.ts';

const hourMs = 3_600_000;
/** Fewer are the odd broken client, not worth a word. */
const fewRefused = 10;
const refusedShare = 0.01;
/** Below this many an hour silence says nothing. */
const lively = 30;
const longLagMs = 60_000;

/** `lagMs`: age of the oldest record that waits in the log. */
export async function intakeTroubles(
  { events }: NowStores,
  { projects, nowMs }: NowRequest,
  lagMs: number,
): Promise<IntakeTrouble[]> {
  const range = lastPeriod('24h', nowMs, 144);
  const { groups } = await countOutcomes(
    events,
    projects.map(({ id }) => id),
    range,
  );
  const sum = (outcome: string): readonly number[] =>
    groups
      .filter((group) => group.outcome === outcome)
      .reduce<number[]>(
        (all, { series }) => all.map((count, index) => count + (series[index] ?? 0)),
        Array.from<number>({ length: range.buckets }).fill(0),
      );
  const accepted = sum('accepted');
  const lastHour = lastOf(accepted);
  const troubles: IntakeTrouble[] = [];
  if (lagMs > longLagMs) troubles.push({ kind: 'lag', ms: lagMs });
  for (const outcome of ['rate_limited', 'invalid'] as const) {
    const count = lastOf(sum(outcome));
    if (count >= fewRefused && count > lastHour * refusedShare) {
      troubles.push({ kind: 'refused', outcome, count, accepted: lastHour });
    }
  }
  const usual = accepted.reduce((all, count) => all + count, 0) / 24;
  if (lastHour === 0 && usual >= lively && lagMs < longLagMs) {
    const last = accepted.findLastIndex((count) => count > 0);
    troubles.push({ kind: 'silent', sinceMs: range.startMs + (last + 1) * range.bucketMs, usualPerHour: usual });
  }
  return troubles;

  /** With the bucket that runs, so a little more than an hour. */
  function lastOf(counts: readonly number[]): number {
    const perHour = Math.ceil(hourMs / range.bucketMs);
    return counts.slice(-perHour - 1).reduce((all, count) => all + count, 0);
  }
}
