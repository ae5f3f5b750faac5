/** Feedback that an earlier version has kept, about events of which some come after it. */
import { expect } from 'vitest';
import type { ItemRow } from '../../../base/tables/items.ts';
import { errorRow, hash } from '../../../domains/issues/testing/stores.ts';
import { type Ground, storeNamed, type Work } from './work.ts';

export function createFeedback(ground: Ground): Work {
  const { stores, state, projectId, isLong } = ground;
  // More than is read at once.
  const kept = isLong ? 8_000 : 1_100;
  const about = 60;
  const eventOf = (index: number): string => `told about ${index % about}`;
  let come = 0;
  let solved = 0;

  const arrive = (count: number): Promise<void> => {
    const rows = Array.from({ length: Math.min(count, about - come) }, (_, index) => ({ name: eventOf(come + index) }));
    come += rows.length;
    return rows.length === 0 ? Promise.resolve() : storeNamed(ground, rows, errorRow);
  };
  const rows = () => state.db.selectFrom('feedback').selectAll().execute();

  return {
    async begin() {
      const items = Array.from({ length: kept }, (_, index): ItemRow => {
        // Some are about an event, few enough that all that wait are looked at.
        const event = index < 2 * about ? { associated_event_id: hash(eventOf(index)) } : {};
        const form = { message: `feedback ${index}`, ...event };
        const payload = JSON.stringify({ contexts: { feedback: form } });
        return {
          project_id: projectId,
          received_at: Date.now(),
          item_type: 'feedback',
          category: 'feedback',
          outcome: 'accepted',
          reason: '',
          detail: '',
          event_id: hash(`feedback ${index}`),
          headers: '{}',
          size_bytes: payload.length,
          payload,
          blob_key: '',
        };
      });
      await stores.events.insert('items', items, 'feedback');
      await arrive(about / 2);
    },
    async more() {
      await arrive(2);
      // What a person decides meanwhile stays.
      const { numUpdatedRows } = await state.db
        .updateTable('feedback')
        .set({ status: 'resolved' })
        .where('status', '=', 'open')
        .executeTakeFirst();
      solved += Number(numUpdatedRows);
    },
    async left() {
      await arrive(about);
      const all = await rows();
      const unlinked = all.filter((row) => row.event_id !== '' && row.group_hash === '').length;
      return kept - all.length + unlinked;
    },
    async check() {
      const all = await rows();
      expect(new Set(all.map((row) => row.feedback_id)).size).toBe(kept);
      expect(all).toHaveLength(kept);
      for (const row of all) expect(row.group_hash).toBe(row.event_id);
      expect(all.filter((row) => row.status === 'resolved')).toHaveLength(solved);
    },
  };
}
