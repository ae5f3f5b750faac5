/** What a node with one role does, and what it sends elsewhere. In this process: without a log that nodes share. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { type Config, readConfig } from '../../src/base/config.ts';
import type { Role } from '../../src/base/roles.ts';
import { createProject } from '../../src/domains/projects/index.ts';
import { openMigratedCopy } from '../../src/ports/state/testing/migrated.ts';
import { startProgram } from '../../src/program.ts';
import { errorEnvelope, newEventId } from '../harness.ts';

const nobody = 'http://127.0.0.1:1/culprit';
const publicKey = 'c'.repeat(32);

async function start(role: Role, opened: AsyncDisposableStack): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-role-'));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  await layProject(dataDir);
  const environment = { CULPRIT_DATA_DIR: dataDir, CULPRIT_PORT: '0', CULPRIT_EVENTS_URL: nobody };
  const config: Config = { ...readConfig({ selfReport: 'off' }, environment), roles: [role] };
  const program = opened.use(await startProgram(config, pino({ level: 'silent' })));
  return program.listening;
}

async function layProject(dataDir: string): Promise<void> {
  await using state = await openMigratedCopy(dataDir);
  const now = new Date().toISOString();
  await state.db
    .insertInto('organization')
    .values({ id: 'acme', name: 'Acme', slug: 'acme', createdAt: now } as never)
    .execute();
  const { project } = await createProject(state, { organizationId: 'acme', name: 'Web', platform: 'node' });
  await state.db
    .updateTable('project_key')
    .set({ public_key: publicKey })
    .where('project_id', '=', project.id)
    .execute();
}

const send = (url: string): Promise<Response> =>
  fetch(`${url}/api/1/envelope/?sentry_key=${publicKey}`, { method: 'POST', body: errorEnvelope(newEventId()) });

test('one that receives needs no events store, and answers nothing else', async () => {
  await using opened = new AsyncDisposableStack();
  const url = await start('intake', opened);
  expect((await send(url)).status).toBe(200);
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({ roles: ['intake'], log: { ok: true }, events: false, state: true });
  expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^culprit_store_up\{store="log"\} 1$/m);
  for (const path of ['/', '/api/0/', '/issues/', '/api/auth/sign-in/email']) {
    const refused = await fetch(url + path);
    expect(refused.status).toBe(404);
    expect(refused.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(await refused.json()).toMatchObject({ code: 'ROLE_MISSING', detail: expect.stringContaining('role api') });
  }
});

test.for(['api', 'process', 'jobs'] as const)('one with %s alone receives nothing', async (role) => {
  await using opened = new AsyncDisposableStack();
  const url = await start(role, opened);
  const refused = await send(url);
  expect(refused.status).toBe(404);
  expect(await refused.json()).toMatchObject({ code: 'ROLE_MISSING', detail: expect.stringContaining('role intake') });
  expect((await fetch(`${url}/monitoring`, { method: 'POST', body: '{}' })).status).toBe(404);
  const ready = await fetch(`${url}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ status: 'not ready', events: false });
  const asked = await fetch(`${url}/api/0/`);
  expect(asked.status).toBe(role === 'api' ? 200 : 404);
});
