/** A store is away, stands still or is slow for a while under load; what clients are told, and what Health says of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { StoreName } from './cluster.ts';
import type { Fleet } from './kills.ts';
import type { Load } from './load.ts';

export interface Outage {
  readonly store: StoreName;
  readonly how: 'cut' | 'hang' | 'slow';
  readonly forMs: number;
  /** Whether it lasts long enough for Health to be asked: nodes look every ten seconds. */
  readonly isSeen: boolean;
}

/** A piece takes so much longer, each way: together more than what is called slow. */
const slowMs = 600;
/** A request that was under way when NATS went away waits so long for it; who comes later is refused after a moment. */
const underWayMs = 10_000;
/** When the limit of an outage is over, what was cut off is noticed and asked for again within that time. */
const recoverMs = 15_000;

interface Health {
  readonly nodes: readonly {
    readonly stores: readonly { readonly store: string; readonly state: string; readonly since: string }[];
  }[];
}

/** Resolves to how many events were acknowledged meanwhile. */
export async function passThrough(fleet: Fleet, load: Load, { store, how, forMs, isSeen }: Outage): Promise<number> {
  const proxy = fleet.cluster.proxies[store];
  if (!proxy) throw new Error(`nothing is between the nodes and ${store}`);
  const before = load.acknowledged.size;
  const refused = load.statuses.get(503) ?? 0;
  const beganAt = Date.now();
  if (how === 'cut') proxy.cut();
  else if (how === 'hang') proxy.hang();
  else proxy.slow(slowMs);
  try {
    const over = pause(forMs);
    if (isSeen) await expectNamed(fleet, { store, how, forMs }, beganAt);
    await over;
  } finally {
    proxy.heal();
  }
  const during = load.acknowledged.size - before;
  if (store === 'log' && how !== 'slow') {
    const wasRefused = (load.statuses.get(503) ?? 0) > refused;
    // In a short one all senders may still be waiting.
    expect(wasRefused || (forMs < underWayMs && during <= load.connections)).toBe(true);
  } else expect(during).toBeGreaterThan(0);
  expect([...load.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(load.withoutRetryAfter).toBe(0);
  const after = load.acknowledged.size;
  await fleet.jobs[0]!.until('events are taken again', () => load.acknowledged.size > after, recoverMs);
  return during;
}

/** Health names the store, and since when; of the state store, without which it has no answer, the answer of the API does. */
async function expectNamed(
  { cluster, api }: Fleet,
  { store, how, forMs }: Pick<Outage, 'store' | 'how' | 'forMs'>,
  beganAt: number,
): Promise<void> {
  const [node] = api;
  if (!node) throw new Error('nobody answers');
  if (store === 'state' && how !== 'slow') {
    await node.until(
      'the API names the state store',
      async () => {
        const answer = await cluster.call(node, '/health/');
        return answer.status === 503 && (await answer.text()).includes('STATE_UNAVAILABLE');
      },
      forMs,
    );
    return;
  }
  const wanted = how === 'slow' ? ['slow', 'down'] : ['down'];
  const { since } = await node.until(
    `Health says that ${store} is ${wanted.join(' or ')}`,
    async () => {
      const { nodes } = await cluster.api<Health>(node, '/health/');
      return nodes
        .flatMap(({ stores }) => stores)
        .find(
          (view) => view.store === store && wanted.includes(view.state) && Date.parse(view.since) >= beganAt - 1_000,
        );
    },
    forMs,
  );
  expect(Date.parse(since)).toBeLessThan(beganAt + forMs);
}
