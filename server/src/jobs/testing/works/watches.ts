/** Digests that somebody waits for: each is found, and told of by the node that marked it, or by none where that died in between. */
import { expect } from 'vitest';
import { putWatch } from '../../../domains/find/index.ts';
import { errorRow, hash } from '../../../domains/issues/testing/stores.ts';
import { type Ground, people, storeNamed, type Work } from './work.ts';

export function createWatches(ground: Ground): Work {
  const { state, organizationId, isLong } = ground;
  const ofPerson = isLong ? 40 : 5;
  const digests: string[] = [];
  let come = 0;

  const arrive = (count: number): Promise<void> => {
    const rows = digests.slice(come, come + count).map((digest) => ({ name: `watched ${digest}`, digest }));
    come += rows.length;
    return rows.length === 0
      ? Promise.resolve()
      : storeNamed(ground, rows, (row) => errorRow({ ...row, platform: 'node' }));
  };

  return {
    async begin() {
      for (let index = 0; index < ofPerson; index += 1) {
        const digest = String(Number.parseInt(hash(`digest ${index}`).slice(0, 7), 16));
        digests.push(digest);
        // Everybody waits for each.
        for (const userId of people) await putWatch(state, { organizationId, userId, digest, nowMs: Date.now() });
      }
      await arrive(Math.ceil(ofPerson / 2));
    },
    more: () => arrive(1),
    async left() {
      // Those that no kill was left for.
      await arrive(ofPerson);
      return (await state.db.selectFrom('digest_watch').select('id').where('found_at', 'is', null).execute()).length;
    },
    async check({ told, kills }) {
      const watches = await state.db.selectFrom('digest_watch').selectAll().execute();
      expect(watches).toHaveLength(ofPerson * people.length);
      for (const { digest, found_event_id } of watches) expect(found_event_id).toBe(hash(`watched ${digest}`));
      expect(new Set(told).size).toBe(told.length);
      expect(told.length).toBeGreaterThanOrEqual(watches.length - kills);
    },
  };
}
