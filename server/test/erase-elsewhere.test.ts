/**
 * A person is planted in an installation whose stores lie elsewhere, with a mirror whose target is down, and told of by
 * mail and webhooks. Once erased, nothing of them is left in any store, none of it is forwarded, and the certificate says
 * what had left.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseS3Address } from '../src/base/s3/address.ts';
import { createObjects } from '../src/base/s3/objects.ts';
import { soughtText } from '../src/base/sought-text.ts';
import {
  type HttpReceiver,
  type MailReceiver,
  openHttpReceiver,
  openMailReceiver,
} from '../src/domains/notify/testing/receiver.ts';
import { openBlobs } from '../src/ports/blobs/open.ts';
import { type EngineSupervisor, startEngine } from '../src/ports/events/supervisor.ts';
import { openS3Payloads } from '../src/ports/payloads/s3.ts';
import { type PostgresServer, startPostgres } from '../src/ports/state/testing/postgres-server.ts';
import { filesOf, type Found, rowsOfEvents } from './attacks/secrets/search.ts';
import { ada, bob, type Person, placesOf, sendAll } from './erasing.ts';
import { culprit, envelopeUrl, errorEnvelope, freePort, newEventId, Server } from './harness.ts';
import { startNats } from './nats/server.ts';
import { sharedS3 } from './s3/server.ts';

const opened = new AsyncDisposableStack();
let dir: string;
let postgres: PostgresServer;
let engine: EngineSupervisor;
let blobsUrl: string;
let server: Server;
let receiver: HttpReceiver;
let mail: MailReceiver;
let targetPort: number;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'culprit-erase-elsewhere-'));
  opened.defer(() => rm(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const [nats, s3] = await Promise.all([startNats(), sharedS3()]);
  [postgres, engine, receiver, mail, targetPort, blobsUrl] = await Promise.all([
    startPostgres(),
    startEngine({ dataDir: dir }),
    openHttpReceiver(),
    openMailReceiver(),
    freePort(),
    s3.bucket(),
  ]);
  for (const part of [nats, postgres, engine, receiver, mail]) opened.use(part);
  const { username, password, url, database } = engine.address;
  server = await Server.create({
    CULPRIT_STATE_URL: await postgres.createDatabase(),
    CULPRIT_EVENTS_URL: url.replace('//', `//${username}:${password}@`) + `/${database}`,
    CULPRIT_LOG_URL: nats.url(),
    CULPRIT_BLOBS_URL: blobsUrl,
    CULPRIT_OUTBOUND_ALLOW: '127.0.0.1',
    CULPRIT_SMTP_URL: mail.url,
    CULPRIT_MAIL_FROM: 'culprit@example.com',
    CULPRIT_SELF_REPORT: 'off',
  });
  opened.use(server);
}, 120_000);
afterAll(() => opened[Symbol.asyncDispose]());

const call = <T>(method: string, path: string, body: object = {}): Promise<T> =>
  server.api<T>(path, { method, body: JSON.stringify(body) });

/** Of each new issue a mail and two webhooks tell; the mirror waits for its target. */
async function tellOutside(): Promise<void> {
  const root = '/organizations/acme';
  const channels = await Promise.all([
    call<{ id: string }>('POST', `${root}/channels/`, {
      type: 'email',
      name: 'Team',
      config: { to: ['team@example.com'] },
    }),
    call<{ id: string }>('POST', `${root}/channels/`, {
      type: 'webhook',
      name: 'Hook',
      config: { url: `${receiver.url}/channel`, secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` },
    }),
  ]);
  for (const { id } of await server.api<{ id: string }[]>(`${root}/alert-rules/`))
    await fetch(`${server.url}/api/0${root}/alert-rules/${id}/`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${server.installed.token}` },
    });
  await call('POST', `${root}/alert-rules/`, {
    kind: 'issue',
    name: 'Each new issue',
    conditions: [{ type: 'new_issue' }],
    throttleMinutes: 0,
    digestMinutes: 0,
    channelIds: channels.map(({ id }) => id),
  });
  // Only of what happens from when somebody has begun to look.
  await server.until('somebody looks at the rules', async () => {
    await using state = await server.state();
    return (
      await state.db.selectFrom('alert_lease').select('claimed_until').where('claimed_until', '>', 0).execute()
    )[0];
  });
  await call('POST', `${root}/webhooks/`, { name: 'Told', url: `${receiver.url}/told`, events: ['issue.created'] });
  const target = `http://0123456789abcdef0123456789abcdef@127.0.0.1:${targetPort}/1`;
  await call('PUT', '/projects/acme/web/mirror/', { dsn: target });
}

const waiting = async (): Promise<number> =>
  (await server.api<{ mirror: { waiting: number } }>('/projects/acme/web/mirror/')).mirror.waiting;

async function collected(): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of rowsOfEvents(server)) all.push(found);
  await using events = await server.events();
  const blobs = openBlobs({ url: blobsUrl, dataDir: '' });
  const rows = await events.query<{ key: string }>(`SELECT DISTINCT blob_key AS key FROM items WHERE blob_key != ''`);
  for (const { key } of rows)
    all.push({ where: 'blobs', text: Buffer.from((await blobs.get(key)) ?? []).toString('latin1') });
  await using state = await server.state();
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
    state.db,
  );
  for (const { name } of tables.rows) {
    const { rows: lines } = await sql<{ line: string }>`select t::text as line from ${sql.table(name)} t`.execute(
      state.db,
    );
    for (const { line } of lines) all.push({ where: `state.${name}`, text: line });
  }
  await sql`checkpoint`.execute(state.db);
  for (const directory of [dir, server.dataDir, join(postgres.dir, 'base')])
    for await (const found of filesOf(server, directory)) all.push(found);
  return all;
}

async function payloadsOf(person: Person): Promise<number> {
  let count = 0;
  await openS3Payloads(createObjects(parseS3Address(blobsUrl))).search({
    sought: [soughtText(person.email, 'mail')],
    signal: new AbortController().signal,
    onFound: ({ ordinals }) => (count += ordinals.length),
  });
  return count;
}

interface Erasure {
  readonly id: string;
  readonly status: string;
  readonly detail: string;
}

const url = '/organizations/acme/erasures/';

async function until(id: string, status: string): Promise<void> {
  const last = await server.until(`the request is ${status}`, async () => {
    const request = await server.api<Erasure>(`${url}${id}/`);
    return (request.status === status || request.status === 'failed' || request.detail !== '') && request;
  });
  expect(last, server.output).toMatchObject({ status, detail: '' });
}

test('nothing is left in PostgreSQL, ClickHouse, S3 and the spool of a mirror, and what had left is listed', async () => {
  await tellOutside();
  // Requests are known to be mirrored a while after the mirror was set.
  await server.until('the mirror is on', async () => {
    await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body: errorEnvelope(newEventId()) });
    return (await waiting()) > 0;
  });
  for (const [person, tag] of [
    [ada, 'Ada'],
    [bob, 'Bob'],
  ] as const) {
    await sendAll(server, person, tag);
    // Large enough for an object of its own.
    const note = Array.from({ length: 12_000 }, (_, index) => `line ${index} of ${person.email}`).join('\n');
    const exception = { values: [{ type: `Call${tag}Error`, value: `no call to ${person.username}` }] };
    const body = errorEnvelope(newEventId(), { user: person, exception, extra: { note } });
    expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).status).toBe(200);
    await server.drained();
  }
  await server.until('all was told', () => {
    const told = receiver.calls.filter(({ body }) => body.includes(ada.username));
    const mailed = mail.mails.some(({ text, html }) => `${text} ${html}`.includes(ada.username));
    return mailed && ['/channel', '/told'].every((path) => told.some((one) => one.path === path));
  });
  const before = await waiting();
  expect(before).toBeGreaterThanOrEqual(14);
  // Others may have shared their batch.
  const ofBob = await payloadsOf(bob);
  expect(Math.min(await payloadsOf(ada), ofBob)).toBeGreaterThan(0);
  const planted = placesOf(await collected(), ada);
  expect(planted).toEqual(
    expect.arrayContaining(['errors.user_email', 'blobs', 'state.issue', 'state.webhook_delivery']),
  );

  const person = [
    { kind: 'id', value: ada.id },
    { kind: 'email', value: ada.email },
    { kind: 'name', value: ada.username },
    { kind: 'ip', value: ada.ip_address },
  ];
  const { id } = await call<Erasure>('POST', url, { person, reference: 'elsewhere' });
  await until(id, 'found');
  await call('POST', `${url}${id}/erase/`, { confirm: ada.email });
  await until(id, 'done');

  const after = await collected();
  expect(placesOf(after, ada)).toEqual([]);
  expect(placesOf(after, bob)).toEqual(expect.arrayContaining(['errors.user_email', 'blobs', 'state.issue']));
  expect([await payloadsOf(ada), await payloadsOf(bob)]).toEqual([0, ofBob]);
  const certificate = await server.api<{
    removed: readonly { kind: string; count: number }[];
    left: { deliveries: readonly { kind: string; channel: string; count: number }[]; mirrors: readonly object[] };
  }>(`${url}${id}/certificate/`);
  expect(certificate).toMatchObject({ foundAfter: 0, left: { mirrors: [{ project: 'web' }] } });
  expect(new Set(certificate.left.deliveries.map(({ channel }) => channel))).toEqual(
    new Set(['email Team', 'webhook Hook', 'webhook Told']),
  );
  expect(certificate.removed).toContainEqual({ kind: 'forwards', count: 7 });

  // What waits of others arrives once the target is there.
  const arrived: string[] = [];
  const target = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString('latin1')));
    request.on('end', () => {
      arrived.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }).listen(targetPort, '127.0.0.1');
  try {
    await call('PUT', '/projects/acme/web/mirror/', {
      dsn: `http://0123456789abcdef0123456789abcdee@127.0.0.1:${targetPort}/1`,
    });
    await server.until('what waits is forwarded', async () => (await waiting()) === 0);
  } finally {
    target.closeAllConnections();
    target.close();
  }
  const forwarded = arrived.map((text) => ({ where: 'mirror', text }));
  expect(placesOf(forwarded, ada)).toEqual([]);
  expect(placesOf(forwarded, bob)).toEqual(['mirror']);
  expect(arrived.length).toBe(before - 7);
}, 240_000);

test('the command works beside it', async () => {
  const said = await culprit(['erase', 'list', '--json'], server.environment);
  expect(said).toMatchObject({ code: 0, stderr: '' });
});
