/** Hostile and broken input against the whole program: the right answer, a healthy server, other events unaffected. */
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PayloadColumns, payloadColumns, withPayloads } from '../src/ports/events/payload-rows.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create({ CULPRIT_BODY_TIMEOUT_SECONDS: '2' });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const url = (): string => envelopeUrl(server.installed.dsn);

function envelope(payload: string | Uint8Array, eventId = newEventId()): Uint8Array<ArrayBuffer> {
  const head = Buffer.from(
    `${JSON.stringify({ event_id: eventId })}\n${JSON.stringify({ type: 'event', length: Buffer.byteLength(payload) })}\n`,
  );
  return Buffer.concat([head, Buffer.from(payload)]);
}

const event = (fields: Record<string, unknown>): string =>
  JSON.stringify({ platform: 'node', timestamp: Date.now() / 1000, message: 'hostile', ...fields });

const gzipBomb = (): Uint8Array<ArrayBuffer> =>
  gzipSync(Buffer.concat([Buffer.from('{}\n{"type":"event"}\n'), Buffer.alloc(300 * 1024 * 1024, 0x20)]));

/** What is sent, the answer, and what the message must say. */
const refusals: readonly [what: string, status: number, says: RegExp, request: () => [string, RequestInit]][] = [
  ['a malformed envelope', 400, /malformed/, () => [url(), { body: 'not an envelope' }]],
  ['a length that lies', 400, /malformed/, () => [url(), { body: '{}\n{"type":"event","length":999}\n{}' }]],
  [
    'a key that no project has',
    403,
    /DSN/,
    () => [url().replace(/sentry_key=\w+/, `sentry_key=${'0'.repeat(32)}`), { body: errorEnvelope(newEventId()) }],
  ],
  [
    'a key that is none',
    400,
    /key/,
    () => [url().replace(/sentry_key=\w+/, 'sentry_key=nonsense'), { body: errorEnvelope(newEventId()) }],
  ],
  ['no key', 401, /key/, () => [url().replace(/\?.*/, ''), { body: errorEnvelope(newEventId()) }]],
  [
    'a project that does not exist',
    403,
    /DSN|project/,
    () => [url().replace('/api/1/', '/api/999/'), { body: errorEnvelope(newEventId()) }],
  ],
  [
    'a project that is no number',
    400,
    /not a number/,
    () => [url().replace('/api/1/', '/api/web/'), { body: errorEnvelope(newEventId()) }],
  ],
  ['an empty body', 400, /empty/, () => [url(), { body: '' }]],
  ['a gzip bomb', 413, /larger|bytes/, () => [url(), { body: gzipBomb(), headers: { 'content-encoding': 'gzip' } }]],
  ['text that is no gzip', 400, /gzip/, () => [url(), { body: 'plain', headers: { 'content-encoding': 'gzip' } }]],
  [
    'JSON nested ten million deep',
    413,
    /bytes/,
    () => [url(), { body: envelope(`{"extra":${'['.repeat(10_000_000)}`) }],
  ],
  [
    'an event of 50 MB',
    413,
    /larger|bytes/,
    () => [url(), { body: envelope(event({ extra: { blob: 'x'.repeat(50_000_000) } })) }],
  ],
];

async function expectGoodEventArrives(): Promise<void> {
  const eventId = newEventId();
  const response = await fetch(url(), { method: 'POST', body: errorEnvelope(eventId) });
  expect(response.status).toBe(200);
  await server.until('a good event is stored', async () => (await storedEvent(eventId)) !== undefined);
}

async function storedEvent(eventId: string): Promise<Record<string, unknown> | undefined> {
  await using events = await server.events();
  const rows = await events.query<PayloadColumns>(`SELECT ${payloadColumns} FROM errors WHERE event_id = {id:String}`, {
    id: eventId,
  });
  const [row] = await withPayloads(events, rows);
  return row && (JSON.parse(row.payload) as Record<string, unknown>);
}

test.each(refusals)('%s: %d and a message that helps', async (_what, status, says, request) => {
  const [target, init] = request();
  const response = await fetch(target, { method: 'POST', ...init }).catch((error: unknown) => error);
  // A server that has answered may close before the client has sent everything; then a client may see the reset only.
  if (response instanceof Response) {
    expect(response.status).toBe(status);
    const answer = (await response.json()) as { detail: string };
    expect(answer.detail).toMatch(says);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  } else {
    expect(status).toBe(413);
  }
  await expectGoodEventArrives();
});

test('a disabled key: 403 that says so', async () => {
  const { organization, project } = server.installed;
  const key = await server.api<{ id: string; dsn: { public: string } }>(`/projects/${organization}/${project}/keys/`, {
    method: 'POST',
    body: JSON.stringify({ name: 'to be disabled' }),
  });
  const target = envelopeUrl(key.dsn.public);
  expect((await fetch(target, { method: 'POST', body: errorEnvelope(newEventId()) })).status).toBe(200);
  await server.api(`/projects/${organization}/${project}/keys/${key.id}/`, {
    method: 'PUT',
    body: JSON.stringify({ isActive: false }),
  });
  const response = await fetch(target, { method: 'POST', body: errorEnvelope(newEventId()) });
  expect(response.status).toBe(403);
  expect(await response.text()).toMatch(/disabled/);
  await expectGoodEventArrives();
});

test('a body sent one byte a second: 408, and others are served meanwhile', async () => {
  const { pathname, search } = new URL(url());
  const socket = connect(server.port, '127.0.0.1');
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
    socket.on('error', () => resolve(text));
  });
  socket.write(`POST ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n`);
  const drip = setInterval(() => socket.writable && socket.write('{'), 1_000);
  await expectGoodEventArrives();
  expect(await answer).toMatch(/^HTTP\/1\.1 408/);
  clearInterval(drip);
});

/** Accepted, since only its content is odd; what is stored must be sane. */
const oddities: readonly [
  what: string,
  payload: () => string | Uint8Array,
  check: (stored: Record<string, unknown>) => void,
][] = [
  [
    'invalid UTF-8',
    () => Buffer.from([...Buffer.from('{"message":"'), 0xff, 0xfe, 0xc0, ...Buffer.from('"}')]),
    (stored) => expect(JSON.stringify(stored)).toContain('\ufffd'),
  ],
  [
    'NUL bytes',
    () => event({ message: 'a\0b', tags: { 'k\0': 'v\0w' } }),
    (stored) => expect(JSON.stringify(stored)).not.toContain('\\u0000'),
  ],
  [
    'lone surrogates',
    () => '{"message":"x\\ud800y\\udc00z"}',
    (stored) => expect(JSON.stringify(stored).isWellFormed()).toBe(true),
  ],
  [
    'a timestamp in 1970',
    () => event({ timestamp: 1 }),
    (stored) => expect(Number(stored.timestamp)).toBeGreaterThan(1.7e9),
  ],
  [
    'a timestamp in 2100',
    () => event({ timestamp: '2100-01-01T00:00:00Z' }),
    (stored) => expect(Number(stored.timestamp)).toBeLessThan(4e9),
  ],
  [
    'numbers beyond 2^53',
    () => '{"message":"n","extra":{"big":123456789012345678901234567890,"huge":1e999}}',
    (stored) => expect(stored.extra).toBeDefined(),
  ],
  [
    '__proto__ keys',
    () =>
      '{"message":"p","extra":{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}},"tags":{"__proto__":"t"}}',
    () => expect(({} as Record<string, unknown>).polluted).toBeUndefined(),
  ],
  [
    'JSON nested 400,000 deep',
    () => `{"message":"deep","extra":{"x":${'['.repeat(400_000)}${']'.repeat(400_000)}}}`,
    (stored) => expect(JSON.stringify(stored).length).toBeLessThan(20_000),
  ],
  [
    'wrong types everywhere',
    () =>
      event({
        exception: 7,
        tags: [1, [2]],
        user: 'me',
        request: [],
        contexts: 'x',
        breadcrumbs: { values: 3 },
        level: {},
        release: [],
      }),
    (stored) => expect(stored.level).toBe('error'),
  ],
  [
    '9,000 frames',
    () =>
      event({
        exception: {
          values: [
            {
              type: 'E',
              value: 'v',
              stacktrace: { frames: Array.from({ length: 9_000 }, (_, n) => ({ function: `f${n}`, lineno: n })) },
            },
          ],
        },
      }),
    (stored) => expect(JSON.stringify(stored).match(/"lineno"/g)?.length).toBe(250),
  ],
];

test.each(oddities)('%s: accepted, stored sanely', async (_what, payload, check) => {
  const eventId = newEventId();
  const response = await fetch(url(), { method: 'POST', body: envelope(payload(), eventId) });
  expect(response.status).toBe(200);
  check(await server.until('it is stored', () => storedEvent(eventId)));
});

test('JSON that is none: accepted, kept aside with its reason, visible through the API', async () => {
  const eventId = newEventId();
  expect((await fetch(url(), { method: 'POST', body: envelope('{"message": nope', eventId) })).status).toBe(200);
  const item = await server.until('it is kept', async () => {
    const items = await server.api<{ eventId: string | null; outcome: string; reason: string }[]>(
      `/organizations/${server.installed.organization}/items/?outcome=invalid`,
    );
    return items.find((candidate) => candidate.eventId === eventId);
  });
  expect(item).toMatchObject({ outcome: 'invalid', reason: expect.stringMatching(/json/) });
  await expectGoodEventArrives();
});

test('an item type that nobody knows: the rest of its envelope is taken, and it is visible', async () => {
  const eventId = newEventId();
  const body = `${errorEnvelope(eventId)}{"type":"hologram"}\n{"depth":3}\n`;
  expect((await fetch(url(), { method: 'POST', body })).status).toBe(200);
  await server.until('the event is stored', () => storedEvent(eventId));
  // A batch's items are inserted after its events.
  const item = await server.until('the item is stored', async () => {
    const path = `/organizations/${server.installed.organization}/items/?type=hologram`;
    return (await server.api<{ itemType: string; reason: string }[]>(path))[0];
  });
  expect(item).toMatchObject({ reason: 'unknown_type' });
});

test('nothing of it made the server log an error', () => {
  expect(server.output).not.toMatch(/"level":(50|60)/);
});
