/**
 * When a project is in a storm: it sends several times what it usually sends, or processing is behind and it is one of
 * those who send much. Asked once a second.
 *
 *   calm ──begin──► storm ──quiet──► calm
 */
export type StormState = 'calm' | 'storm';

export interface StormFacts {
  /** Events a second, of the last ten seconds or so, on all nodes. */
  readonly perSecond: number;
  /** As in its busier minutes of the last week; undefined while that is not known. */
  readonly usualPerSecond: number | undefined;
  /** What waits to be processed waits longer than a few seconds. */
  readonly isBehind: boolean;
  /** How long the storm has been without a reason, seconds. */
  readonly quietSeconds: number;
}

/** Below this nothing is a storm by itself, events a second. */
export const leastStorm = 50;
const timesUsual = 5;
/** Whoever sends less is not why processing is behind. */
const leastBehind = 10;
/** A storm ends below half of what begins one. */
const endsAt = 1 / 2;
export const quietSeconds = 10;

export function hasReason(
  state: StormState,
  { perSecond, usualPerSecond, isBehind }: Omit<StormFacts, 'quietSeconds'>,
): boolean {
  const part = state === 'storm' ? endsAt : 1;
  if (isBehind && perSecond >= leastBehind * part) return true;
  return usualPerSecond !== undefined && perSecond >= Math.max(leastStorm, timesUsual * usualPerSecond) * part;
}

export function nextStorm(state: StormState, facts: StormFacts): StormState {
  if (hasReason(state, facts)) return 'storm';
  return state === 'storm' && facts.quietSeconds < quietSeconds ? 'storm' : 'calm';
}
