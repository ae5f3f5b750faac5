import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { open } from 'lmdb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventIndexContract } from './contract.ts';
import { EntryList } from './entries.ts';
import type { IndexedEvent } from './event-index.ts';
import { openEventIndex } from './lmdb.ts';
import { entriesOf, hex, indexed } from './testing/indexed.ts';
import { dayMs } from './weeks.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-index-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));
const fresh = (): Promise<string> => mkdtemp(join(root, 'case-'));

eventIndexContract('lmdb', async () => openEventIndex({ dir: await fresh() }));

const groups = { projectId: 7, hashes: [hex('group')] };
const events = Array.from({ length: 500 }, (_, number) => indexed(`event ${number}`));

async function fill(dir: string): Promise<void> {
  await using index = await openEventIndex({ dir });
  await index.add(entriesOf(events));
  await index.forget(8);
  await index.filling.noteComplete();
}

async function countIn(dir: string): Promise<number | undefined> {
  await using index = await openEventIndex({ dir });
  expect(index.placesOf(events[0]?.id ?? '').length).toBe(index.filling.isComplete() ? 1 : 0);
  return index.newest(groups, 1_000)?.length;
}

test('is there after it was closed, wherever its folder is then', async () => {
  const dir = await fresh();
  await fill(dir);
  expect(await readdir(dir)).not.toContain('opened');
  expect(await countIn(dir)).toBe(500);
  const copy = join(await fresh(), 'copy');
  await cp(dir, copy, { recursive: true });
  expect(await countIn(copy)).toBe(500);
  await using index = await openEventIndex({ dir: copy });
  expect(index.newest({ projectId: 8, hashes: groups.hashes }, 1)).toBeUndefined();
});

test('has after a kill what it was told, and after a power cut or in a copy of then nothing', async () => {
  const dir = await fresh();
  const child = spawn(process.execPath, [fileURLToPath(new URL('testing/writer.ts', import.meta.url)), dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await text(child.stdout)).toBe('500');
  expect(child.signalCode ?? (await new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal))))).toBe(
    'SIGKILL',
  );
  const copy = join(await fresh(), 'copy');
  await cp(dir, copy, { recursive: true });
  const cut = await fresh();
  await rm(cut, { recursive: true });
  await cp(dir, cut, { recursive: true });
  const mark = await readFile(join(dir, 'opened'), 'utf8');
  expect(await countIn(dir)).toBe(500);
  expect(await countIn(copy)).toBeUndefined();
  await fill(dir);
  await writeFile(join(dir, 'opened'), mark.replace(/\S+$/, 'another-run-of-the-system'));
  expect(await countIn(dir)).toBeUndefined();
});

test.each([0, 3, 12, 1_000])('a kill after %i slices of a week that is written anew', async (slices) => {
  const dir = await fresh();
  const packer = fileURLToPath(new URL('testing/packer.ts', import.meta.url));
  const child = spawn(process.execPath, [packer, dir, String(slices)], { stdio: 'inherit' });
  expect(await new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))).toBe('SIGKILL');
  const tables = async (): Promise<number> => {
    const root = open({ path: join(dir, 'index.mdb'), maxDbs: 20 });
    const names = Array.from(root.getKeys(), String);
    await root.close();
    return names.filter((name) => /^(groups|places|digests|traces) /.test(name)).length;
  };
  {
    await using index = await openEventIndex({ dir });
    expect(index.newest(groups, 10_000)).toHaveLength(2_000);
    const weeks = index.weeksToPack();
    expect(weeks).toHaveLength(slices === 1_000 ? 0 : 1);
    for (const week of weeks) await index.pack(week, async () => true);
    expect(index.newest(groups, 10_000)).toHaveLength(2_000);
    expect(index.placesOf(hex('event 7'))).toHaveLength(1);
  }
  expect(await tables()).toBe(4);
});

test('a week that is written anew leaves room for others', async () => {
  const dir = await fresh();
  const at = Date.now() - 20 * dayMs;
  const events = (week: number): readonly IndexedEvent[] =>
    Array.from({ length: 20_000 }, (_, number) => indexed(`${week} ${number}`, { at: at + week * 7 * dayMs + number }));
  const sizeOf = async (isPacked: boolean): Promise<number> => {
    await using index = await openEventIndex({ dir });
    for (const week of [-3, -2, -1, 0]) {
      const ofWeek = events(week);
      for (let start = 0; start < ofWeek.length; start += 500)
        await index.add(entriesOf(ofWeek.slice(start, start + 500)));
      for (const number of isPacked ? index.weeksToPack() : []) await index.pack(number, async () => true);
    }
    return (await stat(join(dir, 'index.mdb'))).size;
  };
  const asTheyCame = await sizeOf(false);
  await rm(join(dir, 'index.mdb'));
  expect(await sizeOf(true)).toBeLessThan(asTheyCame * 0.95);
});

test('a file that is no index is made anew', async () => {
  const dir = await fresh();
  await writeFile(join(dir, 'index.mdb'), Buffer.alloc(100_000, 'x'));
  expect(await countIn(dir)).toBeUndefined();
});

test('one of an earlier version is made anew', async () => {
  const dir = await fresh();
  await fill(dir);
  const root = open({ path: join(dir, 'index.mdb'), maxDbs: 20 });
  await root.openDB({ name: 'facts', encoding: 'json' }).remove('version');
  await root.close();
  expect(await countIn(dir)).toBeUndefined();
  await fill(dir);
  expect(await countIn(dir)).toBe(500);
});

test('what cannot be kept is counted and left out', () => {
  const list = new EntryList();
  const odd = [{ hash: 'h1' }, { hash: '' }, { id: 'E'.repeat(32) }, { at: -1 }, { at: 0.5 }];
  for (const fields of odd) list.add(indexed('odd', fields));
  const even = indexed('even');
  list.add(even);
  expect(list.lost).toBe(odd.length);
  expect(list.bytes()).toEqual(entriesOf([even]));
  expect(list.bytes((index) => index !== odd.length)).toHaveLength(0);
});
