/** Whether what is sent arrives: what Now and Health say of it, by one rule. */
import type { Events } from '../../ports/events/events.ts';
import { lastPeriod, type TimeRange } from '../../base/time-range.ts';
import { countOutcomes, type OutcomeSeries } from './outcomes.ts';
import { meaningOf, type Refused, type Weight } from './reasons.ts';

/** What is not well, or is at least not as people may think. Times are ms since the epoch. */
export type IntakeTrouble =
  | (Refused & { readonly kind: 'refused'; readonly weight: Weight })
  | { readonly kind: 'lag'; readonly weight: 'alarm'; readonly ms: number }
  | { readonly kind: 'silent'; readonly weight: 'alarm'; readonly sinceMs: number; readonly usualPerHour: number };

const hourMs = 3_600_000;
/** Fewer are the odd broken client, not worth a word. */
const fewRefused = 10;
const refusedShare = 0.01;
/** The rest is in the table of Health. */
const maxReasons = 3;
/** Below this many an hour silence says nothing. */
const lively = 30;
const longLagMs = 60_000;

const weights: readonly Weight[] = ['alarm', 'fault', 'usual'];

/** Of one project, or of several together, what weighs most first. `lagMs`: age of the oldest record that waits in the log. */
export async function intakeTroubles(
  events: Events,
  projectIds: readonly number[],
  { nowMs, lagMs }: { readonly nowMs: number; readonly lagMs: number },
): Promise<(some: readonly number[]) => IntakeTrouble[]> {
  const range = lastPeriod('24h', nowMs, 144);
  const { groups } = await countOutcomes(events, projectIds, range);
  return (some) =>
    troublesOf(
      groups.filter(({ projectId }) => some.includes(projectId)),
      range,
      lagMs,
    );
}

function troublesOf(groups: readonly OutcomeSeries[], range: TimeRange, lagMs: number): IntakeTrouble[] {
  const accepted = groups
    .filter(({ outcome }) => outcome === 'accepted')
    .reduce<number[]>(
      (all, { series }) => all.map((count, index) => count + (series[index] ?? 0)),
      Array.from<number>({ length: range.buckets }).fill(0),
    );
  const lastHour = lastOf(accepted, range.bucketMs);
  const troubles: IntakeTrouble[] = [];
  if (lagMs > longLagMs) troubles.push({ kind: 'lag', weight: 'alarm', ms: lagMs });
  const usual = accepted.reduce((all, count) => all + count, 0) / 24;
  if (lastHour === 0 && usual >= lively && lagMs < longLagMs) {
    const last = accepted.findLastIndex((count) => count > 0);
    const sinceMs = range.startMs + (last + 1) * range.bucketMs;
    troubles.push({ kind: 'silent', weight: 'alarm', sinceMs, usualPerHour: usual });
  }
  return [...troubles, ...refusals(groups, range.bucketMs, lastHour)];
}

/** Over all projects, those that are more than a few beside what was accepted. */
function refusals(groups: readonly OutcomeSeries[], bucketMs: number, accepted: number): IntakeTrouble[] {
  const found = Map.groupBy(groups, ({ category, outcome, reason }) => `${category} ${outcome} ${reason}`);
  const troubles = [...found.values()].flatMap((same): (IntakeTrouble & Refused)[] => {
    const [first] = same;
    const weight = first && meaningOf(first.outcome, first.reason)?.weight;
    const count = same.reduce((all, { series }) => all + lastOf(series, bucketMs), 0);
    if (!first || !weight || count < fewRefused || count <= accepted * refusedShare) return [];
    const { category, outcome, reason } = first;
    return [{ kind: 'refused', weight, category, outcome, reason, count }];
  });
  return weights.flatMap((weight) =>
    troubles
      .filter((one) => one.weight === weight)
      .toSorted((a, b) => b.count - a.count)
      .slice(0, maxReasons),
  );
}

/** Of the last hour; with the bucket that runs, so a little more. */
function lastOf(counts: readonly number[], bucketMs: number): number {
  const perHour = Math.ceil(hourMs / bucketMs);
  return counts.slice(-perHour - 1).reduce((all, count) => all + count, 0);
}
