import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openClickHouse } from './clickhouse.ts';
import { migrateEvents } from './migrations/index.ts';
import { startEngine } from './supervisor.ts';
import { testErrorRow } from './test-rows.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'culprit-engine-'));
});
afterAll(() => rm(dir, { recursive: true }));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a killed engine comes back at the same address with everything that was inserted', async () => {
  await using engine = await startEngine({ dataDir: join(dir, 'killed') });
  await using events = openClickHouse(engine.address);
  await migrateEvents(events, { retentionDays: 90 });
  await events.insert('errors', [testErrorRow()], 'a');
  const { pid } = engine;
  if (pid === undefined) throw new Error('the engine has no process');
  const lost = once(engine, 'lost');
  process.kill(pid, 'SIGKILL');
  await lost;
  expect(engine.state).toBe('down');
  await expect(events.query('SELECT 1')).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  await engine.whenReady();
  expect(engine.restarts).toBe(1);
  expect(engine.pid).not.toBe(pid);
  await events.insert('errors', [testErrorRow()], 'a');
  expect(
    await events.query('SELECT count() AS count, (SELECT sum(events) FROM issue_hours) AS hours FROM errors'),
  ).toEqual([{ count: 1, hours: 1 }]);
});

test('a query that runs when the engine is killed is ENGINE_UNAVAILABLE', async () => {
  await using engine = await startEngine({ dataDir: join(dir, 'running') });
  await using events = openClickHouse({ ...engine.address, database: 'default' });
  const slow = events.query('SELECT sum(sleepEachRow(1)) FROM numbers(3)');
  const failure = expect(slow).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
  await expect
    .poll(() =>
      events.query(`SELECT count() AS count FROM system.processes WHERE query LIKE '%sleepEachRow(1)) FROM%'`),
    )
    .toEqual([{ count: 2 }]);
  process.kill(engine.pid ?? 0, 'SIGKILL');
  await failure;
});

test('an engine that no longer answers is killed and started again', async () => {
  await using engine = await startEngine({ dataDir: join(dir, 'hung') });
  const { pid } = engine;
  const lost = once(engine, 'lost');
  process.kill(pid ?? 0, 'SIGSTOP');
  const [{ reason }] = (await lost) as [{ reason: string }];
  expect(reason).toMatch(/did not respond/);
  await engine.whenReady();
  expect(engine.pid).not.toBe(pid);
  expect(isAlive(pid ?? 0)).toBe(false);
});

test('stop ends the process, and it stays ended', async () => {
  const engine = await startEngine({ dataDir: join(dir, 'stopped') });
  const { pid } = engine;
  await engine.stop();
  await engine.stop();
  expect(engine.state).toBe('stopped');
  expect(isAlive(pid ?? 0)).toBe(false);
});

test('a second engine on the same directory waits for the first to let go', async () => {
  const dataDir = join(dir, 'shared');
  const first = await startEngine({ dataDir });
  const second = startEngine({ dataDir });
  const early = await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 1000, 'waiting'))]);
  expect(early).toBe('waiting');
  await first.stop();
  await using engine = await second;
  expect(engine.state).toBe('ready');
});

test('an engine that cannot start says why', async () => {
  const dataDir = join(dir, 'file');
  await writeFile(dataDir, '');
  await expect(startEngine({ dataDir })).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    cause: { message: expect.stringContaining('EEXIST') as string },
  });
});

test('strangers on the machine are refused', async () => {
  await using engine = await startEngine({ dataDir: join(dir, 'strangers') });
  await using events = openClickHouse({ ...engine.address, password: 'guess' });
  await expect(events.query('SELECT 1')).rejects.toMatchObject({ code: '516' });
  const response = await fetch(`${engine.address.url}/?query=SELECT%201`);
  expect([response.status, response.headers.get('x-clickhouse-exception-code')]).toEqual([403, '516']);
  await response.text();
});

test('the engine ends with a parent that is killed', async () => {
  const supervisor = new URL('./supervisor.ts', import.meta.url).href;
  const script = `
    const { startEngine } = await import(${JSON.stringify(supervisor)});
    const engine = await startEngine({ dataDir: ${JSON.stringify(join(dir, 'orphan'))} });
    console.log(engine.pid);
    setInterval(() => {}, 1000);`;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
});
