import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { sharedS3 } from '../../../../test/s3/server.ts';
import { parseS3Address } from '../../../base/s3/address.ts';
import { createObjects } from '../../../base/s3/objects.ts';
import { openShelf, type Shelf } from './shelf.ts';

const root = mkdtempSync(join(tmpdir(), 'culprit-shelf-'));
afterAll(() => rmSync(root, { recursive: true }));
let made = 0;

const kinds = {
  directory: async () => join(root, String(made++)),
  S3: async () => (await (await sharedS3()).bucket()).replace('?', '/nightly?'),
};

describe.each(Object.entries(kinds))('a shelf in %s', (_kind, fresh) => {
  const opened = async (): Promise<Shelf> => openShelf(await fresh());
  const put = async (shelf: Shelf, name: string, content: string | Uint8Array): Promise<void> => {
    const draft = shelf.draft();
    writeFileSync(draft, content);
    await shelf.put(draft, name);
  };
  const read = async (shelf: Shelf, name: string): Promise<string | undefined> => {
    using file = await shelf.fetch(name);
    return file && readFileSync(file.path, 'utf8');
  };

  test('is empty until something is in it', async () => {
    const shelf = await opened();
    expect(await shelf.isEmpty()).toBe(true);
    await shelf.prepare();
    await shelf.writeText('about', 'one');
    await shelf.writeText('about', 'two');
    expect([await shelf.isEmpty(), await shelf.readText('about'), await shelf.readText('none')]).toEqual([
      false,
      'two',
      undefined,
    ]);
  });

  test('keeps files under their names, with their sizes, and forgets those that are removed', async () => {
    const target = await fresh();
    const shelf = openShelf(target);
    await shelf.prepare();
    const large = Buffer.alloc(9 * 2 ** 20, 'x');
    expect(await shelf.size('objects/aa/aa1')).toBeUndefined();
    await put(shelf, 'objects/aa/aa1', 'one');
    await put(shelf, 'objects/bb/bb1', large);
    await put(shelf, 'backups/1.manifest', 'm');
    await shelf.settle();
    for (const one of [shelf, openShelf(target)]) {
      expect([await one.size('objects/aa/aa1'), await one.size('objects/bb/bb1')]).toEqual([3, large.length]);
      expect(await read(one, 'objects/aa/aa1')).toBe('one');
      expect((await read(one, 'objects/bb/bb1'))?.length).toBe(large.length);
      expect(await read(one, 'objects/aa/none')).toBeUndefined();
      const names = [];
      for await (const { name, size } of one.files('objects')) names.push([name, size]);
      expect(names).toEqual([
        ['objects/aa/aa1', 3],
        ['objects/bb/bb1', large.length],
      ]);
    }
    await shelf.remove('objects/aa/aa1');
    await shelf.remove('objects/aa/none');
    expect([await shelf.size('objects/aa/aa1'), await read(shelf, 'objects/aa/aa1')]).toEqual([undefined, undefined]);
  });

  test('adds lines of several writers, none of which is lost', async () => {
    const target = await fresh();
    await openShelf(target).prepare();
    const writers = Array.from({ length: 4 }, () => openShelf(target));
    await Promise.all(writers.map((shelf, index) => shelf.appendLines('deletions/list', `${index}\n`)));
    await openShelf(target).appendLines('deletions/list', '4\n5\n');
    expect((await writers[0]!.readText('deletions/list'))?.trim().split('\n').toSorted()).toEqual([...'012345']);
  });

  test('notes are there once they are settled', async () => {
    const target = await fresh();
    const shelf = openShelf(target);
    await shelf.prepare();
    for (const line of ['a', 'b', 'c']) await shelf.note('unfinished', line);
    await shelf.settle();
    await openShelf(target).note('unfinished', 'd');
    await shelf.settle();
    expect(await openShelf(target).readText('unfinished')).toMatch(/^a\nb\nc\n/);
  });

  test('one run has it at a time; what a killed one has left is taken', async () => {
    const target = await fresh();
    const [shelf, other] = [openShelf(target), openShelf(target)];
    await shelf.prepare();
    const locked = await shelf.lock();
    const { pid = 0 } = spawnSync(process.execPath, ['--version']);
    const write = async (user: object): Promise<void> => shelf.writeText('in-use', JSON.stringify(user));
    await locked[Symbol.asyncDispose]();
    await write({ host: hostname(), pid: process.ppid });
    await expect(other.lock()).rejects.toThrow(/is writing to it/);
    await write({ host: 'another-machine', pid: 1 });
    await expect(other.lock()).rejects.toThrow(/process 1 on another-machine/);
    await write({ host: hostname(), pid });
    await (await other.lock())[Symbol.asyncDispose]();
    expect(await shelf.readText('in-use')).toBeUndefined();
  });
});

test('a lock in a directory that nobody touches any more is taken', async () => {
  const dir = join(root, 'stale');
  const shelf = openShelf(dir);
  await shelf.prepare();
  await shelf.writeText('in-use', JSON.stringify({ host: 'another-machine', pid: 1 }));
  utimesSync(join(dir, 'in-use'), 0, 0);
  await (await shelf.lock())[Symbol.asyncDispose]();
});

test('S3 is asked for the names of what is there once, and not for each', async () => {
  const url = await kinds.S3();
  let lists = 0;
  const objects = createObjects(parseS3Address(url));
  const { openS3Shelf } = await import('./s3-shelf.ts');
  const shelf = openS3Shelf({
    ...objects,
    list(prefix) {
      lists++;
      return objects.list(prefix);
    },
    head: () => Promise.reject(new Error('asked for one')),
  });
  for (let index = 0; index < 50; index++) await shelf.size(`objects/aa/${index}`);
  expect(lists).toBe(1);
});
