/**
 * States of the supervised engine process.
 *
 *   starting ──answered──► ready ──exited──► down ──retry──► starting …
 *      │  └──exited──► down    └──hung──► down (killed; its exit then changes nothing)
 *      └── any ──stop──► stopped (for good)
 *
 * starting: a process was spawned and has not said that it listens.
 * ready: it listens and answers the checks.
 * down: there is no process, or one that was killed and has not been reaped; a timer leads to the next start.
 * stopped: asked to end; never started again.
 */
export type EngineState = 'starting' | 'ready' | 'down' | 'stopped';

/** What happens to it: `answered` (says that it listens), `exited`, `hung` (no answer for too long), `retry` (timer), `stop`. */
export type EngineEvent = 'answered' | 'exited' | 'hung' | 'retry' | 'stop';

export const engineTransitions: Readonly<Record<EngineState, Readonly<Record<EngineEvent, EngineState | 'ignored'>>>> =
  {
    starting: { answered: 'ready', exited: 'down', hung: 'down', retry: 'ignored', stop: 'stopped' },
    ready: { answered: 'ignored', exited: 'down', hung: 'down', retry: 'ignored', stop: 'stopped' },
    down: { answered: 'ignored', exited: 'ignored', hung: 'ignored', retry: 'starting', stop: 'stopped' },
    stopped: { answered: 'ignored', exited: 'ignored', hung: 'ignored', retry: 'ignored', stop: 'ignored' },
  };
