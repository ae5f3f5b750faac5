/** What the guard offers to the app that it waits for. */

/** An error from before the SDK was there. */
export interface HeldError {
  /** As thrown; for a file that failed to load an `Error` that names it. */
  readonly error: unknown;
  /** Milliseconds since 1970. */
  readonly timestampMs: number;
  /** Of the guard's own report; without one nobody has reported this error yet. */
  readonly eventId: string | undefined;
}

export interface Guard {
  /** The app is up: a screen of the guard goes away and none is shown from now on. Errors are still held until `handOver`. */
  ready(): void;
  /** Up to 20 errors since the page started, oldest first; those that `report` was called with too. */
  held(): readonly HeldError[];
  /** Reports an error as the guard does, once. Gives the event id; nothing without a DSN. */
  report(error: unknown): string | undefined;
  /**
   * For the SDK, once it listens itself: the held errors that have not been reported, only the first time. From then on the
   * guard reports only what `report` is called with.
   */
  handOver(): readonly HeldError[];
}

export const guardName = '__culpritGuard';

/** The guard of this page, if it has one. */
export function currentGuard(): Guard | undefined {
  return typeof window === 'undefined' ? undefined : window[guardName];
}

declare global {
  interface Window {
    __culpritGuard?: Guard;
  }
}
