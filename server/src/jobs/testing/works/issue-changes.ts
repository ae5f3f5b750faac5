/** Changes of many issues, and issues that time moves on: each change has its entry once, whoever began it. */
import { expect } from 'vitest';
import { createLive } from '../../../base/live.ts';
import { createBulk } from '../../../domains/issues/index.ts';
import { addIssues, entriesOf, type Ground, statesOf, type Work } from './work.ts';

const issuesOfChange = 60;

/** Each change resolves its own issues. */
export function createChanges(ground: Ground): Work {
  const { stores, state, organizationId, isLong } = ground;
  const count = isLong ? 40 : 2;
  const resolved: number[] = [];
  return {
    async begin() {
      const bulk = createBulk({ state, events: stores.events, live: createLive(), node: 'nobody' });
      for (let index = 0; index < count; index += 1) {
        const issues = await addIssues(ground, { from: 1_000_000 + index * issuesOfChange, count: issuesOfChange });
        const change = { status: { kind: 'resolve' } } as const;
        const userId = `user ${index % 10}`;
        await bulk.start({ organizationId, userId, asked: {}, change, issues, nowMs: Date.now() });
        resolved.push(...issues);
      }
    },
    async left() {
      const { done = 0, ...others } = await statesOf(state, 'bulk_job');
      return count - done + Object.keys(others).length;
    },
    async check() {
      expect(await statesOf(state, 'bulk_job')).toEqual({ done: count });
      expect(await entriesOf(state, resolved)).toEqual(resolved.map(() => 1));
    },
  };
}

export function createMoves(ground: Ground): Work {
  const { state, isLong } = ground;
  const count = isLong ? 4_000 : 150;
  let moved: number[] = [];
  return {
    async begin() {
      moved = await addIssues(ground, { from: 2_000_000, count, movesAt: 1 });
    },
    async left() {
      const rows = state.db.selectFrom('issue').select('id').where('substatus', '=', 'new').where('moves_at', '=', 1);
      return (await rows.execute()).length;
    },
    async check() {
      expect(Math.max(...(await entriesOf(state, moved)))).toBeLessThanOrEqual(1);
    },
  };
}

/** All hashes of issues, to be compared with each other. */
export function createSignatures({ state }: Ground): Work {
  return {
    begin: async () => {},
    left: async () => (await state.db.selectFrom('issue_hash').select('hash').where('signed', '=', 0).execute()).length,
    async check() {
      const signatures = await state.db.selectFrom('hash_signature').select('hash').execute();
      expect(signatures.length).toBeGreaterThan(0);
      expect(new Set(signatures.map((one) => one.hash)).size).toBe(signatures.length);
    },
  };
}
