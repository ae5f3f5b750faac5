import { useSyncExternalStore } from 'react';
import * as m from '../messages/time.ts';
import { presentFor, readNow, subscribe } from './clock.ts';
import { localTime, relativeTime, shortDistance, utcTime } from './relative-time.ts';

/** The present, moving every ten seconds; one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, readNow);
}

/** Relative in text, absolute (local and UTC) on hover. `at` is an ISO text or ms. */
export function Time({ at, short = false }: { readonly at: string | number; readonly short?: boolean }) {
  const moment = typeof at === 'number' ? at : Date.parse(at);
  const present = presentFor(moment, useNow());
  if (!Number.isFinite(moment)) return <span>{m.unknown}</span>;
  return (
    <time dateTime={new Date(moment).toISOString()} data-tip={`${localTime(moment)}\n${utcTime(moment)}`}>
      {short ? shortDistance(moment, present) : relativeTime(moment, present)}
    </time>
  );
}
