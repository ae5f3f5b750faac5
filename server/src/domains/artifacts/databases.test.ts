/** The statements of this module on each database. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { findByDebugIds, findByUrls, noteUse, projectsWithArtifacts } from './index.ts';
import { listArtifacts, listBundles, listReleaseArtifacts, removeBundle, sourceMapState } from './list.ts';
import { makeBundle } from './testing/bundle.ts';
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
});
