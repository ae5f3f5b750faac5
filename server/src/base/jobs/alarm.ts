/** Says to a job that there is something to do, whether anybody runs it or not. */

export interface Alarm {
  /** The job is due after so many ms; at once unless told. */
  ring(afterMs?: number): void;
  /** Returns how to stop listening. */
  listen(heard: (afterMs: number) => void): () => void;
}

export function createAlarm(): Alarm {
  const listeners = new Set<(afterMs: number) => void>();
  return {
    ring(afterMs = 0) {
      for (const heard of listeners) heard(afterMs);
    },
    listen(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
  };
}
