/** What an erasure leaves behind of issues, what stops one, and whom it finds under other names. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create({ CULPRIT_SELF_REPORT: 'off' });
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const url = '/organizations/acme/erasures/';
const post = <T>(path: string, body: object = {}): Promise<T> =>
  server.api<T>(path, { method: 'POST', body: JSON.stringify(body) });

interface Erasure {
  readonly id: string;
  readonly status: string;
  readonly detail: string;
  readonly found: readonly { readonly kind: string; readonly own: number; readonly mentioned: number }[] | null;
}

interface Issue {
  readonly id: string;
  readonly title: string;
  readonly culprit: string;
  readonly metadata: Readonly<Record<string, string>>;
}

async function until(id: string, ...wanted: string[]): Promise<Erasure> {
  let last: Erasure | undefined;
  await server.until(`the request is ${wanted.join(' or ')}`, async () => {
    last = await server.api<Erasure>(`${url}${id}/`);
    return wanted.includes(last.status);
  });
  return last ?? expect.fail();
}

async function send(eventId: string, event: object): Promise<void> {
  const response = await fetch(envelopeUrl(server.installed.dsn), {
    method: 'POST',
    body: errorEnvelope(eventId, event as Readonly<Record<string, unknown>>),
  });
  expect(response.status).toBe(200);
}

const thrown = (value: string): object => ({
  exception: {
    values: [
      {
        type: 'PaymentError',
        value,
        stacktrace: { frames: [{ filename: '/app/src/pay.js', function: 'pay', lineno: 7, colno: 1, in_app: true }] },
      },
    ],
  },
});

const issues = async (): Promise<Issue[]> => {
  const all = await server.api<Issue[]>('/organizations/acme/issues/?query=&statsPeriod=14d');
  return all.filter(({ title }) => /PaymentError|erased/.test(title));
};

async function erase(body: object, confirm: string): Promise<void> {
  const { id } = await post<Erasure>(url, { reference: 'ticket', ...body });
  await until(id, 'found');
  await post(`${url}${id}/erase/`, { confirm });
  expect(await until(id, 'done', 'failed')).toMatchObject({ status: 'done', detail: '' });
}

test('the title of an issue is of an event that is there, and goes with the last', async () => {
  const [first, second] = [newEventId(), newEventId()];
  await send(first, thrown('no card for Wilma Quickstep'));
  await server.drained();
  await send(second, thrown('no card for somebody'));
  await server.drained();
  const [before] = await issues();
  expect(before?.title).toBe('PaymentError: no card for Wilma Quickstep');
  await erase({ event: { project: 'web', id: first } }, first);
  const [after] = await issues();
  expect(after).toMatchObject({
    id: before?.id,
    title: 'PaymentError: no card for somebody',
    metadata: { type: 'PaymentError', value: 'no card for somebody' },
  });
  await erase({ event: { project: 'web', id: second } }, second);
  await using state = await server.state();
  const row = await state.db
    .selectFrom('issue')
    .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
    .select(['title', 'culprit', 'metadata', 'explanation'])
    .where('issue.id', '=', Number(before?.id))
    .executeTakeFirst();
  expect(row).toEqual({ title: 'PaymentError', culprit: '', metadata: '{"type":"PaymentError"}', explanation: '[]' });
}, 120_000);

test('what matches many more rows than were shown is not erased', async () => {
  const email = 'greta.growing@mail.example';
  const write = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, () => send(newEventId(), { user: { email } })));
  await write(2);
  await server.drained();
  const { id } = await post<Erasure>(url, { reference: 'grows', person: [{ kind: 'email', value: email }] });
  expect((await until(id, 'found')).found).toEqual([{ kind: 'events', own: 2, mentioned: 0 }]);
  await write(120);
  await server.drained();
  await post(`${url}${id}/erase/`, { confirm: email });
  const { status, detail } = await until(id, 'failed', 'done');
  expect(status).toBe('failed');
  expect(detail).toContain('122 rows match now, 2 matched when you looked');
  await using events = await server.events();
  expect(
    await events.query('SELECT count() AS count FROM errors WHERE user_email = {email:String}', { email }),
  ).toEqual([{ count: 122 }]);
}, 120_000);

test('a person is found under the pseudonym that stands for them, however their mail was written', async () => {
  const [email, address] = ['petra.hidden@mail.example', '203.0.113.90'];
  await server.api('/organizations/acme/scrubbing/', {
    method: 'PUT',
    body: JSON.stringify({ pseudonymizeUsers: true }),
  });
  const sides = "tags['side'] IN ('hidden', 'address')";
  // Threads read settings anew before the next batch.
  await server.until('users are stored as pseudonyms', async () => {
    await send(newEventId(), { user: { email: ' Petra.Hidden@Mail.EXAMPLE ' }, tags: { side: 'hidden' } });
    await send(newEventId(), { user: { ip_address: address }, tags: { side: 'address' } });
    await server.drained();
    await using events = await server.events();
    const rows = await events.query<{ email: string }>(
      "SELECT user_email AS email FROM errors WHERE tags['side'] = 'hidden' ORDER BY received_at DESC LIMIT 1",
    );
    return rows[0] !== undefined && /^[0-9A-F]{40}$/.test(rows[0].email);
  });
  await sendSpanAndLog('PETRA.hidden@mail.example\t');
  await sendSpanAndLog('paula.hidden@mail.example');
  await server.drained();
  await using events = await server.events();
  const count = async (): Promise<unknown> =>
    (
      await events.query(
        `SELECT (SELECT count() FROM errors WHERE ${sides}) AS errors, (SELECT count() FROM spans) AS spans,
           (SELECT count() FROM logs) AS logs`,
      )
    )[0];
  expect(await count()).toMatchObject({ spans: 2, logs: 2 });
  const { id } = await post<Erasure>(url, {
    reference: 'hidden',
    person: [
      { kind: 'email', value: '  Petra.HIDDEN@mail.example' },
      { kind: 'ip', value: address },
    ],
  });
  const found = (await until(id, 'found')).found ?? [];
  expect(found.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['events', 'spans', 'logs']));
  expect(found.every(({ own, mentioned }) => own > 0 && mentioned === 0)).toBe(true);
  await post(`${url}${id}/erase/`, { confirm: email });
  await until(id, 'done');
  expect(await count()).toEqual({ errors: 0, spans: 1, logs: 1 });
}, 120_000);

/** Of one user, in attributes. */
async function sendSpanAndLog(email: string): Promise<void> {
  const now = Date.now() / 1000;
  const trace = { trace_id: newEventId(), span_id: newEventId().slice(0, 16), op: 'http.server' };
  const transaction = {
    type: 'transaction',
    event_id: newEventId(),
    transaction: '/hidden',
    start_timestamp: now - 1,
    timestamp: now,
    platform: 'node',
    user: { email },
    contexts: { trace },
  };
  const log = {
    timestamp: now,
    trace_id: trace.trace_id,
    level: 'info',
    body: 'done',
    attributes: { 'user.email': { type: 'string', value: email } },
  };
  const logs = { type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' };
  for (const [header, payload] of [
    [{ type: 'transaction' }, transaction] as const,
    [logs, { items: [log] }] as const,
  ]) {
    const body = [{}, header, payload].map((line) => JSON.stringify(line)).join('\n');
    const response = await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
    expect(response.status, await response.text()).toBe(200);
  }
}
