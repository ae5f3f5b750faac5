/** Whether the first page shows what it is about. What nobody waits for begins after that. */
import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';

/** A server that does not answer keeps the rest waiting no longer than this. */
const longestMs = 10_000;

let shown = false;
const waiting = new Set<() => void>();

/** It is there once the page is drawn and nothing is asked for any more. */
export function watchContent(router: AnyRouter, client: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const done = (): void => {
    stop();
    clearTimeout(timer);
    clearTimeout(latest);
    shown = true;
    for (const run of waiting) run();
    waiting.clear();
  };
  const look = (): void => {
    clearTimeout(timer);
    // What was drawn may ask, as what came may.
    if (router.state.resolvedLocation && client.isFetching() === 0) timer = setTimeout(done, 50);
  };
  const latest = setTimeout(done, longestMs);
  const unsubscribe = client.getQueryCache().subscribe(look);
  const unresolve = router.subscribe('onResolved', look);
  const stop = (): void => {
    unsubscribe();
    unresolve();
  };
}

const subscribe = (run: () => void): (() => void) => {
  waiting.add(run);
  return () => waiting.delete(run);
};

export const isContentShown = (): boolean => shown;

export const useContentShown = (): boolean => useSyncExternalStore(subscribe, isContentShown);

/** Runs when it is there and the browser is idle. */
export function afterContent(run: () => void): void {
  const later = (): void => {
    if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 5000 });
    else setTimeout(run, 1000);
  };
  if (shown) later();
  else subscribe(later);
}
