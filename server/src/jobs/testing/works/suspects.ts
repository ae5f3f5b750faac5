/** Segments with a slow query each: a problem that was found twice is one event. */
import { expect } from 'vitest';
import { noteSuspects } from '../../../domains/detectors/index.ts';
import { hash } from '../../../domains/issues/testing/stores.ts';
import { testSpanRow } from '../../../ports/events/test-rows.ts';
import type { Ground, Work } from './work.ts';

export function createSuspects({ stores, state, projectId, isLong }: Ground): Work {
  const count = isLong ? 60 : 6;
  return {
    async begin() {
      const noted = [];
      for (let index = 0; index < count; index += 1) {
        const traceId = hash(`trace ${index}`);
        const segmentId = hash(`segment ${index}`).slice(0, 16);
        const segment = {
          project_id: projectId,
          trace_id: traceId,
          segment_id: segmentId,
          attributes: {},
          numbers: {},
        };
        const text = `SELECT a${index} FROM b`;
        const query = { op: 'db', name: text, description: text, description_hash: hash(text).slice(0, 16) };
        const rows = [
          testSpanRow({ ...segment, span_id: segmentId, name: 'GET /' }),
          testSpanRow({ ...segment, ...query, span_id: '1'.repeat(16), is_segment: 0, duration_us: 700_000 }),
        ];
        await stores.events.insert('spans', rows, `spans ${index}`);
        noted.push({ projectId, traceId, segmentId, transaction: 'GET /', at: Date.now() });
      }
      await noteSuspects(state, noted, { now: Date.now(), waitMs: 0 });
    },
    left: async () => (await state.db.selectFrom('performance_suspect').select('segment_id').execute()).length,
    async check() {
      const twice = 'SELECT event_id AS id FROM errors GROUP BY id HAVING count() > 1';
      expect(await stores.events.query(twice)).toEqual([]);
      const problems = await state.db.selectFrom('issue').select('id').where('type', '!=', 'error').execute();
      expect(problems).toHaveLength(count);
    },
  };
}
