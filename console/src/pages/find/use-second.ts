import { useSyncExternalStore } from 'react';

const secondMs = 1000;
const current = (): number => Math.floor(Date.now() / secondMs) * secondMs;

/** The present in whole seconds, ms. */
export function useSecond(): number {
  return useSyncExternalStore((listener) => {
    const timer = setInterval(listener, secondMs);
    return () => clearInterval(timer);
  }, current);
}
