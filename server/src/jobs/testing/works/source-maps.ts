/** Builds whose maps come after their events: uploads are indexed, and events that wait for them are symbolicated. */
import { Readable } from 'node:stream';
import { expect } from 'vitest';
import { assembleBundle, indexVersion, storeChunk } from '../../../domains/artifacts/index.ts';
import { createSymbolicator } from '../../../domains/artifacts/symbolicator.ts';
import { makeBundle, sha1 } from '../../../domains/artifacts/testing/bundle.ts';
import { addJobs } from '../../../domains/resymbolicate/index.ts';
import * as late from '../../../domains/resymbolicate/testing/late-maps.ts';
import { among, type Ground, statesOf, type Work } from './work.ts';

const scriptsOfBundle = 4;

export function createSourceMaps({ stores, state, blobs, organizationId, projectId, isLong }: Ground): Work {
  const counts = isLong ? { indexed: 60, uploaded: 40 } : { indexed: 3, uploaded: 1 };
  const symbolicator = createSymbolicator({ state, blobs });
  const eventIds: string[] = [];
  let uploads = 0;

  async function throwIn(name: string): Promise<late.Build> {
    const build = await late.build(name);
    eventIds.push(await late.send({ ...stores, state, blobs, symbolicator }, { projectId, build }));
    return build;
  }

  /** As a client does it; whoever indexes it has to find what waits for it. */
  async function upload(): Promise<void> {
    uploads += 1;
    const { code, map, debugId } = await throwIn(`upload ${uploads}`);
    const others = Array.from({ length: scriptsOfBundle - 1 }, (_, index) => ({ name: `${uploads}-${index}.js` }));
    const bundle = makeBundle([{ name: `${uploads}.js`, debugId, map, text: code }, ...others]);
    const checksum = sha1(bundle);
    const body = Readable.from([bundle]);
    await storeChunk(
      { state, blobs, limitBytes: Infinity },
      { organizationId, checksum, gzip: false, body },
      Date.now(),
    );
    const request = { organizationId, checksum, chunks: [checksum], projects: ['web'], release: '', dist: '' };
    expect(await assembleBundle(state, request, { indexVersion })).toMatchObject({ state: 'created' });
  }

  return {
    async begin() {
      for (let index = 0; index < counts.indexed; index += 1) {
        const build = await throwIn(`build ${index}`);
        await late.upload({ state, blobs }, build, { organizationId, projectId });
        // As long ago that nobody waits for what is on its way still.
        await addJobs(state, [projectId], { debugIds: [build.debugId] }, Date.now() - 10_000);
      }
      for (let index = 0; index < counts.uploaded; index += 1) await upload();
    },
    more: upload,
    async left() {
      // Seconds pass: what was being processed when the maps came is stored.
      await state.db
        .updateTable('symbolication_job')
        .set((eb) => ({ created_at: eb('created_at', '-', 10_000) }))
        .where('state', '=', 'waiting')
        .where('created_at', '>', Date.now() - 10_000)
        .execute();
      const untold = await state.db.selectFrom('artifact_bundle').select('id').where('attempts', '>', 0).execute();
      const bundles = among(await statesOf(state, 'artifact_bundle'), 'created', 'assembling');
      const jobs = among(await statesOf(state, 'symbolication_job'), 'waiting', 'running');
      return untold.length + bundles + jobs;
    },
    async check() {
      expect(await statesOf(state, 'artifact_bundle')).toEqual({ ok: counts.indexed + uploads });
      const artifacts = await state.db
        .selectFrom('artifact_bundle')
        .innerJoin('artifact', 'artifact.bundle_id', 'artifact_bundle.id')
        .select(({ fn }) => ['artifact_bundle.id', fn.countAll<number>().as('count')])
        .where('artifact_bundle.chunks', '!=', '[]')
        .groupBy('artifact_bundle.id')
        .execute();
      expect(artifacts.map(({ count }) => count)).toEqual(Array.from({ length: uploads }, () => scriptsOfBundle));
      const { done, ...others } = await statesOf(state, 'symbolication_job');
      expect(others).toEqual({});
      expect(done).toBeGreaterThanOrEqual(counts.indexed + uploads);
      // Events that were symbolicated twice have one revision all the same.
      const revised = await stores.events.query<{ id: string; revisions: number }>(
        'SELECT event_id AS id, count() AS revisions FROM revisions FINAL GROUP BY id',
      );
      expect(revised.map(({ id }) => id).toSorted()).toEqual(eventIds.toSorted());
      expect(revised.filter(({ revisions }) => revisions !== 1)).toEqual([]);
    },
  };
}
