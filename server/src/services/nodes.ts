/** This node among the others: what it tells them, and which stores it looks at. */
import { sql } from 'kysely';
import type { Config } from '../base/config.ts';
import { version } from '../base/version.ts';
import { deleteOldAttempts } from '../domains/accounts/shared-attempts.ts';
import { createStoreWatch, type Nodes, openNodes, type StoreProbe, type StoreWatch } from '../domains/nodes/index.ts';
import { deleteEndedWindows } from '../domains/projects/index.ts';
import type { Ground } from './ground.ts';
import type { Later } from './later.ts';
import type { Work } from './work.ts';

const hourMs = 3_600_000;

export function watchStores({ log, state }: Ground, work: Work | undefined): StoreWatch {
  const probes: StoreProbe[] = [
    {
      store: 'log',
      ask: async () => {
        const { bytes, limitBytes, away } = log.stats();
        return bytes < limitBytes && !away;
      },
    },
    { store: 'state', ask: async () => (await sql`select 1`.execute(state.db)).rows.length === 1 },
  ];
  if (work) {
    const { events, blobs } = work.stores;
    probes.push(
      { store: 'events', ask: () => events.ready() },
      { store: 'blobs', ask: () => blobs.ready().then(() => true) },
    );
  }
  return createStoreWatch(probes);
}

export function openOwnNode(
  { roles }: Config,
  { state, node }: Ground,
  watch: StoreWatch,
  { address, later }: { readonly address: string; readonly later: Later },
): Nodes {
  return openNodes({
    state,
    id: node,
    roles,
    version,
    address,
    watch,
    progress: () => {
      const { lagMs = null, waitingFor = '' } = later.pipeline?.stats() ?? {};
      return { lagMs, waitingFor: waitingFor ?? '' };
    },
    sweep: async (nowMs) => {
      await deleteEndedWindows(state, nowMs - 24 * hourMs);
      // Twice of what the longest rule remembers.
      await deleteOldAttempts(state, nowMs - 2 * hourMs);
    },
  });
}
