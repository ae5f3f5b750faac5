/** Exports: each file is there as a whole, with all its rows. */
import { expect } from 'vitest';
import { addExport, exportKey } from '../../../domains/explore/index.ts';
import { errorRow, hash, store } from '../../../domains/issues/testing/stores.ts';
import { among, type Ground, statesOf, type Work } from './work.ts';

const rowsOfExport = 3_000;

export function createExports({ stores, state, blobs, organizationId, projectId, isLong }: Ground): Work {
  const count = isLong ? 150 : 4;
  return {
    async begin() {
      const rows = Array.from({ length: rowsOfExport }, (_, index) =>
        errorRow({ project_id: projectId, group_hash: hash('exported'), event_id: hash(`exported ${index}`) }),
      );
      await store(stores, rows);
      const createdAt = new Date();
      const question = { dataset: 'errors', query: '', field: ['id'], sort: [], environment: [], statsPeriod: '1d' };
      for (let index = 0; index < count; index += 1) {
        const id = `user ${index}`;
        const user = { id, name: id, email: `${index}@example.com`, emailVerified: true, image: null };
        await state.db
          .insertInto('user')
          .values({ ...user, createdAt, updatedAt: createdAt })
          .execute();
        const what = { format: 'csv', question, projectIds: [projectId], limit: 1_000_000 } as const;
        await addExport(state, { organizationId, userId: id }, what, Date.now());
      }
    },
    left: async () => among(await statesOf(state, 'data_export'), 'waiting', 'running'),
    async check() {
      expect(await statesOf(state, 'data_export')).toEqual({ done: count });
      for (const { id, row_count } of await state.db.selectFrom('data_export').selectAll().execute()) {
        const file = await blobs.get(exportKey({ organizationId, id }));
        const lines = new TextDecoder().decode(file).trim().split('\r\n');
        expect(row_count).toBeGreaterThanOrEqual(rowsOfExport);
        expect(lines).toHaveLength(1 + row_count);
      }
    },
  };
}
