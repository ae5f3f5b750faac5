/** A person is planted in every kind of data, by what SDKs send, and erased: nothing of them is left, and nobody else is missing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blobsOf, filesOf, type Found, rowsOfEvents, rowsOfState } from './attacks/secrets/search.ts';
import { ada, bob, type Person, placesOf, sendAll } from './erasing.ts';
import { culprit, Server } from './harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create({ CULPRIT_SELF_REPORT: 'off' });
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

async function collected(of = server): Promise<Found[]> {
  const all: Found[] = [];
  for await (const found of rowsOfEvents(of)) all.push(found);
  for await (const found of rowsOfState(of)) all.push(found);
  for await (const found of blobsOf(of)) all.push(found);
  for await (const found of filesOf(of)) all.push(found);
  return all;
}

/** An export of Explore that names everybody; resolves to its text. */
async function exportAll(): Promise<string> {
  const path = '/organizations/acme/data-export/';
  const question = { dataset: 'errors', statsPeriod: '1d', field: ['title', 'user.email'] };
  const { id } = await post<{ id: string }>(path, { question });
  await server.until(
    'the export is done',
    async () => (await server.api<{ status: string }>(`${path}${id}/`)).status === 'done',
  );
  const file = await fetch(`${server.url}/api/0${path}${id}/?download=true`, {
    headers: { authorization: `Bearer ${server.installed.token}` },
  });
  return file.text();
}

/** What the next backup has, restored. */
async function nextBackup(): Promise<Server> {
  const dir = join(await mkdtemp(join(tmpdir(), 'culprit-erase-')), 'backups');
  expect(await culprit(['backup', dir], { CULPRIT_DATA_DIR: server.dataDir })).toMatchObject({ code: 0 });
  const restored = await Server.create({ CULPRIT_SELF_REPORT: 'off' }, { init: false, start: false });
  await rm(restored.dataDir, { recursive: true });
  const key = join(server.dataDir, 'secret.key');
  expect(await culprit(['restore', dir, '--key-file', key], { CULPRIT_DATA_DIR: restored.dataDir })).toMatchObject({
    code: 0,
  });
  await rm(join(dir, '..'), { recursive: true });
  await restored.start();
  return restored;
}

async function feedbackCount(): Promise<number> {
  await using state = await server.state();
  return (await state.db.selectFrom('feedback').select('id').execute()).length;
}

interface Erasure {
  readonly id: string;
  readonly status: string;
  readonly detail: string;
  readonly found: readonly { readonly kind: string; readonly own: number; readonly mentioned: number }[] | null;
}

const url = '/organizations/acme/erasures/';
const post = <T>(path: string, body: object = {}): Promise<T> =>
  server.api<T>(path, { method: 'POST', body: JSON.stringify(body) });

async function until(id: string, status: string): Promise<Erasure> {
  let last: Erasure | undefined;
  await server.until(
    `the request is ${status}`,
    async () => {
      last = await server.api<Erasure>(`${url}${id}/`);

      return last.status === status || last.status === 'failed' || last.detail !== '';
    },
    150_000,
  );
  expect(last, server.output).toMatchObject({ status, detail: '' });
  return last as Erasure;
}

const personOf = (person: Person) => [
  { kind: 'id', value: person.id },
  { kind: 'email', value: person.email.toUpperCase() },
  { kind: 'name', value: person.username },
  { kind: 'ip', value: person.ip_address },
];

test('a person goes from everything, with a certificate, and nobody else does', async () => {
  for (const round of [1, 2]) {
    await sendAll(server, ada, `Adas${round}`);
    await sendAll(server, bob, `Bobs${round}`);
  }
  await server.drained();
  await server.until('feedback is to be read', async () => (await feedbackCount()) === 4);
  const written = await exportAll();
  expect(written).toContain(ada.email);
  const before = await collected();
  const where = placesOf(before, ada);
  for (const place of [
    'errors.user_email',
    'errors.payload',
    'spans.user',
    'logs.attributes',
    'items.payload',
    'state.feedback.email',
  ])
    expect(where).toContain(place);

  const asked = await post<Erasure>(url, { person: personOf(ada), reference: 'ticket 7' });
  const found = await until(asked.id, 'found');
  const kinds = Object.fromEntries((found.found ?? []).map(({ kind, own, mentioned }) => [kind, own + mentioned]));
  expect(kinds).toMatchObject({ events: 2, sessions: 2, feedback: 2, exports: 1 });
  expect(kinds['spans']).toBeGreaterThanOrEqual(4);

  await post(`${url}${asked.id}/export/`);
  await until(asked.id, 'found');
  const file = await fetch(`${server.url}/api/0${url}${asked.id}/file/`, {
    headers: { authorization: `Bearer ${server.installed.token}` },
  });
  const lines = (await file.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string });
  expect(new Set(lines.map(({ kind }) => kind))).toEqual(
    new Set(['errors', 'items', 'logs', 'sessions', 'spans', 'feedback']),
  );
  expect(JSON.stringify(lines)).not.toContain(bob.email);

  await expect(post(`${url}${asked.id}/erase/`, { confirm: 'ada' })).rejects.toThrow('confirmation');
  await post(`${url}${asked.id}/erase/`, { confirm: ada.email });
  await until(asked.id, 'done');

  const after = await collected();
  expect(placesOf(after, ada)).toEqual([]);
  const others = placesOf(after, bob);
  expect(
    placesOf(before, bob).filter(
      (place) => !place.includes('/') && place !== 'state.db-wal' && !others.includes(place),
    ),
  ).toEqual([]);
  await using restored = await nextBackup();
  const there = await collected(restored);
  expect(placesOf(there, ada)).toEqual([]);
  expect(placesOf(there, bob)).toContain('errors.user_email');
  const again = await post<Erasure>(url, { person: personOf(ada), reference: 'again' });
  expect((await until(again.id, 'found')).found).toEqual([]);
  const certificate = await server.api<Record<string, unknown>>(`${url}${asked.id}/certificate/`);
  expect(certificate).toMatchObject({ reference: 'ticket 7', foundAfter: 0, projects: ['web'] });
  expect(JSON.stringify(certificate)).not.toContain(ada.id);
}, 300_000);

test('killed while it removes, it goes on after the next start; a hold refuses it, and deletions', async () => {
  const carl: Person = {
    ...ada,
    id: 'zq-person-99001',
    email: 'carl.zquill@mail.example',
    username: 'Carl Zquill',
    ip_address: '203.0.113.79',
  };
  await sendAll(server, carl, 'Carls');
  await server.drained();
  const asked = await post<Erasure>(url, { person: personOf(carl), reference: 'ticket 8' });
  await until(asked.id, 'found');
  const hold = (method: string, body?: object): Promise<Response> =>
    fetch(`${server.url}/api/0/projects/acme/web/hold/`, {
      method,
      headers: { authorization: `Bearer ${server.installed.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  expect((await hold('PUT', { reason: 'case 12' })).status).toBe(200);
  await expect(post(`${url}${asked.id}/erase/`, { confirm: carl.id })).rejects.toThrow('case 12');
  await expect(server.api('/projects/acme/web/', { method: 'DELETE' })).rejects.toThrow('PROJECT_HELD');
  await using events = await server.events();
  const ttls = () =>
    events.query<{ count: number }>(
      `SELECT count() AS count FROM system.tables WHERE database = currentDatabase() AND create_table_query LIKE '% TTL %'`,
    );
  expect(await ttls()).toEqual([{ count: 0 }]);
  expect((await hold('DELETE')).status).toBe(204);
  expect((await ttls())[0]?.count).toBeGreaterThan(10);

  await post(`${url}${asked.id}/erase/`, { confirm: carl.id });
  await server.kill();
  await server.start();
  await until(asked.id, 'done');
  expect(placesOf(await collected(), carl)).toEqual([]);
}, 300_000);
