/** Dropped weeks and deletions are given back to the disk, while others read and write, and through a kill. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventIndex } from './event-index.ts';
import { openEventIndex } from './lmdb.ts';
import { entriesOf, hex, indexed } from './testing/indexed.ts';
import { weekMs } from './weeks.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-index-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const groups = { projectId: 7, hashes: [hex('group')] };
const sizeOf = async (dir: string): Promise<number> => (await stat(join(dir, 'index.mdb'))).blocks * 512;

async function addOld(index: EventIndex, events: number): Promise<void> {
  const at = Date.now() - 20 * weekMs;
  for (let from = 0; from < events; from += 2_000)
    await index.add(
      entriesOf(
        Array.from({ length: 2_000 }, (_, number) =>
          indexed(`old ${from + number}`, { projectId: 9, at: at + number }),
        ),
      ),
    );
}

test('what was dropped is given back, and what is written meanwhile is there', async () => {
  const dir = await mkdtemp(join(root, 'case-'));
  const index = await openEventIndex({ dir, shrinkFromBytes: 2 ** 20 });
  await addOld(index, 30_000);
  await index.add(entriesOf(Array.from({ length: 100 }, (_, number) => indexed(`event ${number}`, { digest: '12' }))));
  await index.forget(8);
  await index.filling.noteComplete();
  const full = await sizeOf(dir);
  expect(full).toBeGreaterThan(2e6);
  expect(await index.shrink(), 'of what is held').toBe(0);
  await index.dropBefore(Date.now() - 10 * weekMs);
  expect(await sizeOf(dir)).toBeGreaterThanOrEqual(full);

  const shrinking = index.shrink();
  const meanwhile = index.add(entriesOf([indexed('meanwhile')]));
  expect(index.newest(groups, 1_000)).toHaveLength(100);
  expect(await shrinking).toBeGreaterThan(full / 2);
  await meanwhile;
  expect(await sizeOf(dir)).toBeLessThan(500_000);
  const expectAll = (found: EventIndex): void => {
    expect(found.newest(groups, 1_000)).toHaveLength(101);
    expect(found.placesOf(hex('meanwhile'))).toHaveLength(1);
    expect(found.withDigest('12', { projectIds: [7] }, 1_000)?.events).toHaveLength(100);
    expect(found.anyDigest([7], Date.now() - weekMs)).toBe(true);
    expect(found.isSure(8, hex('group'))).toBe(false);
  };
  expectAll(index);
  await index[Symbol.asyncDispose]();
  expect((await readdir(dir)).filter((name) => name.endsWith('mdb'))).toEqual(['index.mdb']);
  await using again = await openEventIndex({ dir });
  expectAll(again);
});

test('who writes meanwhile goes on, and the copy has it all', async () => {
  const dir = await mkdtemp(join(root, 'case-'));
  const index = await openEventIndex({ dir, shrinkFromBytes: 2 ** 20 });
  const old = Date.now() - 5 * weekMs;
  await addOld(index, 60_000);
  for (let from = 0; from < 30_000; from += 2_000)
    await index.add(
      entriesOf(Array.from({ length: 2_000 }, (_, number) => indexed(`held ${from + number}`, { at: old + number }))),
    );
  await index.filling.noteComplete();
  await index.dropBefore(Date.now() - 10 * weekMs);
  const shrinking = index.shrink();
  const isOver = shrinking.then(() => true);
  let added = 0;
  for (; !(await Promise.race([isOver, Promise.resolve(false)])); added++) {
    await index.add(entriesOf([indexed(`meanwhile ${added}`, { projectId: 8, digest: '12' })]));
    if (added === 1) await index.forget(7, [hex('other')]);
    if (added === 2) await index.filling.again('20260105');
  }
  expect(await shrinking).toBeGreaterThan(2e6);
  // The first of them would have waited until then.
  expect(added).toBeGreaterThan(3);
  const names = Array.from({ length: added }, (_, number) => `meanwhile ${number}`);
  const expectAll = (found: EventIndex): void => {
    expect(names.filter((name) => found.placesOf(hex(name)).length !== 1)).toEqual([]);
    expect(found.newest({ projectId: 8, hashes: [hex('group')] }, added + 10)).toHaveLength(added);
    expect(found.newest(groups, 100_000)).toHaveLength(30_000);
    expect(found.anyDigest([8], Date.now() - weekMs)).toBe(true);
    expect(found.isSure(7, hex('other'))).toBe(false);
    expect(found.filling.weeksAgain()).toEqual(['20260105']);
  };
  expectAll(index);
  await index[Symbol.asyncDispose]();
  await using again = await openEventIndex({ dir });
  expectAll(again);
});

test('is closed in the midst of it, and whole', async () => {
  const dir = await mkdtemp(join(root, 'case-'));
  const index = await openEventIndex({ dir, shrinkFromBytes: 2 ** 20 });
  await addOld(index, 20_000);
  await index.add(entriesOf([indexed('event')]));
  await index.filling.noteComplete();
  await index.dropBefore(Date.now() - 10 * weekMs);
  const shrinking = index.shrink();
  await index[Symbol.asyncDispose]();
  await shrinking;
  await using again = await openEventIndex({ dir });
  expect(again.newest(groups, 10)).toHaveLength(1);
});

test('killed at any moment it has all that it was told', async () => {
  for (const lifeMs of [20, 90, 200, 400]) {
    const dir = await mkdtemp(join(root, 'case-'));
    const child = spawn(process.execPath, [new URL('./testing/shrinker.ts', import.meta.url).pathname, dir], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const words of child.stdout.setEncoding('utf8')) {
      // It has come around once, however slow the machine is.
      if (!said.includes('shrunk') && `${said}${words}`.includes('shrunk'))
        setTimeout(() => child.kill('SIGKILL'), lifeMs);
      said += words;
    }
    const words = said
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' '));
    const added = words.filter(([word]) => word === 'added').map(([, round]) => `kept ${round}`);
    expect(added.length).toBeGreaterThan(0);
    await using index = await openEventIndex({ dir });
    expect(added.filter((name) => index.placesOf(hex(name)).length !== 1)).toEqual([]);
  }
}, 60_000);
