/**
 * States of a processing thread.
 *
 *   starting ──answered──► ready ──exited──► down ──due──► starting …
 *      │  └──exited──► down
 *      └── any ──stop──► stopped (for good)
 *
 * starting: it was started and has not said that it takes batches.
 * ready: it takes batches; what it holds when it exits is leased again.
 * down: there is no thread; a timer leads to the next start, after longer each time that it dies before it was ready.
 * stopped: asked to end. What it holds may still be done; it gets nothing more and is never started again.
 */
export type ThreadState = 'starting' | 'ready' | 'down' | 'stopped';

export type ThreadEvent = 'answered' | 'exited' | 'due' | 'stop';

export const threadTransitions: Readonly<Record<ThreadState, Readonly<Record<ThreadEvent, ThreadState | 'ignored'>>>> =
  {
    starting: { answered: 'ready', exited: 'down', due: 'ignored', stop: 'stopped' },
    ready: { answered: 'ignored', exited: 'down', due: 'ignored', stop: 'stopped' },
    down: { answered: 'ignored', exited: 'ignored', due: 'starting', stop: 'stopped' },
    stopped: { answered: 'ignored', exited: 'ignored', due: 'ignored', stop: 'ignored' },
  };

const shortestRestartMs = 200;
const longestRestartMs = 5_000;

/** How long is waited before the next start, ms; `lastMs` the same of the start before, undefined where that one answered. */
export function restartAfter(lastMs: number | undefined): number {
  return lastMs === undefined ? shortestRestartMs : Math.min(lastMs * 2, longestRestartMs);
}
