import { Script } from 'node:vm';
import { parseEnvelope } from '@culprit/envelope';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, publicKey, type TestServer } from './test-server.ts';

let server: TestServer;
const eventId = 'c'.repeat(32);
const dsn = `https://${publicKey}@culprit.example.com/1`;

beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());
afterEach(async () => {
  await server.drain();
  expect(server.errors).toEqual([]);
});

const address = (query: Record<string, string> = {}): string =>
  `${server.url}/api/embed/error-page/?${new URLSearchParams({ dsn, eventId, ...query }).toString()}`;
const send = (form: Record<string, string>, query?: Record<string, string>): Promise<Response> =>
  fetch(address(query), { method: 'POST', body: new URLSearchParams(form) });

describe('the script', () => {
  test('is one that a page of any origin may load', async () => {
    const response = await fetch(address({ title: 'Oh no', name: 'Ada' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const text = await response.text();
    expect(text).toContain('"title":"Oh no"');
    expect(text).toContain('"labelSubmit":"Send the report"');
    expect(() => new Script(text)).not.toThrow();
  });

  test.each(['</script><script>alert(1)</script>', `"}); alert(1); ({"`, 'a\u2028\u2029\\', '__proto__'])(
    'a text stays a text: %s',
    async (title) => {
      const text = await (await fetch(address({ title }))).text();
      const options: unknown = JSON.parse(/^\}\)\(([^]*)\);$/m.exec(text)?.[1] ?? '');
      expect(options).toMatchObject({ texts: { title } });
    },
  );
});

describe('what was written', () => {
  test('is a user report of the event', async () => {
    const response = await send({ name: 'Ada', email: 'ada@example.com', comments: ' It broke ' });
    expect([response.status, await response.text()]).toEqual([200, '{}']);
    const [envelope] = await server.drainEnvelopes();
    const { header, items } = parseEnvelope(envelope?.body ?? new Uint8Array());
    expect(header['event_id']).toBe(eventId);
    expect(items.map((item) => [item.header.type, JSON.parse(Buffer.from(item.payload).toString())])).toEqual([
      ['user_report', { event_id: eventId, name: 'Ada', email: 'ada@example.com', comments: 'It broke' }],
    ]);
  });

  test.each<[string, Record<string, string>, Record<string, string>, string]>([
    ['nothing said', { name: 'Ada', comments: ' ' }, {}, 'comments must not be empty'],
    ['no address', { email: 'nobody', comments: 'x' }, {}, 'email must be an address'],
    ['no event', { comments: 'x' }, { eventId: 'latest' }, 'eventId must be an event ID'],
    ['no such key', { comments: 'x' }, { dsn: `https://${'f'.repeat(32)}@h/1` }, ''],
    ['no DSN', { comments: 'x' }, { dsn: 'nonsense' }, ''],
    ['another project', { comments: 'x' }, { dsn: `https://${publicKey}@h/2` }, ''],
  ])('%s', async (_, form, query, detail) => {
    const response = await send(form, query);
    const body = (await response.json()) as { detail: string };
    expect([response.status < 500 && response.status >= 400, body.detail.includes(detail)]).toEqual([true, true]);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await server.drainEnvelopes()).toEqual([]);
  });

  test('long texts are cut; a body beyond all reason is refused', async () => {
    expect((await send({ comments: 'x'.repeat(20_000) })).status).toBe(200);
    const [envelope] = await server.drainEnvelopes();
    const [item] = parseEnvelope(envelope?.body ?? new Uint8Array()).items;
    expect(JSON.parse(Buffer.from(item?.payload ?? '').toString()).comments).toHaveLength(4096);
    expect((await send({ comments: 'x'.repeat(70_000) })).status).toBe(413);
  });
});
