/**
 * How sure the count of an issue is after a storm (`ingest/storm`).
 *
 * Of a group of w errors that share a key, one is stored, chosen at random, and counts for all w. Where k of them are of
 * this issue, it is counted as w with the chance k/w: right on average, with the variance k (w - k). What is stored tells
 * w and not k. The sum of w (w - 1) over what is stored of the issue is, on average, the sum of k (w - 1): never less
 * than the variance. And as each group counts for w whoever is chosen, all other issues of the project together err by
 * exactly as much, so that the same sum over them bounds it as well; the smaller one counts. Where no other issue has a
 * sampled error, all groups were of this issue alone, and its count is exact.
 */
import type { Events } from '../../../ports/events/events.ts';

/** Holds the truth 19 times in 20. Errors. */
export interface CountEstimate {
  readonly low: number;
  readonly high: number;
}

/** What is stored of sampled errors, of an issue and of the other issues of its project. */
export interface SampledSums {
  /** Sum of w (w - 1). */
  readonly own: number;
  readonly others: number;
  /** Largest w. */
  readonly largest: number;
}

/** An error below that is not worth a word, of the count. */
const worthSaying = 0.01;
/** Standard errors to either side. */
const sides = 1.96;

/** Undefined where the count is off by no more than 1 %. `stored`: of the errors, those that are known one by one. */
export function estimateOf(
  count: number,
  stored: number,
  { own, others, largest }: SampledSums,
): CountEstimate | undefined {
  if (own === 0 || others === 0) return undefined;
  // One more group of the largest, so that what few groups say is not believed too much.
  const error = sides * Math.sqrt(Math.min(own, others) + largest * (largest - 1));
  if (error <= count * worthSaying) return undefined;
  return { low: Math.max(stored, Math.floor(count - error)), high: Math.ceil(count + error) };
}

/** Reads what a storm stored of the project. `own`: condition of the errors of the issue. */
export async function sampledSums(
  events: Events,
  projectId: number,
  own: { readonly sql: string; readonly params: Readonly<Record<string, unknown>> },
): Promise<SampledSums> {
  const weights = 'stands_for * (1 + stands_for)';
  const [row] = await events.query<SampledSums>(
    `SELECT sumIf(${weights}, ${own.sql}) AS own, sum(${weights}) - own AS others, 1 + max(stands_for) AS largest
     FROM errors WHERE project_id = {project:UInt64} AND stands_for > 0`,
    { project: projectId, ...own.params },
  );
  return row ?? { own: 0, others: 0, largest: 0 };
}
