/** Work for nodes that are killed: what is put before them, what is left of it, and what it must have come to. For tests. */
import { hash, store, type TestStores } from '../../../domains/issues/testing/stores.ts';
import type { ErrorRow } from '../../../base/tables/errors.ts';
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import type { State } from '../../../ports/state/state.ts';

/** What the nodes share. */
export interface Ground {
  /** With the state that the nodes share. */
  readonly stores: TestStores;
  readonly state: State;
  readonly blobs: Blobs;
  readonly organizationId: string;
  readonly projectId: number;
  readonly isLong: boolean;
}

/** What became of the nodes. */
export interface Aftermath {
  readonly kills: number;
  /** What nodes said on the live stream: the watches of which they told that their digest has come. */
  readonly told: readonly number[];
}

export interface Work {
  /** Before the nodes start. */
  begin(): Promise<void>;
  /** While they work, before each kill. */
  more?(): Promise<void>;
  /** How much is to be done yet. */
  left(): Promise<number>;
  /** Once nothing is left. */
  check(aftermath: Aftermath): Promise<void>;
}

/** Members of the organisation. */
export const people = ['ada', 'bob', 'cy', 'dan'];
export const mailOf = (person: string): string => `${person}@example.com`;

export async function addPeople({ db }: State, organizationId: string): Promise<void> {
  const createdAt = new Date(0).toISOString();
  for (const id of people) {
    await db
      .insertInto('user')
      .values({ id, name: id, email: mailOf(id), emailVerified: 1, image: null, createdAt, updatedAt: createdAt })
      .execute();
    await db
      .insertInto('member')
      .values({ id: `m-${id}`, organizationId, userId: id, role: 'member', createdAt })
      .execute();
  }
}

/** How many rows of a table are in each state. */
export async function statesOf(
  { db }: State,
  table: 'data_export' | 'symbolication_job' | 'bulk_job' | 'artifact_bundle' | 'delivery',
): Promise<Readonly<Record<string, number>>> {
  const rows = await db.selectFrom(table).select('state').execute();
  const groups = Map.groupBy<string, { readonly state: string }>(rows, (row) => row.state);
  return Object.fromEntries([...groups].map(([name, same]) => [name, same.length]));
}

/** How many are in any of these. */
export const among = (states: Readonly<Record<string, number>>, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + (states[name] ?? 0), 0);

/** How many entries of the activity each issue has, of all types or of one. */
export async function entriesOf({ db }: State, issueIds: readonly number[], type?: 'assigned'): Promise<number[]> {
  const rows = await db
    .selectFrom('issue_activity')
    .select('issue_id')
    .where('issue_id', 'in', issueIds)
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? ''))
    .execute();
  const byIssue = Map.groupBy(rows, (row) => row.issue_id);
  return issueIds.map((id) => byIssue.get(id)?.length ?? 0);
}

/** Issues that nothing but the state store knows, from a number of their project onwards. Returns their ids. */
export async function addIssues(
  { state, projectId }: Ground,
  { from, count, movesAt = null }: { readonly from: number; readonly count: number; readonly movesAt?: number | null },
): Promise<number[]> {
  const issue = {
    project_id: projectId,
    status: 'unresolved',
    substatus: 'new',
    level: 'error',
    title: 'Error',
    culprit: '',
    platform: '',
    type: 'error',
    metadata: '{}',
    first_seen: 1,
    last_seen: 1,
    first_release: null,
    last_release: null,
    status_changed_at: null,
    moves_at: movesAt,
    created_at: 1,
  } as const;
  const ids: number[] = [];
  for (let start = 0; start < count; start += 400) {
    const rows = Array.from({ length: Math.min(400, count - start) }, (_, index) => ({
      ...issue,
      number: from + start + index,
    }));
    const made = await state.db.insertInto('issue').values(rows).returning('id').execute();
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

/** Stores events as the pipeline does; their hashes and ids are made of their names. */
export const storeNamed = (
  { stores, projectId }: Ground,
  rows: readonly (Partial<ErrorRow> & { readonly name: string })[],
  rowOf: (fields: Partial<ErrorRow> & { project_id: number; group_hash: string }) => ErrorRow,
): Promise<void> =>
  store(
    stores,
    rows.map(({ name, ...row }) =>
      rowOf({ project_id: projectId, group_hash: hash(name), event_id: hash(name), error_value: name, ...row }),
    ),
  );
