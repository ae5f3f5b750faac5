/** The issues that a search finds, for changing them all: their ids, in parts, with room for others in between. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { Expression, SqlBool } from 'kysely';
import { listIssues } from '../queries/list.ts';
import { planSearch, type StateFilter } from '../queries/state-filter.ts';
import type { Cursor, IssueFilter, IssueStores } from '../types.ts';

const partSize = 500;

/** At most `limit` of them. */
export async function* collectIssues(
  stores: IssueStores,
  filter: IssueFilter,
  limit: number,
): AsyncGenerator<readonly number[]> {
  const plan = planSearch(filter.root, filter.projects, filter.nowMs);
  const { environments, range } = filter;
  const fromState = !plan.rows && !plan.mixed && !plan.filter.counts.length && !environments.length && range.open;
  const parts = fromState
    ? collectFromState(stores, plan.filter, range.startMs)
    : collectFromList(stores, filter, limit);
  let left = limit;
  for await (const ids of parts) {
    yield ids.slice(0, left);
    left -= ids.length;
    if (left <= 0) return;
  }
}

/** What the state store alone decides is read along its index. */
async function* collectFromState(
  { state }: IssueStores,
  { projects, statuses, conditions }: StateFilter,
  seenFrom: number,
): AsyncGenerator<readonly number[]> {
  for (const project of projects) {
    for (const status of statuses) {
      let last: { id: number; last_seen: number } | undefined;
      do {
        let query = state.db
          .selectFrom('issue')
          .select(['id', 'last_seen'])
          .where('project_id', '=', project.id)
          .where('status', '=', status)
          .orderBy('last_seen', 'desc')
          .orderBy('id')
          .limit(partSize);
        if (Number.isFinite(seenFrom)) query = query.where('last_seen', '>=', seenFrom);
        for (const condition of conditions) query = query.where((eb): Expression<SqlBool> => condition(eb));
        if (last) {
          const { id, last_seen: at } = last;
          query = query
            .where('last_seen', '<=', at)
            .where((eb) => eb.or([eb('last_seen', '<', at), eb('id', '>', id)]));
        }
        const rows = await query.execute();
        if (rows.length) yield rows.map((row) => row.id);
        last = rows.length === partSize ? rows.at(-1) : undefined;
        await breathe();
      } while (last);
    }
  }
}

/** The rest is asked as lists are. */
async function* collectFromList(
  stores: IssueStores,
  filter: IssueFilter,
  limit: number,
): AsyncGenerator<readonly number[]> {
  let found = 0;
  let cursor: Cursor | undefined;
  do {
    const page = await listIssues(stores, { ...filter, sort: 'date', limit: limit - found, cursor });
    for (let at = 0; at < page.rows.length; at += partSize) {
      yield page.rows.slice(at, at + partSize).map((issue) => issue.id);
      await breathe();
    }
    found += page.rows.length;
    cursor = page.next;
  } while (cursor && found < limit);
}
