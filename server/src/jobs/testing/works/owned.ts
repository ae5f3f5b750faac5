/** New issues that a rule gives to somebody: each once. */
import { expect } from 'vitest';
import { createLive } from '../../../base/live.ts';
import { errorRow, hash } from '../../../domains/issues/testing/stores.ts';
import { createAssigner, ownersAmong, saveOwnership } from '../../../domains/ownership/index.ts';
import { peopleOf } from '../../../domains/teams/index.ts';
import { entriesOf, type Ground, mailOf, storeNamed, type Work } from './work.ts';

export const owner = 'ada';
const stacktrace = { frames: [{ filename: 'src/payments/pay.ts', in_app: true, lineno: 3 }] };
// As processing stores it, at least what columns are made of once it lies in a segment.
const payload = JSON.stringify({ tags: [], exception: { values: [{ stacktrace }] } });

export function createOwned(ground: Ground): Work {
  const { stores, state, organizationId, projectId, isLong } = ground;
  const atOnce = isLong ? 20 : 6;
  const names: string[] = [];

  const add = (): Promise<void> => {
    const rows = Array.from({ length: atOnce }, (_, index) => ({ name: `owned ${names.length + index}`, payload }));
    names.push(...rows.map(({ name }) => name));
    return storeNamed(ground, rows, errorRow);
  };
  const issues = async (): Promise<{ id: number; assignee: string | null }[]> =>
    state.db
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .select(['issue.id as id', 'issue.assignee_user_id as assignee'])
      .where('issue_hash.hash', 'in', names.map(hash))
      .execute();

  return {
    async begin() {
      const owners = ownersAmong(await peopleOf(state, organizationId));
      await saveOwnership(state, projectId, { raw: `path:src/payments/* ${mailOf(owner)}` }, owners, Date.now());
      // What there is before its first run is left alone.
      const first = createAssigner({ state, events: stores.events, live: createLive() });
      await first.run({ node: 'nobody', leaseMs: 0, isFresh: true, signal: new AbortController().signal });
      await add();
    },
    more: add,
    left: async () => (await issues()).filter(({ assignee }) => assignee === null).length,
    async check() {
      const all = await issues();
      expect(all.map(({ assignee }) => assignee)).toEqual(names.map(() => owner));
      const ids = all.map(({ id }) => id);
      expect(await entriesOf(state, ids, 'assigned')).toEqual(ids.map(() => 1));
    },
  };
}
