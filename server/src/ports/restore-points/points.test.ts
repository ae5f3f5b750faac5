/** Restore points of data directories that earlier versions wrote. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unpackDataDir } from '../../../../fixtures/data-dirs/index.ts';
import { testSecrets } from '../../base/secrets/testing.ts';
import { openLmdbLog } from '../queue/lmdb.ts';
import { changesSince } from './changes.ts';
import { expirePoints } from './expiry.ts';
import { dataOf, listPoints, ownBytes, pointsDir, removeLeftovers } from './points.ts';
import { prepareDataDir } from './prepare.ts';
import { finishReturn, isReturning, refuseHalf, returnTo } from './return.ts';
import { readWrittenBy, thisProgram, writeWrittenBy } from './written-by.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'culprit-points-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const box = testSecrets.boxSetup('log record');
const logMaxBytes = 2 ** 28;
const prepare = (dataDir: string) => prepareDataDir({ dataDir, logMaxBytes, wanted: true, box: async () => box });

async function directoryOf(name: string): Promise<string> {
  const dataDir = await mkdtemp(join(root, `${name}-`));
  await unpackDataDir(name, dataDir);
  return dataDir;
}

/** What stands in all files of the stores, by path: nothing else of the directory is a version's. */
async function contents(dir: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const output = execFileSync('sh', ['-c', 'find . -type f -exec sha256sum {} + | sort -k2'], { cwd: dir });
  for (const line of output.toString().trim().split('\n')) {
    const [hash = '', path = ''] = line.split(/\s+/);
    if (/^\.\/(?:state\.db|events\/|payloads\/|blobs\/)/.test(path) && !/-shm$|\/tmp|blobs\/.incoming/.test(path)) {
      found.set(path, hash);
    }
  }
  return found;
}

/** What the state store says, whatever of it lies in its log of changes. */
function stateOf(dataDir: string): unknown {
  const database = new DatabaseSync(join(dataDir, 'state.db'));
  const rows = database.prepare('select id, title, status from issue order by id').all();
  const migrations = database.prepare('select count(*) as n from migration').get();
  database.close();
  return [rows, migrations];
}

test.for([
  ['7980d21', '0.1.0'],
  ['0.2.0', '0.2.0'],
] as const)('%s: before another version opens it, a point of links is made, once', async ([name, version]) => {
  const dataDir = await directoryOf(name);
  expect(await readWrittenBy(dataDir)).toMatchObject({ version, isGuessed: true });
  const { before, point, failure } = await prepare(dataDir);
  expect([before?.version, failure, point?.to]).toEqual([version, undefined, thisProgram.version]);
  expect(point?.entries).toEqual(expect.arrayContaining(['state.db', 'events', 'blobs']));
  expect(point?.log).toMatchObject({ isSealed: name !== '7980d21', records: 11 });
  expect(point!.linkedBytes).toBeGreaterThan(100_000);

  const data = dataOf(dataDir, point!);
  const [there, kept] = [await contents(dataDir), await contents(data)];
  for (const map of [there, kept]) for (const path of map.keys()) if (path.includes('state.db')) map.delete(path);
  expect(kept).toEqual(there);
  // Parts are links, so they take no room; what is written to in place is not.
  const parts = [...kept.keys()].filter((path) => path.endsWith('/checksums.txt'));
  expect(parts.length).toBeGreaterThan(10);
  for (const path of parts) expect((await stat(join(data, path))).nlink).toBe(2);
  const notes = [...kept.keys()].filter((path) => path.includes('deduplication_log'));
  expect(notes.length).toBeGreaterThan(0);
  for (const path of notes) expect((await stat(join(data, path))).nlink).toBe(1);
  expect(await ownBytes(dataDir, point!)).toBeLessThan(12e6);

  expect(await prepare(dataDir)).toEqual({ before: undefined, point: undefined, failure: undefined });
  expect(await listPoints(dataDir)).toHaveLength(1);
});

test('a kill while a point is made leaves a directory that starts, and the next start makes it', async () => {
  const dataDir = await directoryOf('7980d21');
  const program = fileURLToPath(new URL('./testing/make.ts', import.meta.url));
  const before = stateOf(dataDir);
  for (const afterMs of [0, 4, 15, 40]) {
    const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    setTimeout(() => child.kill('SIGKILL'), afterMs);
    await once(child, 'close');
    const points = await listPoints(dataDir);
    expect(stateOf(dataDir)).toEqual(before);
    for (const point of points) expect((await contents(dataOf(dataDir, point))).size).toBeGreaterThan(100);
    if (points.length > 0) break;
    expect(await readWrittenBy(dataDir)).toMatchObject({ version: '0.1.0', isGuessed: true });
  }
  await prepare(dataDir);
  expect((await listPoints(dataDir)).length).toBeGreaterThan(0);
  expect(await readdir(pointsDir(dataDir))).not.toContain('.making');
});

/** As a version does that knows more. */
async function migrate(dataDir: string): Promise<void> {
  const database = new DatabaseSync(join(dataDir, 'state.db'));
  database.exec(`create table newer (id); insert into migration values ('9999-newer', 1); update issue set title = ''`);
  database.close();
  await rm(join(dataDir, 'events/data/culprit/errors'), { force: true });
  await mkdir(join(dataDir, 'payloads/2026-11-22'), { recursive: true });
  await writeFile(join(dataDir, 'payloads/2026-11-22/1.chunks'), 'of the newer version');
  await mkdir(join(dataDir, 'event-index'), { recursive: true });
  await using log = await openLmdbLog({ dir: join(dataDir, 'log'), box, limitBytes: logMaxBytes });
  await log.append(Buffer.from('since'));
}

test('a return brings the stores back as they were, whenever it is killed', async () => {
  const program = fileURLToPath(new URL('./testing/go-back.ts', import.meta.url));
  const expected = await directoryOf('7980d21');
  const state = stateOf(expected);
  const files = await contents(expected);
  let interrupted = 0;
  for (const afterMs of [0, 0, 20, 60]) {
    const dataDir = await directoryOf('7980d21');
    await prepare(dataDir);
    await migrate(dataDir);
    // To remove them takes a while, in the midst of the exchange of names.
    const retained = join(dataDir, 'log/retained');
    await mkdir(retained);
    for (let index = 0; index < 4_000; index++) writeFileSync(join(retained, String(index)), '');
    const note = join(pointsDir(dataDir), 'return.json');
    const child = spawn(process.execPath, [program, dataDir], { stdio: 'inherit' });
    const closed = once(child, 'close');
    while (child.exitCode === null && !existsSync(note)) await setImmediate();
    await delay(afterMs);
    child.kill('SIGKILL');
    await closed;
    const begun = await isReturning(dataDir);
    if (begun) {
      interrupted++;
      // SQLite takes what stands in its place for no database, so no version starts on half of each.
      const start = (await readFile(join(dataDir, 'state.db'))).subarray(0, 7).toString();
      if (start === 'Culprit') expect(() => stateOf(dataDir)).toThrow('file is not a database');
      await expect(refuseHalf(dataDir)).rejects.toMatchObject({ code: 'DOWNGRADE_INTERRUPTED' });
      await finishReturn(dataDir, begun);
    } else {
      await removeLeftovers(dataDir);
      const [point] = await listPoints(dataDir);
      if (point) await returnTo({ dataDir, point, logMaxBytes, box });
    }
    expect(stateOf(dataDir)).toEqual(state);
    const found = await contents(dataDir);
    for (const map of [found, files]) for (const path of map.keys()) if (path.includes('state.db')) map.delete(path);
    expect(found).toEqual(files);
    const names = await readdir(dataDir);
    expect(names.filter((name) => /restore-points|event-index|payloads|version/.test(name))).toEqual([]);
    expect(await readWrittenBy(dataDir)).toMatchObject({ version: '0.1.0', isGuessed: true });
    await using log = await openLmdbLog({ dir: join(dataDir, 'log'), box, limitBytes: logMaxBytes });
    expect(log.stats().records).toBe(12);
  }
  expect(interrupted).toBeGreaterThan(0);
});

test('an empty note, as an earlier version may have left, is none', async () => {
  const dataDir = await directoryOf('7980d21');
  await prepare(dataDir);
  await writeFile(join(pointsDir(dataDir), 'return.json'), '');
  expect(await isReturning(dataDir)).toBeUndefined();
});

test('points go after their days, beyond their size the oldest first, and where the disk is low', async () => {
  const dataDir = await directoryOf('7980d21');
  const forgotten: (number | undefined)[] = [];
  const log = { forgetRetained: async (before?: number) => void forgotten.push(before) };
  const { point: first } = await prepare(dataDir);
  await writeWrittenBy(dataDir, { ...thisProgram, version: '0.0.1' });
  const { point: second } = await prepare(dataDir);
  const expire = (days: number, maxBytes: number, more = {}) =>
    expirePoints({ dataDir, days, maxBytes, log, leaveBytes: 0, ...more });
  expect(await expire(7, 1e9)).toEqual([]);
  const newest = await ownBytes(dataDir, second!);
  expect(await expire(7, newest + 1)).toMatchObject([{ point: { name: first!.name }, why: 'size' }]);
  expect(forgotten).toEqual([second!.log!.next]);
  expect(await expire(7, 1e9, { now: second!.at + 6.9 * 86_400_000 })).toEqual([]);
  expect(await expire(7, 1e9, { now: second!.at + 7 * 86_400_000 })).toMatchObject([{ why: 'age' }]);
  await writeWrittenBy(dataDir, { ...thisProgram, version: '0.0.1' });
  await prepare(dataDir);
  expect(await expire(7, 1e9, { leaveBytes: Number.MAX_SAFE_INTEGER })).toMatchObject([{ why: 'disk' }]);
  expect(forgotten.slice(1)).toEqual([undefined, undefined]);
  expect(await listPoints(dataDir)).toEqual([]);
});

test('a directory of a newer version is refused, and nothing of it is changed', async () => {
  const dataDir = await directoryOf('7980d21');
  await writeWrittenBy(dataDir, { version: '9.0.0', state: '9999-newer', events: 1 });
  await expect(prepare(dataDir)).rejects.toMatchObject({
    code: 'DATA_DIR_NEWER',
    message: expect.stringContaining('9.0.0'),
  });
  expect(await listPoints(dataDir)).toEqual([]);
});

test('without room there is no point, and the start goes on', async () => {
  const dataDir = await directoryOf('7980d21');
  // As large as the file system lets a file of holes be.
  await truncate(join(dataDir, 'state.db-wal'), 2 ** 43);
  const { point, failure } = await prepare(dataDir);
  expect([point, failure]).toEqual([undefined, expect.stringContaining('a restore point needs')]);
  expect(await readWrittenBy(dataDir)).toMatchObject({ version: thisProgram.version });
});

test('an empty directory has nothing to keep', async () => {
  const dataDir = await mkdtemp(join(root, 'empty-'));
  expect(await prepare(dataDir)).toMatchObject({ before: undefined, point: undefined });
  expect(await readWrittenBy(dataDir)).toEqual(thisProgram);
});

test('what people and builds have done since is counted', async () => {
  const dataDir = await directoryOf('0.2.0');
  const all = changesSince(dataDir, 0);
  expect([all.issues > 5, all.uploads]).toEqual([true, 1]);
  // That version has no audit log.
  expect(all).toMatchObject({ settings: 0, deletions: 0 });
  expect(changesSince(dataDir, Date.now() + 1e12)).toEqual({ issues: 0, settings: 0, deletions: 0, uploads: 0 });
});
