/** Data directories whose program was killed in the midst of its work: the program of now takes it to its end, once. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest, unpackDataDir } from '../../fixtures/data-dirs/index.ts';
import { Server } from './harness.ts';
import { openBlobs } from '../src/ports/blobs/open.ts';
import { leaveWork, readState } from './old-data/work.ts';

/** Between the kill and the start. */
const awayMs = 5_000;

test('exports, symbolication, uploads, changes of issues and deliveries of 7980d21 are taken to their end', async () => {
  const manifest = readManifest('7980d21');
  const environment = { ...manifest.environment, CULPRIT_PERFORMANCE_WAIT_SECONDS: '0' };
  await using server = await Server.create(environment, { init: false, start: false, clock: true });
  const { dataDir } = server;
  await unpackDataDir('7980d21', dataDir);
  const work = leaveWork(dataDir, manifest);
  const { exportId, symbolicationId, bundleId, bulkId, issueIds, deliveries } = work;
  await server.moveClock(manifest.recordedAt + awayMs - Date.now());
  await server.start();

  const read = (question: string, ...given: (string | number)[]) => readState(dataDir, question, ...given);
  const endsOf = (table: string, ...ids: number[]) =>
    ids.map((id) => read(`select state from ${table} where id = ?`, id)[0]?.['state']);
  await server.until('all of it to be over', () => {
    const open = [
      read(`select id from data_export where state in ('waiting', 'running')`),
      read(`select id from symbolication_job where state in ('waiting', 'running')`),
      read(`select id from artifact_bundle where state in ('created', 'assembling') or attempts > 0`),
      read(`select id from bulk_job where id = ? and state = 'running'`, bulkId),
      read(
        `select id from delivery where id in (?, ?) and state in ('waiting', 'sending')`,
        ...Object.values(deliveries),
      ),
    ];
    return open.every((rows) => rows.length === 0);
  });
  await server.drained();

  expect(endsOf('data_export', exportId)).toEqual(['done']);
  const [written] = read('select organization_id, row_count, attempts from data_export where id = ?', exportId);
  expect(written).toMatchObject({ attempts: 2 });
  const organizationId = String(written?.['organization_id']);
  // Nothing but the files of exports, nothing of what was broken off.
  expect((await readdir(join(dataDir, 'blobs/exports', organizationId))).toSorted()).toEqual(['1', String(exportId)]);
  const file = await openBlobs({ url: '', dataDir }).get(`exports/${organizationId}/${exportId}`);
  const lines = new TextDecoder().decode(file).trim().split('\r\n');
  expect(lines).toHaveLength(1 + Number(written?.['row_count']));
  expect(lines.length).toBeGreaterThan(80);

  expect(endsOf('symbolication_job', symbolicationId)).toEqual(['done']);
  expect(endsOf('artifact_bundle', bundleId)).toEqual(['ok']);
  expect(read('select url from artifact where bundle_id = ?', bundleId)).toEqual([{ url: '~/assets/shop.js' }]);
  // What waited for the upload has been looked for.
  expect(read(`select state from symbolication_job where wanted like '%shop@1.2.0%'`)).toEqual([{ state: 'done' }]);
  await using events = await server.events();
  const revisions = 'SELECT event_id, count() AS n FROM revisions FINAL GROUP BY event_id';
  expect((await events.query<{ n: number }>(revisions)).map(({ n }) => Number(n))).toEqual([1]);

  expect(endsOf('bulk_job', bulkId)).toEqual(['done']);
  expect(read('select total, done, changed from bulk_job where id = ?', bulkId)).toEqual([
    { total: 3, done: 3, changed: 3 },
  ]);
  for (const id of issueIds) {
    expect(read('select status from issue where id = ?', id)).toEqual([{ status: 'resolved' }]);
    const entries = `select id from issue_activity where issue_id = ? and type = 'set_resolved'`;
    expect(read(entries, id)).toHaveLength(1);
  }

  // Slack does not know a repeat when it sees one; what cannot have come is tried, and its channel is off.
  expect(endsOf('delivery', deliveries.committed, deliveries.early)).toEqual(['uncertain', 'skipped']);
  expect(server.output).not.toMatch(/"level":(?:50|60)/);
}, 180_000);
