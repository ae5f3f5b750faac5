/** When a delivery that did not arrive is tried again. Pure. */

const firstWaitMs = 15_000;
const longestWaitMs = 3_600_000;
/** What a receiver may ask for. */
const longestAskedMs = 6 * 3_600_000;
/** So long after the first attempt it is given up. */
export const giveUpAfterMs = 24 * 3_600_000;

export interface Failure {
  /** That were made, this one included. */
  readonly attempts: number;
  readonly firstAttemptMs: number;
  readonly nowMs: number;
  /** As the receiver asks. */
  readonly afterMs?: number | undefined;
  /** From 0 to 1. */
  readonly random: number;
}

/** The next attempt; undefined when there is none any more. */
export function nextAttemptMs({ attempts, firstAttemptMs, nowMs, afterMs, random }: Failure): number | undefined {
  const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(attempts - 1, 20));
  // Spread over half to all of it, so that what failed together does not come back together.
  const jittered = wait * (0.5 + random / 2);
  const asked = afterMs === undefined ? 0 : Math.min(longestAskedMs, afterMs);
  const next = nowMs + Math.round(Math.max(jittered, asked + (asked > 0 ? random * 1_000 : 0)));
  return next - firstAttemptMs > giveUpAfterMs ? undefined : next;
}
