import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBlobs } from './open.ts';
import { deleteExpired, deleteOfProject, projectPrefix } from './retention.ts';

test('whole days past retention are deleted, the others stay', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-blobs-'));
  const blobs = openBlobs({ url: '', dataDir });
  const now = Date.parse('2026-03-31T12:00:00Z');
  const day = 86_400_000;
  const keys = [0, 29, 30, 31, 45, 800].map((days) => `${projectPrefix(now - days * day, 1)}payload`);
  for (const key of keys) await blobs.put(key, new Uint8Array([1]));
  await deleteExpired(blobs, 30, now);
  const left = await Promise.all(keys.map(async (key) => (await blobs.get(key)) !== undefined));
  expect(left).toEqual([true, true, true, false, false, false]);
  await rm(dataDir, { recursive: true });
});

test('projects with days of their own keep theirs for so long, and all where they keep everything', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-blobs-'));
  const blobs = openBlobs({ url: '', dataDir });
  const now = Date.parse('2026-03-31T12:00:00Z');
  const key = (days: number, project: number) => `${projectPrefix(now - days * 86_400_000, project)}payload`;
  const ages = [5, 20, 50, 500];
  for (const days of ages) for (const project of [1, 2, 3, 4]) await blobs.put(key(days, project), new Uint8Array([1]));
  const left = (project: number) =>
    Promise.all(ages.map(async (days) => (await blobs.get(key(days, project))) !== undefined));
  const own = [
    [2, 10],
    [3, 100],
  ] as const;
  await deleteExpired(blobs, 30, now, new Map([...own, [4, Infinity]]));
  expect(await left(1)).toEqual([true, true, false, false]);
  expect(await left(2)).toEqual([true, false, false, false]);
  expect(await left(3)).toEqual([true, true, true, false]);
  expect(await left(4)).toEqual([true, true, true, true]);
  await deleteExpired(blobs, 30, now, new Map(own));
  expect(await left(4)).toEqual([true, true, false, false]);
  await rm(dataDir, { recursive: true });
});

test('what is kept of a project goes, of all days and of no other', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'culprit-blobs-'));
  const blobs = openBlobs({ url: '', dataDir });
  const now = Date.parse('2026-03-31T00:00:01Z');
  const keys = [
    ...[0, 1, 30, 500].map((days) => `${projectPrefix(now - days * 86_400_000, 1)}payload`),
    `${projectPrefix(now, 12)}payload`,
  ];
  for (const key of keys) await blobs.put(key, new Uint8Array([1]));
  await deleteOfProject(blobs, 1);
  const left = await Promise.all(keys.map(async (key) => (await blobs.get(key)) !== undefined));
  expect(left).toEqual([false, false, false, false, true]);
  await rm(dataDir, { recursive: true });
});
