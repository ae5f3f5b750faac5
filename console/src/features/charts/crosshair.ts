/** The moment that is pointed at, shared by all charts over time that are on the screen: one pointer, one crosshair. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import { columnAt, type TimeSpan } from './series.ts';

export interface Crosshair {
  /** Seconds since the epoch; undefined: nothing is pointed at. */
  readonly get: () => number | undefined;
  readonly set: (at: number | undefined) => void;
  readonly subscribe: (changed: () => void) => () => void;
}

export function createCrosshair(): Crosshair {
  let at: number | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => at,
    set(next) {
      if (next === at) return;
      at = next;
      for (const listener of listeners) listener();
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => void listeners.delete(changed);
    },
  };
}

const CrosshairContext = createContext(createCrosshair());

/** The column of a chart that is pointed at, here or on another one. It is drawn again only when that is another column. */
export function useCrosshair(span: TimeSpan): readonly [number | undefined, (column: number | undefined) => void] {
  const crosshair = useContext(CrosshairContext);
  const column = useSyncExternalStore(crosshair.subscribe, () => columnAt(crosshair.get(), span));
  const width = (span.until - span.from) / Math.max(1, span.columns);
  // The middle: charts of other buckets have the same moment in theirs.
  return [column, (next) => crosshair.set(next === undefined ? undefined : span.from + (next + 0.5) * width)];
}
