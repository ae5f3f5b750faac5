import { useSyncExternalStore } from 'react';
import { localTime, relativeTime, shortDistance, utcTime } from './relative-time.ts';

const tickMs = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The present, moving every ten seconds; one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** Relative in text, absolute (local and UTC) on hover. `at` is an ISO text or ms. */
export function Time({ at, short = false }: { readonly at: string | number; readonly short?: boolean }) {
  const moment = typeof at === 'number' ? at : Date.parse(at);
  const tick = useNow();
  // An event can be newer than the last tick; it then happened now, not in the future.
  const present = moment > tick && moment < tick + tickMs * 1.5 ? moment : tick;
  if (!Number.isFinite(moment)) return <span>unknown time</span>;
  return (
    <time dateTime={new Date(moment).toISOString()} data-tip={`${localTime(moment)}\n${utcTime(moment)}`}>
      {short ? shortDistance(moment, present) : relativeTime(moment, present)}
    </time>
  );
}
