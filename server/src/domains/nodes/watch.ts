/**
 * What a node sees of the stores that it needs.
 *
 *     reachable ── an answer takes long ──► slow ── none comes ──► down
 *         ▲──────── an answer comes at once ──┴────────────────────┘
 */
import type { StoreState, StoreView } from './report.ts';

export interface StoreProbe {
  readonly store: StoreView['store'];
  /** Resolves to whether the store answers; what it throws means no. */
  readonly ask: (signal: AbortSignal) => Promise<boolean>;
}

export interface StoreWatch {
  /** Asks all stores once, side by side. */
  look(): Promise<void>;
  views(): readonly StoreView[];
}

export interface WatchOptions {
  /** An answer that takes longer is slow, ms. */
  readonly slowMs?: number;
  /** One that takes longer is none, ms. */
  readonly longestMs?: number;
  readonly now?: () => number;
}

export function createStoreWatch(probes: readonly StoreProbe[], options: WatchOptions = {}): StoreWatch {
  const { slowMs = 1_000, longestMs = 5_000, now = Date.now } = options;
  const views = new Map<StoreView['store'], StoreView>();

  async function lookAt({ store, ask }: StoreProbe): Promise<void> {
    const beganAt = now();
    const state = await stateOf(ask, { slowMs, longestMs });
    // It was so when it was asked.
    if (views.get(store)?.state !== state) views.set(store, { store, state, since: beganAt });
  }

  return {
    async look() {
      await Promise.all(probes.map(lookAt));
    },
    views: () => probes.flatMap(({ store }) => views.get(store) ?? []),
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
