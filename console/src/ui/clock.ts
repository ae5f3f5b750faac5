/** The present of a page: one clock, moving every ten seconds while somebody reads it. */

export const tickMs = 10_000;

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** As of the last tick. Nothing ticks while nobody listens: whoever comes first then sets it. */
export function readNow(): number {
  if (timer === undefined && Math.abs(Date.now() - now) >= tickMs) now = Date.now();
  return now;
}

/**
 * What a moment is compared with. What is newer than the last tick is held against the clock itself, which a hidden tab
 * moves late; what is a little newer still happened on a machine whose clock is ahead, and not in the future.
 */
export function presentFor(moment: number, tick: number, exact: () => number = Date.now): number {
  if (!(moment > tick)) return tick;
  const present = Math.max(tick, exact());
  return moment > present && moment < present + tickMs * 1.5 ? moment : present;
}
