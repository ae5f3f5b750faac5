/** Bundles from their chunks to artifacts that frames are found in. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProject } from '../projects/index.ts';
import { BundleError } from './bundle/bundle-error.ts';
import { findByDebugIds, findByUrls, noteUse, projectsWithArtifacts, storeChunk } from './index.ts';
import { readBundle, releaseBundle, writeArtifacts, writeError } from './indexing/rows.ts';
import { bundleKey, chunkKey } from './keys.ts';
import { chunkSize } from './limits.ts';
import { listArtifacts, listBundles, listReleaseArtifacts, removeBundle, sourceMapState } from './list.ts';
import { openLookup } from './lookup/index.ts';
import { makeBundle, sha1, smallMap } from './testing/bundle.ts';
import { openUploads, type Uploads } from './testing/uploads.ts';

let uploads: Uploads;
beforeAll(async () => {
  uploads = await openUploads();
});
afterAll(async () => {
  expect(uploads.failures).toEqual([]);
  await uploads[Symbol.asyncDispose]();
});

test('a bundle is asked for, uploaded, indexed, and known from then on', async () => {
  const { state, projectId, indexed } = uploads;
  expect(await projectsWithArtifacts(state, [projectId, 99])).toEqual(new Set());
  const debugId = randomUUID();
  const bundle = makeBundle([
    { name: 'shop.js', debugId: debugId.toUpperCase() },
    { name: 'plain.js', map: null },
  ]);
  expect(await uploads.assemble(bundle)).toEqual({ state: 'not_found', missingChunks: [sha1(bundle)] });
  await uploads.send(bundle);
  expect(await uploads.assemble(bundle)).toEqual({ state: 'created', missingChunks: [] });
  uploads.indexer.wake();
  await uploads.indexer.idle();
  expect(await uploads.assemble(bundle)).toEqual({ state: 'ok', missingChunks: [] });
  expect(indexed.at(-1)).toMatchObject({ projectIds: [projectId], debugIds: [debugId], release: '', dist: '' });
  expect(await projectsWithArtifacts(state, [projectId, 99])).toEqual(new Set([projectId]));

  const found = (await findByDebugIds(state, projectId, [debugId, randomUUID()])).get(debugId);
  expect(found).toMatchObject({ url: '~/assets/shop.js', mapUrl: '~/assets/shop.js.map', problem: '' });
  expect(await findByDebugIds(state, 99, [debugId])).toEqual(new Map());
  const key = found?.lookupKey ?? '';
  const lookup = await openLookup(async (start, length) => {
    const bytes = await uploads.blobs.range(key, start, length);
    if (!bytes) throw new Error('no lookup file');
    return bytes;
  });
  expect(await lookup.find(1, 9)).toMatchObject({ source: '../src/shop.ts', line: 1, column: 15, name: 'price' });
});

test('the release and the URL find what has no debug id: its dist first, then no dist', async () => {
  const { state, projectId } = uploads;
  const text = (dist: string): string => `a=b()/*${dist}*/;`;
  for (const dist of ['', 'ios', 'android']) {
    const bundle = makeBundle([{ name: 'index.js', text: text(dist) }, { name: `only${dist}.js` }]);
    expect(await uploads.upload(bundle, { release: 'web@1', dist })).toMatchObject({ state: 'ok' });
  }
  const url = 'http://127.0.0.1:8080/assets/index.js?v=3';
  const idOf = async (release: string, dist: string) =>
    (await findByUrls(state, projectId, release, dist, [url])).get(url)?.id;
  const ids = await Promise.all([idOf('web@1', ''), idOf('web@1', 'ios'), idOf('web@1', 'android')]);
  expect(new Set(ids).size).toBe(3);
  expect(ids).not.toContain(undefined);
  expect(await idOf('web@1', 'windows')).toBe(ids[0]);
  expect(await idOf('web@2', '')).toBeUndefined();
  expect(await idOf('', '')).toBeUndefined();
  const fallback = await findByUrls(state, projectId, 'web@1', 'ios', ['app:///assets/only.js']);
  expect(fallback.get('app:///assets/only.js')).toMatchObject({ url: '~/assets/only.js' });
});

test('equal content is stored once, in bundles of other releases and projects too', async () => {
  const { state, projectId, organizationId } = uploads;
  const lookups = async (): Promise<number> =>
    (await state.db.selectFrom('artifact_lookup').select('key').execute()).length;
  const map = smallMap('once');
  const one = makeBundle([{ name: 'once.js', debugId: randomUUID(), map }]);
  expect(await uploads.upload(one, { release: 'once@1' })).toMatchObject({ state: 'ok' });
  const before = await lookups();
  // The same bundle for another release needs no chunk, even when those are gone.
  await state.db.deleteFrom('artifact_chunk').execute();
  expect(await uploads.assemble(one, { release: 'once@2' })).toEqual({ state: 'created', missingChunks: [] });
  uploads.indexer.wake();
  await uploads.indexer.idle();
  expect(await uploads.upload(makeBundle([{ name: 'other.js', map }]), { release: 'once@3' })).toMatchObject({
    state: 'ok',
  });
  expect(await lookups()).toBe(before);

  const { project } = await createProject(state, { organizationId, name: 'Mobile' });
  uploads.indexed.length = 0;
  const again = await uploads.assemble(one, { release: 'once@1', projects: ['mobile', 'web'] });
  expect(again).toEqual({ state: 'ok', missingChunks: [] });
  uploads.indexer.wake();
  await uploads.indexer.idle();
  expect(uploads.indexed).toMatchObject([{ projectIds: [projectId, project.id], release: 'once@1' }]);
});

test('a bundle whose server was killed before it told of it is told of after the next start, once', async () => {
  const { state, indexed } = uploads;
  await uploads.upload(makeBundle(), { release: 'untold@1' });
  const killed = { claimed_by: 'killed', claimed_until: Date.now() - 1, attempts: 1 };
  await state.db.updateTable('artifact_bundle').set(killed).where('release', '=', 'untold@1').execute();
  indexed.length = 0;
  for (let start = 0; start < 2; start += 1) {
    await using restarted = uploads.reopen();
    await restarted.idle();
    expect(restarted.stats().bundles).toBe(0);
  }
  expect(indexed).toMatchObject([{ release: 'untold@1' }]);
});

test('a bundle that another node has claimed meanwhile is left to it', async () => {
  const { state } = uploads;
  await uploads.upload(makeBundle(), { release: 'taken@1' });
  const rows = state.db.selectFrom('artifact_bundle').selectAll().where('release', '=', 'taken@1');
  const { id } = await rows.executeTakeFirstOrThrow();
  await state.db
    .updateTable('artifact_bundle')
    .set({ state: 'assembling', claimed_by: 'other', claimed_until: Date.now() + 60_000, attempts: 1 })
    .where('id', '=', id)
    .execute();
  const before = await rows.execute();
  const late = await readBundle(state, id, 'one');
  if (!late) throw new Error('no bundle');
  expect(await writeArtifacts(state, late, [], 0)).toBeUndefined();
  expect(await writeError(state, late, new BundleError('no zip'))).toBe(false);
  await releaseBundle(state, { id, attempts: 1, isIndexed: false }, { node: 'one' }, true);
  expect(await rows.execute()).toEqual(before);
  await state.db.deleteFrom('artifact_bundle').where('id', '=', id).execute();
});

test('a project that is not there is named', async () => {
  const bundle = makeBundle();
  const refused = { code: 'INPUT_INVALID', message: expect.stringContaining('no project "wbe"') as string };
  await expect(uploads.assemble(bundle, { projects: ['web', 'wbe'] })).rejects.toMatchObject(refused);
  await expect(uploads.assemble(bundle, { projects: [] })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
});

test('clients that upload the same at once make one bundle of it', async () => {
  const { state } = uploads;
  const bundle = makeBundle();
  await uploads.send(bundle);
  const answers = await Promise.all(Array.from({ length: 8 }, () => uploads.assemble(bundle)));
  expect(new Set(answers.map((answer) => answer.state))).toEqual(new Set(['created']));
  const rows = await state.db.selectFrom('artifact_bundle').select('id').where('checksum', '=', sha1(bundle)).execute();
  expect(rows).toHaveLength(1);
});

test('what a crash left behind is indexed after the next start', async () => {
  const bundle = makeBundle();
  await uploads.send(bundle);
  await uploads.assemble(bundle);
  const { state } = uploads;
  await state.db.updateTable('artifact_bundle').set({ state: 'assembling' }).where('state', '=', 'created').execute();
  await using restarted = uploads.reopen();
  await restarted.idle();
  expect(await uploads.assemble(bundle)).toMatchObject({ state: 'ok' });
  // So is what another version indexed, and what it was used for is kept.
  const [row] = await state.db
    .selectFrom('artifact')
    .select(['id', 'debug_id'])
    .orderBy('id', 'desc')
    .limit(1)
    .execute();
  await noteUse(state, new Map([[row?.id ?? 0, 7]]), Date.now());
  await state.db
    .updateTable('artifact_bundle')
    .set({ index_version: 1 })
    .where('checksum', '=', sha1(bundle))
    .execute();
  await using updated = uploads.reopen();
  await updated.idle();
  const after = await state.db
    .selectFrom('artifact')
    .selectAll()
    .where('debug_id', '=', row?.debug_id ?? '')
    .execute();
  expect(after).toMatchObject([{ frames_resolved: 7 }]);
});

test('a checksum that its chunks do not have is refused, and can be tried again later', async () => {
  const bundle = makeBundle();
  await uploads.send(bundle);
  const wrong = { checksum: 'a'.repeat(40) };
  await uploads.assemble(bundle, wrong as never);
  uploads.indexer.wake();
  await uploads.indexer.idle();
  const refused = await uploads.assemble(bundle, wrong as never);
  expect(refused).toMatchObject({ state: 'error', detail: expect.stringContaining('checksum') as string });
  expect(await uploads.assemble(bundle, wrong as never, Date.now() + 120_000)).toMatchObject({ state: 'created' });
  uploads.indexer.wake();
  await uploads.indexer.idle();
});

test('a chunk that went missing is asked for again', async () => {
  const { blobs, organizationId } = uploads;
  const bundle = makeBundle();
  await uploads.send(bundle);
  await uploads.assemble(bundle);
  await blobs.delete(chunkKey(organizationId, sha1(bundle)));
  uploads.indexer.wake();
  await uploads.indexer.idle();
  expect(await uploads.assemble(bundle)).toMatchObject({
    state: 'error',
    detail: expect.stringContaining('again') as string,
  });
  const later = Date.now() + 120_000;
  expect(await uploads.assemble(bundle, {}, later)).toEqual({ state: 'not_found', missingChunks: [sha1(bundle)] });
  await uploads.send(bundle);
  expect(await uploads.assemble(bundle, {}, later)).toMatchObject({ state: 'created' });
  uploads.indexer.wake();
  await uploads.indexer.idle();
  expect(await uploads.assemble(bundle)).toMatchObject({ state: 'ok' });
});

test('a chunk is taken in any case and compression, and refused when it is not what it says', async () => {
  const { state, blobs, organizationId } = uploads;
  const chunk = Buffer.from('a chunk');
  const take = (checksum: string, gzip: boolean, ...pieces: Uint8Array[]) =>
    storeChunk({ state, blobs, limitBytes: Infinity }, { organizationId, checksum, gzip, body: Readable.from(pieces) });
  await take(sha1(chunk).toUpperCase(), true, gzipSync(chunk));
  expect(await blobs.get(chunkKey(organizationId, sha1(chunk)))).toHaveLength(chunk.length);
  const zeros = Buffer.alloc(chunkSize + 1);
  const refusals = [
    [sha1(Buffer.from('x')), false, chunk, /has the SHA-1 [0-9a-f]{40}; it was damaged/],
    ['../../etc/passwd', false, chunk, /file name must be the SHA-1/],
    [sha1(zeros), false, zeros, /larger than 8388608 bytes/],
    // A bomb is let go at the first byte too many.
    [sha1(zeros), true, gzipSync(Buffer.alloc(64 * 1024 * 1024)), /larger than 8388608 bytes/],
    [sha1(chunk), true, chunk, /not compressed with gzip/],
    [sha1(chunk), true, gzipSync(chunk).subarray(0, 12), /not compressed with gzip/],
  ] as const;
  for (const [checksum, gzip, bytes, words] of refusals) {
    await expect(take(checksum, gzip, bytes)).rejects.toMatchObject({ code: 'CHUNK_INVALID', status: 400 });
    await expect(take(checksum, gzip, bytes)).rejects.toThrow(words);
  }
  expect(await blobs.get(chunkKey(organizationId, sha1(zeros)))).toBeUndefined();
});

test('chunks of a bundle leave room for others; those of none and of a refused one do not', async () => {
  await using own = await openUploads();
  const { state, blobs, organizationId } = own;
  const bundle = makeBundle([{ name: 'large.js', text: 'x'.repeat(2000), map: null }]);
  const refused = Buffer.from('SYSB is how a bundle begins, and this is none');
  const take = (text: string) => {
    const body = Readable.from([Buffer.from(text)]);
    const chunk = { organizationId, checksum: sha1(Buffer.from(text)), gzip: false, body };
    return storeChunk({ state, blobs, limitBytes: 100 }, chunk);
  };
  expect(await own.upload(bundle)).toMatchObject({ state: 'ok' });
  await take('a'.repeat(40));
  expect(await own.upload(refused)).toMatchObject({ state: 'error' });
  await take('b'.repeat(40));
  await expect(take('c')).rejects.toMatchObject({ code: 'CHUNKS_FULL', status: 429 });
  expect(await blobs.get(chunkKey(organizationId, sha1(Buffer.from('c'))))).toBeUndefined();
  await own.indexer.sweep(Date.now() + 13 * 60 * 60 * 1000);
  await take('c');
});

test('lists say what was uploaded, what cannot be used and why, and what was used how often', async () => {
  const { state, projectId, organizationId } = uploads;
  const debugId = randomUUID();
  const scripts = [
    { name: 'good.js', debugId },
    { name: 'none.js', map: null, sourceMap: '' },
    { name: 'absent.js', map: null },
    { name: 'inline.js', map: null, sourceMap: 'data:application/json;base64,e30=' },
    { name: 'broken.js', map: '{"version":3' },
  ];
  await uploads.upload(makeBundle(scripts), { release: 'list@1', dist: 'd' });
  const [bundle] = await listBundles(state, projectId, { release: 'list@1', offset: 0, limit: 10 });
  expect(bundle).toMatchObject({
    release: 'list@1',
    dist: 'd',
    state: 'ok',
    scripts: 5,
    mapped: 1,
    broken: 3,
    fileCount: 8,
    projects: ['web'],
  });
  const all = { offset: 0, limit: 10 };
  const used = (await listReleaseArtifacts(state, organizationId, { release: 'list@1' }, all)).find(
    (one) => one.mapped,
  );
  await noteUse(state, new Map([[used?.id ?? 0, 3]]), 1000);
  await noteUse(state, new Map([[used?.id ?? 0, 4]]), 2000);
  const files = await listArtifacts(state, bundle?.id ?? 0, all);
  expect(files[0]).toMatchObject({
    url: '~/assets/good.js',
    framesResolved: 7,
    lastUsedAt: 2000,
    sources: 1,
    problem: '',
  });
  const problems = new Map(files.map(({ url, problem }) => [url, problem]));
  expect(problems.get('~/assets/none.js')).toContain('the script names none');
  expect(problems.get('~/assets/absent.js')).toContain('~/assets/absent.js.map is missing in the upload');
  expect(problems.get('~/assets/inline.js')).toContain('a data URL in the script');
  expect(problems.get('~/assets/broken.js')).not.toBe('');
  const search = async (text: string) => (await listBundles(state, projectId, { ...all, text })).map(({ id }) => id);
  for (const text of [debugId, debugId.toUpperCase(), 'absent.js', 'list@1', String(bundle?.id)]) {
    expect(await search(text), text).toContain(bundle?.id);
  }
  expect(await search('100%')).toEqual([]);
  expect(await sourceMapState(state, projectId)).toMatchObject({
    framesResolved: expect.any(Number) as number,
    indexing: 0,
    lastBundle: { projects: ['web'] },
  });
});

test('what is unused for long goes with its blobs; what is used stays', async () => {
  const { state, blobs, indexer, projectId, organizationId } = uploads;
  const [old, used, removed] = ['old', 'used', 'removed'].map((name) =>
    makeBundle([{ name: 'x.js', debugId: randomUUID(), map: smallMap(name) }]),
  );
  for (const bundle of [old, used, removed]) await uploads.upload(bundle!, { release: 'gone@1' });
  const day = 24 * 60 * 60 * 1000;
  const long = Date.now() + 100 * day;
  const rowOf = (bundle: Buffer) =>
    state.db.selectFrom('artifact_bundle').select('id').where('checksum', '=', sha1(bundle)).executeTakeFirst();
  const artifactOf = async (bundle: Buffer) =>
    state.db
      .selectFrom('artifact')
      .selectAll()
      .where('bundle_id', '=', (await rowOf(bundle))?.id ?? 0)
      .executeTakeFirstOrThrow();
  const oldKey = (await artifactOf(old!)).lookup_key;
  const usedArtifact = await artifactOf(used!);
  await noteUse(state, new Map([[usedArtifact.id, 1]]), long - day);
  expect(await removeBundle(state, projectId, (await rowOf(removed!))?.id ?? 0)).toBe(true);
  expect(await removeBundle(state, projectId, 123_456)).toBe(false);

  await indexer.sweep();
  expect(await rowOf(removed!)).toBeUndefined();
  expect(await rowOf(old!)).toBeDefined();
  await indexer.sweep(long);
  expect(await rowOf(old!)).toBeUndefined();
  expect(await rowOf(used!)).toBeDefined();
  const left = [bundleKey(organizationId, sha1(old!)), oldKey, chunkKey(organizationId, sha1(used!))];
  for (const key of left) expect(await blobs.get(key), key).toBeUndefined();
  const kept = [bundleKey(organizationId, sha1(used!)), usedArtifact.lookup_key];
  for (const key of kept) expect(await blobs.get(key), key).toBeDefined();
});
