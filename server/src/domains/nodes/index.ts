/**
 * The nodes of an installation: each says every ten seconds that it is there, and what it sees of the stores. One that was
 * silent for a minute is shown as gone, and forgotten after a day; one that stops in order takes its row with it.
 */
import { isRole, type Role } from '../../base/roles.ts';
import type { State } from '../../ports/state/state.ts';
import { type NodeReport, readReport } from './report.ts';
import type { StoreWatch } from './watch.ts';

export { type NodeReport, type StoreState, stores, storeStates, type StoreView } from './report.ts';
export { createStoreWatch, type StoreProbe, type StoreWatch } from './watch.ts';

export interface NodeEntry extends NodeReport {
  readonly id: string;
  readonly roles: readonly Role[];
  readonly version: string;
  /** Host and port. */
  readonly address: string;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly seenAt: number;
  readonly isGone: boolean;
}

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
const goneAfterMs = 60_000;
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

/** Those that are there first, then by their roles. */
export async function listNodes({ db }: Pick<State, 'db'>, nowMs: number): Promise<NodeEntry[]> {
  const rows = await db.selectFrom('node').selectAll().orderBy('roles').orderBy('address').orderBy('id').execute();
  return rows
    .map((row) => ({
      id: row.id,
      roles: row.roles.split(',').filter(isRole),
      version: row.version,
      address: row.address,
      startedAt: row.started_at,
      seenAt: row.seen_at,
      isGone: nowMs - row.seen_at > goneAfterMs,
      ...readReport(row.report),
    }))
    .toSorted((a, b) => Number(a.isGone) - Number(b.isGone));
}
