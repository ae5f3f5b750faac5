/**
 * The way back, gone to its end: the earlier versions themselves, checked out and installed, start on a directory that
 * this one has upgraded and returned. They find what they left, and take what comes.
 */
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readManifest, unpackDataDir } from '../../fixtures/data-dirs/index.ts';
import { dsn } from '../src/base/dsn.ts';
import { culprit, envelopeUrl, errorEnvelope, newEventId, Server, useProgram } from './harness.ts';
import { installOldBuild } from './old-data/old-build.ts';

const minutes = 60_000;

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'culprit-old-build-'));
});
afterEach(async () => {
  useProgram();
  await rm(dir, { recursive: true, force: true });
});

const issuesOf = async (server: Server, token: string, project: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(
    `${server.url}/api/0/projects/acme/${project}/issues/?query=&limit=100&statsPeriod=90d`,
    { headers },
  );
  expect(response.status).toBe(200);
  const list = (await response.json()) as { id: string; title: string; status: string; count: string }[];
  return Object.fromEntries(list.map(({ id, title, status, count }) => [id, [title, status, count]]));
};

async function countErrors(server: Server): Promise<number> {
  await using events = await server.events();
  const [row] = await events.query<{ n: number }>(`SELECT count() AS n FROM errors WHERE issue_type = ''`);
  return Number(row?.n);
}

async function send(server: Server, key: string, count: number): Promise<void> {
  const { username, pathname } = new URL(key);
  for (let index = 0; index < count; index++) {
    const body = errorEnvelope(newEventId(), { exception: { values: [{ type: 'LaterError', value: 'meanwhile' }] } });
    const url = envelopeUrl(dsn(server.url, username, Number(pathname.slice(1))));
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  }
  await server.drained();
}

test.each(['0.2.0', '7980d21'])('%s starts again after a downgrade', { timeout: 40 * minutes }, async (name) => {
  const manifest = readManifest(name);
  const [project] = manifest.projects;
  const token = manifest.tokens.owner;
  if (!project) throw new Error('the fixture has no project');
  const old = await installOldBuild(manifest.program, dir);
  const create = () => Server.create(manifest.environment, { init: false, start: false });

  // What the old version itself makes of the directory, and finds in it.
  useProgram(old);
  await using alone = await create();
  await unpackDataDir(name, alone.dataDir);
  await alone.start();
  await alone.drained();
  const before = { errors: await countErrors(alone), issues: await issuesOf(alone, token, project.slug) };
  await alone.kill();

  useProgram();
  await using newer = await create();
  await unpackDataDir(name, newer.dataDir);
  await newer.start();
  await send(newer, project.dsn, 20);
  await newer.stop();
  const back = await culprit(['downgrade', '--yes', '--json'], { CULPRIT_DATA_DIR: newer.dataDir });
  expect(back).toMatchObject({ code: 0, stderr: '' });

  useProgram(old);
  await using again = await create();
  await rename(newer.dataDir, again.dataDir);
  await again.start();
  await again.drained();
  const events = await again.until('all that came meanwhile is stored', async () => {
    const count = await countErrors(again);
    return count >= before.errors + 20 && count;
  });
  expect(events).toBe(before.errors + 20);
  const issues = await issuesOf(again, token, project.slug);
  expect(issues).toMatchObject(before.issues);
  expect(Object.values(issues)).toContainEqual(['LaterError: meanwhile', 'unresolved', '20']);
  await send(again, project.dsn, 5);
  await again.until('new events are taken', async () =>
    Object.values(await issuesOf(again, token, project.slug)).some(([, , count]) => count === '25'),
  );
});
