/**
 * What a node sees of the stores that it needs.
 *
 *     reachable ── two answers take long ──► slow ── none comes ──► down
 *         ▲──────── an answer comes at once ──┴─────────────────────┘
 */
import type { StoreState, StoreView } from './report.ts';

export interface StoreProbe {
  readonly store: StoreView['store'];
  /** Resolves to whether the store answers; what it throws means no. */
  readonly ask: (signal: AbortSignal) => Promise<boolean>;
}

export interface StoreWatch extends Disposable {
  /** Asks a store, or all side by side, once. One that is asked already is not asked again. */
  look(store?: StoreView['store']): Promise<void>;
  views(): readonly StoreView[];
  view(store: StoreView['store']): StoreView | undefined;
  /** Called when a store goes down. Returns the function that unsubscribes. */
  onDown(store: StoreView['store'], listener: () => void): () => void;
}

export interface WatchOptions {
  /** An answer that takes longer is slow, ms. */
  readonly slowMs?: number;
  /** One that takes longer is none, ms. */
  readonly longestMs?: number;
  /** What is not reachable is asked again after so long, ms, by itself. */
  readonly againMs?: number;
  readonly onChange?: (view: StoreView) => void;
  readonly now?: () => number;
}

export function createStoreWatch(probes: readonly StoreProbe[], options: WatchOptions = {}): StoreWatch {
  const { slowMs = 1_000, longestMs = 5_000, againMs = 2_000, onChange, now = Date.now } = options;
  const views = new Map<StoreView['store'], StoreView>();
  const asked = new Map<StoreView['store'], Promise<void>>();
  const again = new Map<StoreView['store'], NodeJS.Timeout>();
  /** Of the first of two, when it was asked for: one alone may be a busy moment of this node. */
  const lateSince = new Map<StoreView['store'], number>();
  const listeners = new Map(probes.map(({ store }) => [store, new Set<() => void>()]));
  let isOver = false;

  async function ask(probe: StoreProbe): Promise<void> {
    const { store } = probe;
    const beganAt = now();
    const state = await stateOf(probe.ask, { slowMs, longestMs });
    if (isOver) return;
    clearTimeout(again.get(store));
    if (state !== 'reachable') again.set(store, setTimeout(() => void lookAt(probe), againMs).unref());
    const before = views.get(store);
    const since = state === 'slow' ? (lateSince.get(store) ?? beganAt) : beganAt;
    const isFirst = state === 'slow' && !lateSince.has(store);
    if (state === 'slow') lateSince.set(store, since);
    else lateSince.delete(store);
    if (before && (before.state === state || (isFirst && before.state === 'reachable'))) return;
    // It was so when it was asked.
    const view: StoreView = { store, state: isFirst && !before ? 'reachable' : state, since };
    views.set(store, view);
    if (before || view.state !== 'reachable') onChange?.(view);
    if (state === 'down') for (const listener of listeners.get(store) ?? []) listener();
  }

  function lookAt(probe: StoreProbe): Promise<void> {
    const { store } = probe;
    const looking = asked.get(store) ?? ask(probe).finally(() => asked.delete(store));
    asked.set(store, looking);
    return looking;
  }

  return {
    async look(store) {
      await Promise.all(probes.filter((probe) => store === undefined || probe.store === store).map(lookAt));
    },
    views: () => probes.flatMap(({ store }) => views.get(store) ?? []),
    view: (store) => views.get(store),
    onDown(store, listener) {
      const ofStore = listeners.get(store);
      ofStore?.add(listener);
      return () => void ofStore?.delete(listener);
    },
    [Symbol.dispose]() {
      isOver = true;
      for (const timer of again.values()) clearTimeout(timer);
    },
  };
}

async function stateOf(
  ask: StoreProbe['ask'],
  { slowMs, longestMs }: { readonly slowMs: number; readonly longestMs: number },
): Promise<StoreState> {
  const signal = AbortSignal.timeout(longestMs);
  const began = performance.now();
  const late = Promise.withResolvers<boolean>();
  const onLate = (): void => late.resolve(false);
  signal.addEventListener('abort', onLate);
  try {
    const answers = await Promise.race([ask(signal), late.promise]).catch(() => false);
    if (!answers) return 'down';
    return performance.now() - began > slowMs ? 'slow' : 'reachable';
  } finally {
    signal.removeEventListener('abort', onLate);
  }
}
