/** Pages of issues straight from the indexes of the state store, without looking at any event. */
import { type Expression, sql, type SqlBool } from 'kysely';
import type { IssueStatus } from '../../../ports/state/schema.ts';
import type { State } from '../../../ports/state/state.ts';
import type { Cursor, IssueRow } from '../types.ts';
import { toIssueRow } from '../rows.ts';
import type { StateFilter } from './state-filter.ts';

export type OrderColumn = 'first_seen' | 'last_seen';

export interface CandidateRequest {
  readonly filter: StateFilter;
  readonly order: OrderColumn;
  /** Only issues seen in this time, ms since the epoch. */
  readonly seenFrom: number;
  readonly seenUntil: number;
  /** Behind (or, for a previous page, before) this place; value is the time, offset the issue's id. */
  readonly from?: Cursor | undefined;
  readonly limit: number;
}

/**
 * Newest first, equal times by id. Each project and status has its own ordered stretch of the index, so each is read
 * on its own and the heads are merged; a query over all of them would sort every issue.
 */
export async function findCandidates(state: State, request: CandidateRequest): Promise<IssueRow[]> {
  const { filter, order, from, limit } = request;
  const backwards = from?.previous ?? false;
  const found: IssueRow[] = [];
  for (const project of filter.projects) {
    for (const status of filter.statuses) found.push(...(await stretch(state, request, project.id, status)));
  }
  const at = (row: IssueRow): number => (order === 'first_seen' ? row.firstSeen : row.lastSeen);
  found.sort((a, b) => at(b) - at(a) || a.id - b.id);
  return backwards ? found.slice(-limit) : found.slice(0, limit);
}

async function stretch(
  state: State,
  { filter, order, seenFrom, seenUntil, from, limit }: CandidateRequest,
  projectId: number,
  status: IssueStatus,
): Promise<IssueRow[]> {
  const backwards = from?.previous ?? false;
  let query = state.db
    .selectFrom('issue')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('status', '=', status)
    .orderBy(order, backwards ? 'asc' : 'desc')
    .orderBy('id', backwards ? 'desc' : 'asc')
    .limit(limit);
  // The plus keeps SQLite from taking the index of the other column, which would leave it everything to sort.
  const other = (column: OrderColumn) =>
    column === order ? sql.ref<number>(column) : sql<number>`+${sql.ref(column)}`;
  if (Number.isFinite(seenFrom)) query = query.where(other('last_seen'), '>=', seenFrom);
  if (Number.isFinite(seenUntil)) query = query.where(other('first_seen'), '<', seenUntil);
  for (const condition of filter.conditions) query = query.where((eb): Expression<SqlBool> => condition(eb));
  if (from) {
    // Both databases take the bound on the time alone to the index; the rest decides among equal times.
    query = backwards
      ? query
          .where(order, '>=', from.value)
          .where((eb) => eb.or([eb(order, '>', from.value), eb('id', '<', from.offset)]))
      : query
          .where(order, '<=', from.value)
          .where((eb) => eb.or([eb(order, '<', from.value), eb('id', '>', from.offset)]));
  }
  return (await query.execute()).map(toIssueRow);
}

/** Ids of all issues that the filter leaves, or undefined when there are more than `limit`. */
export async function fewCandidates(
  state: State,
  request: Pick<CandidateRequest, 'filter' | 'seenFrom' | 'seenUntil'>,
  limit: number,
): Promise<IssueRow[] | undefined> {
  const found = await findCandidates(state, { ...request, order: 'last_seen', limit: limit + 1 });
  return found.length > limit ? undefined : found;
}
