/**
 * The nodes of an installation: each says every ten seconds that it is there, and what it sees of the stores. One that was
 * silent for a minute is shown as gone, and forgotten after a day; one that stops in order takes its row with it.
 */
import type { Role } from '../../base/roles.ts';
import type { State } from '../../ports/state/state.ts';
import type { NodeReport } from './report.ts';
import type { StoreWatch } from './watch.ts';

export { createBusy } from './busy.ts';
export { listNodes, missingRoles, type NodeEntry, processingOf } from './list.ts';
export { type NodeReport, type StoreState, stores, storeStates, type StoreView } from './report.ts';
export { createStateGuard, type StateGuard } from './state-guard.ts';
export { createStoreWatch, type StoreProbe, type StoreWatch } from './watch.ts';

export interface NodesOptions {
  readonly state: State;
  readonly id: string;
  readonly roles: readonly Role[];
  readonly version: string;
  readonly address: string;
  readonly watch: StoreWatch;
  readonly progress: () => Pick<NodeReport, 'lagMs' | 'waitingFor'>;
  /** With the heartbeat, once an hour: what else of nodes is over. */
  readonly sweep: (nowMs: number) => Promise<void>;
  readonly everyMs?: number;
}

/** Ends with the row of the node. */
export interface Nodes extends AsyncDisposable {
  /** Looks at the stores and writes it down, now. Does not throw: a store that is away is what it tells. */
  beat(): Promise<void>;
}

const heartbeatMs = 10_000;
const forgottenAfterMs = 86_400_000;
const sweepEveryMs = 3_600_000;

export function openNodes(options: NodesOptions): Nodes {
  const { state, id, roles, version, address, watch, progress, sweep, everyMs = heartbeatMs } = options;
  const startedAt = Date.now();
  let sweptAt = 0;
  let beating: Promise<void> | undefined;

  async function write(): Promise<void> {
    await watch.look();
    const now = Date.now();
    const row = {
      roles: roles.join(','),
      version,
      address,
      started_at: startedAt,
      seen_at: now,
      report: JSON.stringify({ stores: watch.views(), ...progress() }),
    };
    // What the state store is, the other nodes hear when it is there again.
    if (watch.views().some((view) => view.store === 'state' && view.state === 'down')) return;
    await state.db
      .insertInto('node')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute();
    if (now - sweptAt < sweepEveryMs) return;
    sweptAt = now;
    await state.db
      .deleteFrom('node')
      .where('seen_at', '<', now - forgottenAfterMs)
      .execute();
    await sweep(now);
  }

  const beat = (): Promise<void> =>
    (beating ??= write()
      .catch(() => {})
      .finally(() => (beating = undefined)));
  const timer = setInterval(() => void beat(), everyMs).unref();
  void beat();
  return {
    beat,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await beating;
      await state.db
        .deleteFrom('node')
        .where('id', '=', id)
        .execute()
        .catch(() => {});
    },
  };
}
