/** This node among the others: what it tells them, and which stores it looks at. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import { storeChanged } from '../base/texts/health.ts';
import { version } from '../base/version.ts';
import { deleteOldAttempts } from '../domains/accounts/shared-attempts.ts';
import { createStoreWatch, type Nodes, openNodes, type StoreProbe, type StoreWatch } from '../domains/nodes/index.ts';
import { deleteEndedWindows, deleteOldUse } from '../domains/projects/index.ts';
import type { Ground } from './ground.ts';
import type { Later } from './later.ts';
import type { Work } from './work.ts';

const hourMs = 3_600_000;

/** What other nodes and people call this one: where it listens on all addresses, its host has a name. */
export const nodeAddress = (host: string, port: number): string =>
  `${host === '0.0.0.0' || host === '::' ? hostname() : host.includes(':') ? `[${host}]` : host}:${port}`;

export function watchStores({ log, state }: Ground, work: Work | undefined, logger: Logger): StoreWatch {
  const probes: StoreProbe[] = [
    {
      store: 'log',
      ask: async () => {
        const { bytes, limitBytes, away } = log.stats();
        return bytes < limitBytes && !away && ((await log.answers?.()) ?? true);
      },
    },
    { store: 'state', ask: () => state.ping().then(() => true) },
  ];
  if (work) {
    const { events, blobs } = work.stores;
    probes.push(
      { store: 'events', ask: () => events.ready() },
      { store: 'blobs', ask: () => blobs.ready().then(() => true) },
    );
  }
  return createStoreWatch(probes, {
    onChange: ({ store, state, since }) =>
      logger[state === 'reachable' ? 'info' : 'warn']({ store, state, since }, storeChanged(store, state)),
  });
}

export function openOwnNode({ roles }: Config, { state, node }: Ground, watch: StoreWatch, later: Later): Nodes {
  return openNodes({
    state,
    id: node,
    roles,
    version,
    address: later.address,
    watch,
    progress: () => {
      const { lagMs = null, waitingFor = '' } = later.pipeline?.stats() ?? {};
      return { lagMs, waitingFor: waitingFor ?? '' };
    },
    sweep: async (nowMs) => {
      await deleteEndedWindows(state, nowMs - 24 * hourMs);
      await deleteOldUse(state, nowMs);
      // Twice of what the longest rule remembers.
      await deleteOldAttempts(state, nowMs - 2 * hourMs);
    },
  });
}
