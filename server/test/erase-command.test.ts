/** `culprit erase`, beside a server that does the work. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { culprit, envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let server: Server;
const email = 'ada.zquill@mail.example';

beforeAll(async () => {
  server = await Server.create({ CULPRIT_SELF_REPORT: 'off' });
  const body = errorEnvelope(newEventId(), { user: { email } });
  await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body });
  await server.drained();
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const run = (...words: string[]) => culprit(['erase', ...words], { CULPRIT_DATA_DIR: server.dataDir });
const json = async <T>(...words: string[]): Promise<T> => {
  const { code, stdout, stderr } = await run(...words, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as T;
};

test('finds, erases what is confirmed, and gives the certificate', async () => {
  const found = await json<{ id: number }>('find', '--email', email, '--reference', 'ticket 7');
  expect(found).toMatchObject({ status: 'found', found: { events: { own: 1, mentioned: 0 } } });
  const id = String(found.id);
  const refused = await run('run', id, '--confirm', 'ada');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('not one of the values');
  const done = await run('run', id, '--confirm', email);
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.stdout).toContain(`culprit erase certificate ${id}`);
  const certificate = await json<{ removed: object; foundAfter: number }>('certificate', id);
  expect(certificate).toMatchObject({ reference: 'ticket 7', removed: { events: 1 }, foundAfter: 0 });
  expect(JSON.stringify(certificate)).not.toContain(email);
  expect((await run('certificate', id)).stdout).toMatch(/removed events +1\n/);
  expect((await run('list')).stdout).toContain('ticket 7');
  expect((await run('status', id)).stdout).toContain('done');
  const entries = await server.api<{ action: string }[]>('/organizations/acme/audit-log/');
  expect(JSON.stringify(entries)).toContain('erasure.confirm');
}, 120_000);

test('says what is missing', async () => {
  expect(await run('run')).toMatchObject({ code: 2 });
  expect(await run('find', '--email', email)).toMatchObject({ code: 2 });
  expect(await run('find', '--event', newEventId(), '--reference', 'x')).toMatchObject({ code: 2 });
  expect((await run('find', '--name', 'anonymous', '--reference', 'x')).stderr).toContain('unknown users');
  expect((await run('cancel', '99')).stderr).toContain('99');
}, 60_000);
