/** Sent by the client = accepted + filtered + limited + invalid + discarded, per category, project, key and minute. */
import { createTransport, defaultStackParser, NodeClient, Scope } from '@sentry/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFixtures, listLanguageFixtures, readFixture, readLanguageFixture } from '../../fixtures/index.ts';
import { enter, type Ledger, type Sent, sentByEnvelope, sentByFixture, withinMinute } from './accounting/ledger.ts';
import { envelopeUrl, newEventId, Server } from './harness.ts';
import { replay } from './languages/replay.ts';

interface Key {
  readonly id: string;
  readonly label: string;
  readonly dsn: { readonly public: string };
}

interface Account {
  readonly keyId: string | null;
  readonly keyLabel: string | null;
  readonly category: string;
  readonly sent: number;
  readonly accepted: number;
  readonly filtered: number;
  readonly limited: number;
  readonly invalid: number;
  readonly discarded: number;
  readonly dropped: readonly { readonly outcome: string; readonly reason: string; readonly total: number }[];
}

let server: Server;
beforeAll(async () => {
  server = await Server.create({ CULPRIT_STORM_GUARD: 'on' });
});
afterAll(() => server?.[Symbol.asyncDispose]());

const accounts = async (keyId?: string): Promise<Account[]> =>
  (await server.api<{ accounts: Account[] }>(`/organizations/acme/accounts/${keyId ? `?key=${keyId}` : ''}`)).accounts;

const newKey = (change: object): Promise<Key> =>
  server.api<Key>('/projects/acme/web/keys/', { method: 'POST', body: JSON.stringify(change) });

/** As the store has it, by key and minute. */
async function stored(keyIds: readonly string[]): Promise<Record<string, number>> {
  await using events = await server.events();
  const rows = await events.query<{ key: number; at: number; category: string; n: number }>(
    `SELECT key_id AS key, toUnixTimestamp64Milli(minute) AS at, category, sum(quantity) AS n FROM outcomes
     GROUP BY key, at, category`,
  );
  return Object.fromEntries(
    rows
      .filter(({ key }) => keyIds.includes(String(key)))
      .map(({ key, at, category, n }) => [`${key} ${new Date(at).toISOString()} ${category}`, n]),
  );
}

/** Errors that are made of exceptions in spans of OpenTelemetry count as if they had been sent. */
async function withMade(ledger: Ledger, keyId: string): Promise<Ledger> {
  await using events = await server.events();
  const made = await events.query<{ at: number; n: number }>(
    `SELECT toUnixTimestamp64Milli(toDateTime64(toStartOfMinute(received_at), 3, 'UTC')) AS at, count() AS n FROM errors
     WHERE startsWith(mechanism, 'opentelemetry') GROUP BY at`,
  );
  for (const { at, n } of made) enter(ledger, keyId, at, [['error', n]]);
  return ledger;
}

function expectIdentity(found: readonly Account[]): void {
  expect(found).not.toEqual([]);
  for (const { sent, accepted, filtered, limited, invalid, discarded, dropped } of found) {
    expect(sent).toBe(accepted + filtered + limited + invalid + discarded);
    expect(dropped.reduce((sum, { total }) => sum + total, 0)).toBe(sent - accepted);
  }
}

/** Without the recorder's DSN, which stands in some headers. */
function withoutDsn(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = Buffer.from(bytes);
  const end = own.indexOf(0x0a);
  const { dsn: _, ...header } = JSON.parse(own.subarray(0, end).toString()) as Record<string, unknown>;
  return Buffer.concat([Buffer.from(JSON.stringify(header)), own.subarray(end)]);
}

test('all that was recorded of SDKs', async () => {
  const ledger: Ledger = new Map();
  const [browser, language] = [await newKey({ name: 'JavaScript' }), await newKey({ name: 'Languages' })];
  for (const name of listFixtures()) {
    const { bytes } = readFixture(name);
    const minute = await withinMinute();
    const response = await fetch(envelopeUrl(browser.dsn.public), { method: 'POST', body: withoutDsn(bytes) });
    expect([name, response.status, await response.text()]).toEqual([name, 200, expect.any(String)]);
    enter(ledger, browser.id, minute, sentByEnvelope(bytes));
  }
  for (const fixture of listLanguageFixtures().map(readLanguageFixture)) {
    const minute = await withinMinute();
    const response = await replay(fixture, { ...server.installed, dsn: language.dsn.public });
    expect([fixture.name, response.status, await response.text()]).toEqual([fixture.name, 200, expect.any(String)]);
    enter(ledger, language.id, minute, sentByFixture(fixture));
  }
  await server.drained();
  expect(await stored([browser.id, language.id])).toEqual(Object.fromEntries(await withMade(ledger, language.id)));

  const found = await accounts(browser.id);
  expectIdentity(found);
  expect(new Set(found.map(({ keyLabel }) => keyLabel))).toEqual(new Set(['JavaScript']));
  expect(found.some(({ discarded }) => discarded > 0)).toBe(true);
});

const item = (type: string, payload: string, header: object = {}): string =>
  `${JSON.stringify({ type, length: Buffer.byteLength(payload), ...header })}\n${payload}\n`;
const event = (more: object = {}): string => JSON.stringify({ message: 'it broke', ...more });
const logs = { item_count: 7, content_type: 'application/vnd.sentry.items.log+json' };

/** Name, body, what was sent, and the answer. */
const refused: readonly (readonly [name: string, body: string, sent: readonly Sent[], status: number])[] = [
  ['an event that is not JSON', item('event', '{"message":'), [['error', 1]], 200],
  ['an event that is no object', item('event', '[]'), [['error', 1]], 200],
  ['two events', item('event', event()) + item('event', event()), [['error', 2]], 200],
  ['a type that nobody knows', item('mystery', 'hello'), [['unknown', 1]], 200],
  ['logs that are not JSON', item('log', '{"items":[', logs), [['log_item', 7]], 200],
  ['no logs', item('log', '{"items":[]}', { ...logs, item_count: 0 }), [['log_item', 1]], 200],
  ['a transaction of which nothing can be read', item('transaction', '{'), [['transaction', 1]], 200],
  ['a session without a release', item('session', '{"sid":"a"}'), [['session', 1]], 200],
  ['a report that is no object', item('client_report', '[]'), [['internal', 1]], 200],
  [
    'reports of what was discarded',
    item(
      'client_report',
      JSON.stringify({
        discarded_events: [
          { reason: 'sample_rate', category: 'transaction', quantity: 40 },
          { reason: 'before_send', category: 'error', quantity: 2 },
        ],
      }),
    ),
    [
      ['internal', 1],
      ['transaction', 40],
      ['error', 2],
    ],
    200,
  ],
  [
    'a health check with its spans',
    item(
      'transaction',
      JSON.stringify({
        transaction: 'GET /healthz',
        start_timestamp: Date.now() / 1000 - 1,
        timestamp: Date.now() / 1000,
        contexts: { trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'http.server' } },
        spans: [
          {
            trace_id: 'a'.repeat(32),
            span_id: 'c'.repeat(16),
            parent_span_id: 'b'.repeat(16),
            start_timestamp: Date.now() / 1000 - 1,
            timestamp: Date.now() / 1000,
          },
        ],
      }),
    ),
    [
      ['transaction', 1],
      ['span', 2],
    ],
    200,
  ],
  ['an event that is too large', item('event', event({ extra: 'x'.repeat(1_100_000) })), [['error', 1]], 413],
  [
    'files behind an event that is too large',
    item('event', event({ extra: 'x'.repeat(1_100_000) })) + item('attachment', 'a file') + item('attachment', 'b'),
    [
      ['error', 1],
      ['attachment', 2],
    ],
    413,
  ],
  ['what is no envelope', 'nothing\n', [['unknown', 1]], 400],
  ['an envelope that ends early', `${item('event', event())}{"type":"event","length":99}\n{`, [['error', 2]], 400],
];

test('what is refused, dropped and discarded, by key', async () => {
  const ledger: Ledger = new Map();
  const key = await newKey({ name: 'Faulty' });
  const off = await newKey({ name: 'Off' });
  await server.api(`/projects/acme/web/keys/${off.id}/`, { method: 'PUT', body: JSON.stringify({ isActive: false }) });
  const limited = await newKey({ name: 'Limited', rateLimit: { count: 3, window: 3_600 } });
  const post = async (to: Key, body: string, sent: readonly Sent[]): Promise<number> => {
    const minute = await withinMinute();
    const text = body === 'nothing\n' ? body : `${JSON.stringify({ event_id: newEventId() })}\n${body}`;
    const response = await fetch(envelopeUrl(to.dsn.public), { method: 'POST', body: text });
    await response.arrayBuffer();
    enter(ledger, to.id, minute, sent);
    return response.status;
  };
  for (const [name, body, sent, status] of refused) expect([name, await post(key, body, sent)]).toEqual([name, status]);
  // The body is not read.
  expect(await post(off, item('event', event()), [['unknown', 1]])).toBe(403);
  for (let sent = 0; sent < 3; sent++) expect(await post(limited, item('event', event()), [['error', 1]])).toBe(200);
  const both = item('event', event()) + item('attachment', 'a file') + item('client_report', '{}');
  expect(
    await post(limited, both, [
      ['error', 1],
      ['attachment', 1],
      ['internal', 1],
    ]),
  ).toBe(200);
  expect(await post(limited, item('event', event()), [['error', 1]])).toBe(429);
  await server.drained();
  await server.until('what was refused is counted', async () => {
    const sent = (await accounts(off.id)).reduce((sum, one) => sum + one.sent, 0);
    return sent > 0;
  });
  await server.drained();
  expect(await stored([key.id, off.id, limited.id])).toEqual(Object.fromEntries(ledger));
  expectIdentity(await accounts());
  const [errors] = (await accounts(limited.id)).filter(({ category }) => category === 'error');
  expect(errors).toMatchObject({
    sent: 5,
    accepted: 3,
    limited: 2,
    dropped: [{ outcome: 'rate_limited', reason: 'key_quota', total: 2 }],
  });
});

test('a storm', async () => {
  const key = await newKey({ name: 'Storm' });
  const report = item(
    'client_report',
    '{"discarded_events":[{"reason":"sample_rate","category":"error","quantity":3}]}',
  );
  let sent = 0;
  const send = async (): Promise<void> => {
    const body = `${JSON.stringify({ event_id: newEventId() })}\n${item('event', event())}${item('attachment', 'a file')}${report}`;
    const response = await fetch(envelopeUrl(key.dsn.public), { method: 'POST', body });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    sent++;
  };
  const isStorm = async () => /^culprit_storm_projects 1$/m.test(await server.metrics());
  await server.until('the guard has noticed', async () => {
    await Promise.all(Array.from({ length: 100 }, send));
    return isStorm();
  });
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 100 }, send));
  await server.drained();
  await server.until('what was not stored is counted', async () => {
    const files = (await accounts(key.id)).find(({ category }) => category === 'attachment');
    return (files?.sent ?? 0) >= sent;
  });
  await server.drained();
  const found = await accounts(key.id);
  expectIdentity(found);
  const of = (category: string) => found.find((one) => one.category === category);
  expect(of('error')).toMatchObject({ sent: 4 * sent, discarded: 3 * sent, invalid: 0, limited: 0 });
  expect(of('error')?.filtered).toBeGreaterThan(0);
  expect(of('attachment')).toMatchObject({ sent, filtered: of('error')?.filtered });
  expect(of('internal')).toMatchObject({ sent, accepted: sent });
});

/** As if it were another one: an id of its own. */
function sentAnew(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = Buffer.from(withoutDsn(bytes));
  const { event_id: id } = JSON.parse(own.subarray(0, own.indexOf(0x0a)).toString()) as { event_id?: string };
  return id ? Buffer.from(own.toString('latin1').replaceAll(id, newEventId()), 'latin1') : own;
}

/** Of all in the recorded corpus; errors of them come several times. */
const errorsMore = 3;
const roundsInStorm = 5;

test('a storm of all that was recorded: spans, logs, sessions, check-ins and metrics add up beside the errors', async () => {
  const ledger: Ledger = new Map();
  const key = await newKey({ name: 'Recorded storm' });
  const all = listFixtures().map((name) => {
    const { bytes } = readFixture(name);
    return { bytes, sent: sentByEnvelope(bytes) };
  });
  const round = [
    ...all,
    ...Array.from({ length: errorsMore }, () => all.filter(({ sent }) => sent.some(([of]) => of === 'error'))).flat(),
  ];
  const send = async ({ bytes, sent }: (typeof all)[number]): Promise<void> => {
    const minute = await withinMinute();
    const response = await fetch(envelopeUrl(key.dsn.public), { method: 'POST', body: sentAnew(bytes) });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
    enter(ledger, key.id, minute, sent);
  };
  let inStorm = 0;
  await server.until('a storm of some rounds', async () => {
    await Promise.all(round.map(send));
    if (/^culprit_storm_projects 1$/m.test(await server.metrics())) inStorm++;
    return inStorm > roundsInStorm;
  });
  await server.drained();
  const wanted = Object.fromEntries(ledger);
  await server.until('what was not stored is counted', async () => {
    const found = await stored([key.id]);
    return Object.keys(wanted).every((name) => (found[name] ?? 0) >= (wanted[name] ?? 0));
  });
  expect(await stored([key.id])).toEqual(wanted);

  const found = await accounts(key.id);
  expectIdentity(found);
  const of = Object.fromEntries(found.map((one) => [one.category, one]));
  const storms = ({ dropped }: Account): number =>
    dropped.reduce(
      (sum, { outcome, reason, total }) => sum + (`${outcome}:${reason}` === 'filtered:storm' ? total : 0),
      0,
    );
  const sampled = Object.fromEntries(found.filter((one) => storms(one) > 0).map((one) => [one.category, storms(one)]));
  // Errors and their files, and nothing else.
  expect(Object.keys(sampled).toSorted()).toEqual(['attachment', 'error']);
  for (const category of ['transaction', 'span', 'log_item', 'session', 'monitor', 'trace_metric', 'replay'])
    expect([category, of[category]?.sent]).toEqual([
      category,
      (of[category]?.accepted ?? 0) + (of[category]?.discarded ?? 0),
    ]);
  console.log(
    `in the storm of all that was recorded: ${JSON.stringify(sampled)} of ${of['error']?.sent} errors sampled`,
  );
});

test('a storm of an SDK, which drops what its queue does not hold and says so', async () => {
  const key = await newKey({ name: 'SDK' });
  const client = new NodeClient({
    dsn: key.dsn.public,
    integrations: [],
    stackParser: defaultStackParser,
    sendClientReports: true,
    sampleRate: 0.9,
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        const response = await fetch(options.url, { method: 'POST', body: body as string });
        return { statusCode: response.status };
      }),
  });
  client.init();
  let captured = 0;
  const accountOf = async () => (await accounts(key.id)).find(({ category }) => category === 'error');
  await server.until('the guard samples what the SDK sends', async () => {
    // More at once than its queue of 64 holds.
    for (let count = 0; count < 100; count++, captured++) client.captureException(new Error('again'), {}, new Scope());
    // A report for which the queue had no room either would be lost.
    await client.getTransport()?.flush(10_000);
    await client.flush(10_000);
    return captured >= 3_000 && ((await accountOf())?.filtered ?? 0) > 0;
  });
  await server.until('all is accounted for', async () => (await accountOf())?.sent === captured);
  await client.close(10_000);
  const account = await accountOf();
  expectIdentity(await accounts(key.id));
  expect(account).toMatchObject({ sent: captured, invalid: 0, limited: 0 });
  const reasons = new Set(account?.dropped.map(({ outcome, reason }) => `${outcome}:${reason}`));
  expect(reasons).toEqual(new Set(['filtered:storm', 'client_discard:sample_rate', 'client_discard:queue_overflow']));
  console.log(`captured ${captured}: ${JSON.stringify(account)}`);
});
