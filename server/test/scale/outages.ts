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
  readonly reasons: readonly string[];
  readonly nodes: readonly {
    readonly address: string;
    readonly stores: readonly { readonly store: string; readonly state: string; readonly since: string }[];
  }[];
}

export interface Passed {
  /** Events that were acknowledged meanwhile. */
  readonly acknowledged: number;
  /** From its begin to when Health names it, ms. */
  readonly namedAfterMs: number | undefined;
}

export async function passThrough(fleet: Fleet, load: Load, outage: Outage): Promise<Passed> {
  const { store, how, forMs, isSeen } = outage;
  const proxy = fleet.cluster.proxies[store];
  if (!proxy) throw new Error(`nothing is between the nodes and ${store}`);
  /** Without a log nothing can be promised. */
  const isRefused = store === 'log' && how !== 'slow';
  const before = load.acknowledged.size;
  const refused = load.statuses.get(503) ?? 0;
  const beganAt = Date.now();
  let namedAfterMs: number | undefined;
  if (how === 'cut') proxy.cut();
  else if (how === 'hang') proxy.hang();
  else proxy.slow(slowMs);
  try {
    const over = pause(forMs);
    if (isSeen) {
      await expectNamed(fleet, outage, beganAt);
      namedAfterMs = Date.now() - beganAt;
    }
    await over;
    // A slow machine may have taken none in so short a time: what counts is that they are taken while it lasts.
    if (!isRefused)
      await fleet.jobs[0]!.until(
        `events are taken while ${store} is ${how}`,
        () => load.acknowledged.size > before,
        recoverMs,
      );
  } finally {
    proxy.heal();
  }
  const during = load.acknowledged.size - before;
  if (isRefused) {
    const wasRefused = (load.statuses.get(503) ?? 0) > refused;
    // In a short one all senders may still be waiting.
    expect(wasRefused || (forMs < underWayMs && during <= load.connections)).toBe(true);
  }
  expect([...load.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(load.withoutRetryAfter).toBe(0);
  const after = load.acknowledged.size;
  await fleet.jobs[0]!.until('events are taken again', () => load.acknowledged.size > after, recoverMs);
  if (isSeen) await expectWell(fleet, store);
  return { acknowledged: during, namedAfterMs };
}

const named = { log: 'log', state: 'state store', events: 'events store', blobs: 'blob store' } as const;
const minuteMs = 60_000;

/**
 * Health names the store, since when, and the nodes that see it so. Without the state store nobody can be asked who they
 * are: then each answer of the API says it.
 */
async function expectNamed(
  { cluster, api }: Fleet,
  { store, how, forMs }: Pick<Outage, 'store' | 'how' | 'forMs'>,
  beganAt: number,
): Promise<void> {
  const [node] = api;
  if (!node) throw new Error('nobody answers');
  const isAfter = (time: string): boolean => Date.parse(time) >= beganAt - 1_000;
  if (store === 'state' && how !== 'slow') {
    const detail = await node.until(
      'the API names the state store',
      async () => {
        const answer = await cluster.call(node, '/health/');
        const problem = (await answer.json()) as { code: string; detail: string };
        return answer.status === 503 && problem.code === 'STATE_UNAVAILABLE' && problem.detail;
      },
      forMs,
    );
    const [, address, since = ''] = /on node (\S+) since (.+ UTC)\./.exec(detail) ?? [];
    expect(address).toBe(`127.0.0.1:${node.port}`);
    expect(Date.parse(since)).toBeGreaterThan(beganAt - minuteMs);
    return;
  }
  const wanted = how === 'slow' ? ['slow', 'down'] : ['down'];
  const { address, since, reasons } = await node.until(
    `Health says that ${store} is ${wanted.join(' or ')}`,
    async () => {
      const { nodes, reasons } = await cluster.api<Health>(node, '/health/');
      const views = nodes.flatMap(({ address, stores }) => stores.map((view) => ({ address, reasons, ...view })));
      return views.find((view) => view.store === store && wanted.includes(view.state) && isAfter(view.since));
    },
    forMs,
  );
  expect(Date.parse(since)).toBeLessThan(beganAt + forMs);
  const said = reasons.filter((reason) => reason.startsWith(`The ${named[store]} has been `));
  expect(said.join(' ')).toMatch(/(?:unreachable|slow) since .+ UTC on nodes? /);
  expect(said.some((reason) => reason.includes(address) || reason.includes(' more.'))).toBe(true);
}

/** All nodes see it again, and nobody is told that it is away; on a busy machine it may be slow still. */
async function expectWell({ cluster, api }: Fleet, store: StoreName): Promise<void> {
  const [node] = api;
  await node?.until(`Health says that ${store} is well`, async () => {
    const { nodes, reasons } = await cluster.api<Health>(node, '/health/');
    const views = nodes.flatMap(({ stores }) => stores).filter((view) => view.store === store);
    const isNamed = reasons.some((reason) => reason.startsWith(`The ${named[store]} has been unreachable`));
    return views.length > 0 && views.every(({ state }) => state !== 'down') && !isNamed;
  });
}
