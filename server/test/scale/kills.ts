/**
 * A cluster with a number of nodes of each role, under load, with what proves that it lost nothing: who is told of new
 * issues, who was signed in, which batches were delivered again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { expect } from 'vitest';
import { type HttpReceiver, openHttpReceiver } from '../../src/domains/notify/testing/receiver.ts';
import type { Events } from '../../src/ports/events/events.ts';
import { connectEvents, parseEventsUrl } from '../../src/ports/events/open.ts';
import { type PayloadColumns, payloadColumns, withPayloads } from '../../src/ports/events/payload-rows.ts';
import { owner, type Server } from '../harness.ts';
import { Cluster } from './cluster.ts';
import type { Load } from './load.ts';

export interface Fleet extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly intake: Server[];
  readonly processing: Server[];
  readonly api: Server[];
  readonly jobs: Server[];
  readonly receiver: HttpReceiver;
  /** Signed in at the first node of the API. */
  readonly cookie: string;
  /** Batches that were handed to a node more than once. */
  readonly redelivered: ReadonlySet<number>;
}

export interface FleetOptions {
  readonly intake: number;
  readonly processing: number;
  readonly api: number;
  readonly jobs?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/** With a rule that tells of each new issue, and somebody signed in. */
export async function startFleet({
  intake,
  processing,
  api,
  jobs: working = 1,
  environment,
}: FleetOptions): Promise<Fleet> {
  await using opened = new AsyncDisposableStack();
  const receiver = opened.use(await openHttpReceiver());
  const cluster = opened.use(
    await Cluster.create({
      nats: true,
      natsParameters: 'ack_wait=3',
      environment: { CULPRIT_OUTBOUND_ALLOW: new URL(receiver.url).host, ...environment },
    }),
  );
  const many = (count: number, role: string): Promise<Server[]> =>
    Promise.all(Array.from({ length: count }, () => cluster.start(role)));
  const [intakes, processings, apis, jobs] = await Promise.all([
    many(intake, 'intake'),
    many(processing, 'process'),
    many(api, 'api'),
    many(working, 'jobs'),
  ]);
  const [first] = apis;
  if (!first) throw new Error('a fleet has a node of the API');
  const redelivered = opened.use(await watchDeliveries(cluster));
  await tellOfNewIssues(cluster, first, receiver);
  const cookie = await cluster.signIn(first);
  const closing = opened.move();
  return {
    cluster,
    intake: intakes,
    processing: processings,
    api: apis,
    jobs,
    receiver,
    cookie,
    redelivered: redelivered.ranges,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** Two channels: the receiver of one recognises a repeat, that of the other does not. */
async function tellOfNewIssues(cluster: Cluster, at: Server, receiver: HttpReceiver): Promise<void> {
  const root = `/organizations/${cluster.installed.organization}`;
  const post = <T>(path: string, body: unknown): Promise<T> =>
    cluster.api<T>(at, root + path, { method: 'POST', body: JSON.stringify(body) });
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const signed = { type: 'webhook', name: 'Signed', config: { url: `${receiver.url}/signed`, secret } };
  const chat = { type: 'slack', name: 'Chat', config: { url: `${receiver.url}/chat` } };
  const channels = [await post<{ id: string }>('/channels/', signed), await post<{ id: string }>('/channels/', chat)];
  const rules = `${root}/alert-rules/`;
  for (const { id } of await cluster.api<{ id: string }[]>(at, rules)) {
    await cluster.call(at, `${rules}${id}/`, { method: 'DELETE' });
  }
  await post('/alert-rules/', {
    kind: 'issue',
    name: 'Each new issue',
    conditions: [{ type: 'new_issue' }],
    throttleMinutes: 0,
    digestMinutes: 0,
    channelIds: channels.map(({ id }) => id),
  });
  // Only of what happens from when a node has begun to look.
  await at.until('somebody looks at the rules', async () => {
    return (await cluster.query('select 1 from alert_lease where claimed_until > 0')).length > 0;
  });
}

/** What nodes say of their batches to NATS has how often each was delivered. */
async function watchDeliveries({ nats }: Cluster): Promise<AsyncDisposable & { readonly ranges: ReadonlySet<number> }> {
  if (!nats) throw new Error('a fleet has NATS');
  const ranges = new Set<number>();
  const connection = await connect({ servers: `${nats.host}:${nats.port}`, maxReconnectAttempts: -1 });
  connection.subscribe('$JS.ACK.>', {
    callback: (_error, { subject }) => {
      const words = subject.split('.');
      const from = words.length === 9 ? 4 : 6;
      if (Number(words[from]) > 1) ranges.add(Number(words[from + 1]));
    },
  });
  await connection.flush();
  return { ranges, [Symbol.asyncDispose]: () => connection.close() };
}

/** The same numbers for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Killing {
  readonly seed: number;
  readonly forMs: number;
  /** From one kill to the next, at least and at most, ms. */
  readonly restMs: readonly [number, number];
}

/**
 * Kills nodes in random order, each once before any comes again, and starts each again at once; resolves to how often, by
 * role, when all are ready again.
 */
export async function killAtRandom(
  fleet: Pick<Fleet, 'intake' | 'processing' | 'api' | 'jobs'>,
  { seed, forMs, restMs: [least, most] }: Killing,
): Promise<Record<string, number>> {
  const random = seeded(seed);
  const roles = { intake: fleet.intake, process: fleet.processing, api: fleet.api, jobs: fleet.jobs };
  const nodes = Object.entries(roles).flatMap(([role, ofRole]) => ofRole.map((node) => ({ role, node })));
  const kills: Record<string, number> = {};
  const starting = new Map<Server, Promise<void>>();
  const until = performance.now() + forMs;
  let left: typeof nodes = [];
  while (performance.now() < until) {
    await pause(least + random() * (most - least));
    if (left.length === 0) left = [...nodes];
    const [victim] = left.splice(Math.floor(random() * left.length), 1);
    if (!victim) throw new Error('there is nobody to kill');
    const { role, node } = victim;
    kills[role] = (kills[role] ?? 0) + 1;
    await node.kill();
    // One that is killed while it starts does not become ready.
    void starting.get(node)?.catch(() => {});
    const started = node.start();
    started.catch(() => {});
    starting.set(node, started);
  }
  await Promise.all(starting.values());
  return kills;
}

export async function drained({ processing }: Pick<Fleet, 'processing'>, limitMs = 120_000): Promise<void> {
  const [node] = processing;
  if (!node) throw new Error('nobody processes');
  await node.until(
    'the log is empty',
    async () => /^culprit_log_records 0$/m.test(await (await fetch(`${node.url}/metrics`)).text()),
    limitMs,
  );
}

const newest = 200;

/** Of what was acknowledged so far, the newest is stored; more comes meanwhile. */
export async function caughtUp({ cluster, processing }: Fleet, load: Load, limitMs: number): Promise<void> {
  const [node] = processing;
  if (!node) throw new Error('nobody processes');
  const ids = [...load.acknowledged].slice(-newest);
  await using events = eventsOf(cluster);
  await node.until(
    'what was acknowledged is stored',
    async () => {
      const [found] = await events.query<{ n: number }>(
        'SELECT uniqExact(event_id) AS n FROM errors WHERE event_id IN {ids:Array(String)}',
        { ids },
      );
      return Number(found?.n) === ids.length;
    },
    limitMs,
  );
}

/** Past the proxies. */
export function eventsOf({ engine, environment }: Cluster): Events {
  return connectEvents({
    ...parseEventsUrl(environment['CULPRIT_EVENTS_URL'] ?? ''),
    url: engine.address.url,
    payloadsUrl: environment['CULPRIT_BLOBS_URL'] ?? '',
  });
}

export interface Found {
  readonly acknowledged: number;
  readonly stored: number;
  /** Of those whose request broke, what was stored all the same. */
  readonly storedUnknown: number;
  /** Of those that were refused: no more than were under way as NATS went away, each time. */
  readonly storedRefused: number;
  readonly issues: number;
}

/** What was acknowledged is stored once, with its payload, and all sums agree. */
export async function expectExactlyOnce({ cluster }: Pick<Fleet, 'cluster'>, load: Load): Promise<Found> {
  await using events = eventsOf(cluster);
  const rows = await events.query<PayloadColumns & { event_id: string }>(
    `SELECT event_id, ${payloadColumns} FROM errors`,
  );
  const stored = new Set(rows.map((row) => row.event_id));
  const lost = [...load.acknowledged].filter((id) => !stored.has(id));
  const isSent = (id: string): boolean => [load.acknowledged, load.unknown, load.refused].some((ids) => ids.has(id));
  const strange = [...stored].filter((id) => !isSent(id));
  expect({ lost, strange, rows: rows.length }).toEqual({ lost: [], strange: [], rows: stored.size });
  const whole = await withPayloads(events, rows);
  const readable = whole.filter(
    (row) => (JSON.parse(row.payload) as { event_id: string }).event_id === row.event_id,
  ).length;
  const [sums] = await events.query<Record<string, number>>(
    `SELECT (SELECT sum(events) FROM issue_hours) AS hours, (SELECT sum(events) FROM issue_ranks WHERE days = 1) AS days,
       (SELECT sum(quantity) FROM outcomes WHERE outcome = 'accepted' AND category = 'error') AS outcomes`,
  );
  const { size } = stored;
  expect({ readable, ...sums }).toEqual({ readable: size, hours: size, days: size, outcomes: size });
  const [{ issues } = { issues: 0 }] = await cluster.query<{ issues: number }>(
    'select count(*)::int as issues from issue',
  );
  expect(issues).toBeGreaterThanOrEqual(load.bugs.size);
  return {
    acknowledged: load.acknowledged.size,
    stored: size,
    storedUnknown: [...load.unknown].filter((id) => stored.has(id)).length,
    storedRefused: [...load.refused].filter((id) => stored.has(id)).length,
    issues,
  };
}

export interface Told {
  /** Calls that the receiver recognises as repeats. */
  readonly repeats: number;
  /** Nobody can say whether they arrived, and nobody sent them again. */
  readonly uncertain: number;
}

/** Of each issue the signed channel heard once, and the chat at most once: what it did not hear is `uncertain`. */
export async function expectToldOnce({ cluster, receiver, jobs }: Fleet): Promise<Told> {
  const titles = (await cluster.query<{ title: string }>('select title from issue')).map(({ title }) => title);
  const firings = () =>
    cluster.query<{ issue: number; count: number }>(
      'select issue_id as issue, count(*)::int as count from alert_firing group by 1',
    );
  const deliveries = () =>
    cluster.query<{ name: string; state: string; count: number }>(
      `select channel.name, delivery.state, count(*)::int as count from delivery
       join channel on channel.id = delivery.channel_id group by 1, 2 order by 1, 2`,
    );
  const [node] = jobs;
  if (!node) throw new Error('nobody tells');
  await node.until(
    'all is told',
    async () => {
      const isOver = (await deliveries()).every(({ state }) => state !== 'waiting' && state !== 'sending');
      return isOver && (await firings()).length === titles.length;
    },
    120_000,
  );
  expect((await firings()).filter(({ count }) => count > 1)).toEqual([]);
  const found = await deliveries();
  const countOf = (channel: string, state: string): number =>
    found.find((one) => one.name === channel && one.state === state)?.count ?? 0;
  const uncertain = countOf('Chat', 'uncertain');
  expect(found.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'Chat sent',
    ...(uncertain ? ['Chat uncertain'] : []),
    'Signed sent',
  ]);

  const signed = receiver.calls.filter(({ path }) => path === '/signed');
  const keysOf = Map.groupBy(signed, ({ headers }) => String(headers['idempotency-key']));
  // What is found at one look is one message.
  const toldOf = (bodies: readonly string[]): Map<string, number> => {
    const counts = new Map(titles.map((title) => [title, 0]));
    for (const body of bodies) {
      for (const told of new Set(body.match(/Bug[A-J]+: of a test/g))) counts.set(told, (counts.get(told) ?? 0) + 1);
    }
    return counts;
  };
  const once = new Map(titles.map((title) => [title, 1]));
  const firsts = [...keysOf.values()].map(([first]) => first?.body ?? '');
  expect(toldOf(firsts)).toEqual(once);
  const chat = toldOf(receiver.calls.filter(({ path }) => path === '/chat').map(({ body }) => body));
  expect([...chat].filter(([, count]) => count > 1)).toEqual([]);
  if (uncertain === 0) expect(chat).toEqual(once);
  return { repeats: signed.length - keysOf.size, uncertain };
}

/** Through each node of the API. */
export async function expectSignedIn({ api, cookie }: Pick<Fleet, 'api' | 'cookie'>): Promise<void> {
  for (const { url } of api) {
    const answer = await fetch(`${url}/api/0/`, { headers: { cookie } });
    expect(await answer.json()).toMatchObject({ user: { email: owner.email } });
  }
}
