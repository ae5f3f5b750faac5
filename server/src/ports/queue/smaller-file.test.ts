/** A log that was large once and is drained gives its disk back, and loses nothing by that, whenever it is killed. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testSecrets } from '../../base/secrets/testing.ts';
import { openLmdbLog } from './lmdb.ts';
import type { EmbeddedLog } from './log.ts';
import { readable } from './testing/readable.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-log-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const box = testSecrets.boxSetup('log record');
const everything = { maxRecords: 1_000_000, maxBytes: 1e9 };
const openAt = (dir: string, shrinkFromBytes?: number): Promise<EmbeddedLog> =>
  openLmdbLog({ dir, box, limitBytes: 2 ** 30, ...(shrinkFromBytes !== undefined && { shrinkFromBytes }) });

/** On disk. */
const sizeOf = async (dir: string): Promise<number> => (await stat(join(dir, 'log.mdb'))).blocks * 512;

async function fill(log: EmbeddedLog, records: number): Promise<void> {
  for (let left = records; left > 0; left -= 500)
    await Promise.all(Array.from({ length: Math.min(left, 500) }, () => log.append(new Uint8Array(20_000).fill(left))));
}

async function drain(log: EmbeddedLog): Promise<void> {
  for (let batch; (batch = await log.lease(everything));) await log.acknowledge(batch);
}

test('what was drained is given back, and what is appended meanwhile is there', async () => {
  const dir = await mkdtemp(join(root, 'case-'));
  const log = readable(await openAt(dir));
  await fill(log, 4_500);
  const full = await sizeOf(dir);
  expect(full).toBeGreaterThan(80e6);
  expect(await log.shrink(), 'of a log that is full').toBe(0);
  await drain(log);
  const kept = await Promise.all(['a', 'b'].map((value) => log.append(Buffer.from(value))));
  const leased = await log.lease(everything);
  expect(await sizeOf(dir)).toBeGreaterThanOrEqual(full);

  const shrinking = log.shrink();
  const meanwhile = Array.from({ length: 50 }, (_, index) => log.append(Buffer.from(String(index))));
  expect(log.read(leased!, kept[0]!, 1e6).map(({ value }) => String(Buffer.from(value)))).toEqual(['a', 'b']);
  expect(await shrinking).toBeGreaterThan(75e6);
  await Promise.all(meanwhile);
  expect(await sizeOf(dir)).toBeLessThan(1e6);
  expect(await log.shrink()).toBe(0);
  await log.acknowledge(leased!);
  await log.close();
  expect((await readdir(dir)).filter((name) => name.endsWith('mdb'))).toEqual(['log.mdb']);

  await using again = readable(await openAt(dir));
  expect(again.stats()).toMatchObject({ records: 50 });
  const batch = await again.lease(everything);
  expect(batch?.records.map(({ value }) => String(Buffer.from(value)))).toEqual(
    Array.from({ length: 50 }, (_, index) => String(index)),
  );
}, 60_000);

test('a copy that a kill has left is nobody’s', async () => {
  const dir = await mkdtemp(join(root, 'case-'));
  await (await openAt(dir)).close();
  for (const name of ['log-copy.mdb', 'log-copy.mdb-lock']) await writeFile(join(dir, name), 'half of it');
  await using log = await openAt(dir);
  expect((await readdir(dir)).filter((name) => name.startsWith('log-copy'))).toEqual([]);
  await log.append(new Uint8Array(1));
});

test('killed at any moment it has all that it promised', async () => {
  let shrunk = 0;
  for (const lifeMs of [300, 500, 700, 900]) {
    const dir = await mkdtemp(join(root, 'case-'));
    const said = await runUntilKilled(dir, lifeMs);
    shrunk += said.filter(([word]) => word === 'shrunk').length;
    const promised = said.filter(([word]) => word === 'appended').map(([, position]) => Number(position));
    const done = said.filter(([word]) => word === 'acknowledging').map((words) => words.slice(1).map(Number));
    const isDone = (position: number): boolean => done.some(([from, to]) => position >= from! && position <= to!);
    await using log = readable(await openAt(dir));
    const found = new Set<number>();
    for (let batch; (batch = await log.lease(everything));) {
      for (const { position, value } of batch.records) {
        expect(value).toHaveLength(20_000);
        found.add(position);
      }
      await log.acknowledge(batch);
    }
    expect(promised.length).toBeGreaterThan(0);
    expect(promised.filter((position) => !isDone(position) && !found.has(position))).toEqual([]);
    expect(await log.append(new Uint8Array(1))).toBeGreaterThan(Math.max(...promised));
  }
  expect(shrunk).toBeGreaterThan(3);
}, 60_000);

async function runUntilKilled(dir: string, lifeMs: number): Promise<string[][]> {
  const writer = new URL('./testing/shrinker.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [writer, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(child.stdout);
  await new Promise((resolve) => child.stdout.once('readable', resolve));
  setTimeout(() => child.kill('SIGKILL'), lifeMs);
  return (await said)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split(' '));
}
