/** The statements of this module on each database. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import {
  findByDebugIds,
  findByUrls,
  knownDebugFiles,
  listDebugFiles,
  noteUse,
  openDebugFile,
  projectsWithArtifacts,
} from './index.ts';
import { listArtifacts, listBundles, listReleaseArtifacts, removeBundle, sourceMapState } from './list.ts';
import { makeBundle, sha1 } from './testing/bundle.ts';
import { openUploads } from './testing/uploads.ts';

onEachDatabase('artifacts', (databases) => {
  test('are uploaded, found, used, listed and cleared away', async () => {
    const { url } = await databases.migratedPlace();
    await using uploads = await openUploads({ stateUrl: url });
    const { state, projectId, organizationId, indexer } = uploads;
    const debugId = randomUUID();
    const bundle = makeBundle([
      { name: 'a%b.js', debugId },
      { name: 'broken.js', map: '{\0' },
    ]);
    const association = { release: 'web@1 \0\ud800', dist: 'd' };
    expect(await uploads.upload(bundle, association)).toEqual({ state: 'ok', missingChunks: [] });
    expect(await projectsWithArtifacts(state, [projectId])).toEqual(new Set([projectId]));
    const artifact = (await findByDebugIds(state, projectId, [debugId])).get(debugId);
    expect(artifact).toMatchObject({ url: '~/assets/a%b.js', problem: '' });
    const address = 'https://host/assets/a%b.js';
    expect((await findByUrls(state, projectId, association.release, 'd', [address])).get(address)).toEqual(artifact);
    await noteUse(state, new Map([[artifact?.id ?? 0, 2]]), Date.now());

    const page = { offset: 0, limit: 10 };
    expect(await listBundles(state, projectId, { ...page, text: 'a%b' })).toMatchObject([
      { scripts: 2, mapped: 1, broken: 1, framesResolved: 2, projects: ['web'] },
    ]);
    expect(await listBundles(state, projectId, { ...page, text: 'a%_b' })).toEqual([]);
    const [listed] = await listBundles(state, projectId, { ...page, text: debugId });
    expect(await listArtifacts(state, listed?.id ?? 0, page)).toMatchObject([{ debugId }, { mapped: false }]);
    expect(await listReleaseArtifacts(state, organizationId, { release: association.release }, page)).toHaveLength(2);
    expect(await sourceMapState(state, projectId)).toMatchObject({ bundles: 1, indexing: 0, scripts: 2, broken: 1 });

    expect(await removeBundle(state, projectId, listed?.id ?? 0)).toBe(true);
    const day = 24 * 60 * 60 * 1000;
    await indexer.sweep(Date.now() + 2 * day);
    for (const table of ['artifact_bundle', 'artifact', 'artifact_lookup', 'artifact_chunk'] as const) {
      expect(await state.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
    }
    expect(uploads.failures).toEqual([]);
  });

  test('debug files are uploaded, listed, told by checksum, found, downloaded and removed', async () => {
    const { url } = await databases.migratedPlace();
    await using uploads = await openUploads({ stateUrl: url });
    const { state, blobs, projectId } = uploads;
    const debugId = randomUUID();
    const mapping = Buffer.from('com.example.Cart -> a.b:\n    1:1:void order():6:6 -> a\n');
    const name = `/proguard/${debugId}.txt`;
    expect(await uploads.upload(mapping, { debugFile: { name, debugId } })).toEqual({ state: 'ok', missingChunks: [] });
    // Again, and for another build.
    const other = randomUUID();
    expect((await uploads.upload(mapping, { debugFile: { name, debugId } })).state).toBe('ok');
    expect((await uploads.upload(mapping, { debugFile: { name, debugId: other } })).state).toBe('ok');

    const page = { offset: 0, limit: 10 };
    expect(await listDebugFiles(state, projectId, page)).toHaveLength(2);
    const [listed] = await listDebugFiles(state, projectId, { ...page, text: debugId.toUpperCase() });
    expect(listed).toMatchObject({ debugId, kind: 'mapping', entries: 1, state: 'ok', problem: '', framesResolved: 0 });
    expect(await listDebugFiles(state, projectId, { ...page, text: '%_' })).toEqual([]);
    const checksums = [sha1(mapping), sha1(Buffer.from('none'))];
    expect(await knownDebugFiles(state, projectId, checksums)).toEqual(new Set(checksums.slice(0, 1)));
    expect(await knownDebugFiles(state, projectId + 1, checksums)).toEqual(new Set());
    const artifact = (await findByDebugIds(state, projectId, [debugId])).get(debugId);
    expect(artifact).toMatchObject({ problem: '' });
    await noteUse(state, new Map([[artifact?.id ?? 0, 3]]), Date.now());
    const opened = await openDebugFile({ state, blobs }, projectId, listed?.id ?? 0);
    expect(opened).toMatchObject({ sizeBytes: mapping.length, fileName: `${debugId}.txt` });
    expect(await text(opened?.stream ?? Readable.from([]))).toBe(String(mapping));
    expect(await openDebugFile({ state, blobs }, projectId + 1, listed?.id ?? 0)).toBeUndefined();

    expect(await removeBundle(state, projectId, listed?.id ?? 0)).toBe(true);
    expect(await listDebugFiles(state, projectId, page)).toMatchObject([{ debugId: other }]);
    expect(uploads.failures).toEqual([]);
  });
});
