/** `npm install culprit`, start, a first event, a search: from the archive, in an empty folder, with no compiler. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort, Server, useProgram } from '../server/test/harness.ts';
import { version } from '../server/src/base/version.ts';
import { runNodeApp } from './node-app.ts';
import { installPackage, type InstalledPackage, run, sizeOf } from './package.ts';

/** Beside the engine's library, bytes. */
const limitBytes = 60e6;

let installed: InstalledPackage;
let server: Server;
let dataDir: string;

beforeAll(async () => {
  installed = await installPackage();
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-packaged-'));
});
afterAll(async () => {
  useProgram();
  await server?.[Symbol.asyncDispose]();
  await installed?.[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

describe.sequential('the npm package', () => {
  test('is small beside the library of the engine, and has no package that its bundle contains', async () => {
    const bytes = await sizeOf(join(installed.dir, 'node_modules'), '/@chdb/lib-');
    const { packedBytes, unpackedBytes } = installed.packed;
    const megabytes = (count: number): string => `${(count / 1e6).toFixed(1)} MB`;
    const all = `${megabytes(bytes)} with its dependencies beside the engine's library`;
    console.log(`culprit.tgz: ${megabytes(packedBytes)}, unpacked ${megabytes(unpackedBytes)}, ${all}`);
    expect(bytes).toBeLessThan(limitBytes);
    const names = await readdir(join(installed.dir, 'node_modules'));
    expect(names).toContain('chdb');
    expect(names.filter((name) => ['@culprit', 'fastify', 'better-auth', 'zod', 'node'].includes(name))).toEqual([]);
  });

  test('answers as npx runs it', async () => {
    expect(await run('npx', ['culprit', '--version'], installed.dir)).toBe(`${version}\n`);
    expect(await run('npx', ['culprit', 'serve', '--help'], installed.dir)).toContain('culprit serve --host');
    const words = ['culprit', 'doctor', '--port', String(await freePort()), '--data-dir', join(dataDir, 'none')];
    expect(await run('npx', words, installed.dir)).toMatch(/^ok +program +culprit .* on Node 24\./);
  });

  test('starts, takes an event of an SDK, finds it, shows its console, and stops', async () => {
    useProgram(installed.program);
    const started = performance.now();
    server = await Server.create({ CULPRIT_DATA_DIR: join(dataDir, 'data') });
    const startMs = performance.now() - started;
    const { dsn, organization } = server.installed;
    await runNodeApp({ sdk: '@sentry/node', dsn, scenario: 'handled', release: 'packaged@1' });
    const path = `/organizations/${organization}/issues/?query=${encodeURIComponent('release:packaged@1 "checkout failed"')}`;
    const [issue] = await server.until('the issue is found', async () => {
      const issues = await server.api<{ title: string }[]>(path);
      return issues.length > 0 && issues;
    });
    const eventMs = performance.now() - started;
    expect(issue?.title).toContain('checkout failed');
    const page = await (await fetch(server.url)).text();
    const [, script = ''] = /<script type="module"[^>]+src="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(server.url + script)).headers.get('content-type')).toContain('javascript');
    const stopMs = await server.stop();
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
    const total = seconds(installed.installMs + eventMs);
    console.log(
      `installed in ${seconds(installed.installMs)}, set up and started in ${seconds(startMs)}, ` +
        `first event found ${seconds(eventMs)} after that began, ${total} in all; stopped in ${seconds(stopMs)}`,
    );
    expect(stopMs).toBeLessThan(9_000);
  });

  test('says what it is made of', async () => {
    const notice = await readFile(join(installed.dir, 'node_modules/culprit/NOTICE'), 'utf8');
    expect(notice).toContain('fastify@');
    const unit = await readFile(join(installed.dir, 'node_modules/culprit/deploy/culprit.service'), 'utf8');
    expect(unit).toContain('[Service]');
  });
});
