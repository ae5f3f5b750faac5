/** Whether processing is behind: of this node, or of those that process for it. */
import type { State } from '../../ports/state/state.ts';
import { listNodes } from './list.ts';

export interface BusyOptions {
  readonly state: Pick<State, 'db'>;
  /** Age of the oldest record that this node processes, ms; undefined where it does not process. */
  readonly ownLagMs: () => number | undefined;
  /** Older than that, and there is something more important to do than housekeeping, ms. */
  readonly busyLagMs: number;
  readonly now?: () => number;
}

/** What others told is good for so long; they tell every ten seconds. */
const knownForMs = 2_000;

/** Never throws: what cannot be asked is as it was last. */
export function createBusy({ state, ownLagMs, busyLagMs, now = Date.now }: BusyOptions): () => Promise<boolean> {
  let known = { isBusy: false, at: -Infinity };
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    const nodes = await listNodes(state, now()).catch(() => undefined);
    const isBusy = nodes?.some(({ isGone, lagMs }) => !isGone && (lagMs ?? 0) > busyLagMs) ?? known.isBusy;
    known = { isBusy, at: now() };
  }

  return async () => {
    const ownMs = ownLagMs();
    if (ownMs !== undefined) return ownMs > busyLagMs;
    if (now() - known.at > knownForMs) await (asking ??= ask().finally(() => (asking = undefined)));
    return known.isBusy;
  };
}
