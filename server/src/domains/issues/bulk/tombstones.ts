/** What is discarded: hashes whose events are dropped, and what is left of the issues that had them. */
import { chunksOf } from '../../../base/chunks.ts';
import { CodedError } from '../../../base/errors.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import type { PersonRef } from '../work/index.ts';
import { things } from '../../../base/texts/things.ts';

export interface Tombstone {
  readonly id: number;
  /** Of its short id. */
  readonly number: number;
  readonly level: string;
  readonly title: string;
  readonly culprit: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly actor: PersonRef | null;
  /** ms since the epoch. */
  readonly createdAt: number;
}

const maxListed = 1_000;

/** The newest first. */
export async function listTombstones(state: State, projectId: number): Promise<Tombstone[]> {
  const rows = await state.db
    .selectFrom('tombstone')
    .leftJoin('user', 'user.id', 'tombstone.user_id')
    .selectAll('tombstone')
    .select(['user.name', 'user.email'])
    .where('project_id', '=', projectId)
    .orderBy('tombstone.id', 'desc')
    .limit(maxListed)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    level: row.level,
    title: row.title,
    culprit: row.culprit,
    type: row.type,
    metadata: JSON.parse(row.metadata) as Record<string, string>,
    actor: row.user_id === null ? null : { id: row.user_id, name: row.name ?? '', email: row.email ?? '' },
    createdAt: row.created_at,
  }));
}

/** Its next event makes a new issue. Throws `NOT_FOUND`. */
export async function removeTombstone(state: State, projectId: number, id: number): Promise<void> {
  const { numDeletedRows } = await state.db
    .deleteFrom('tombstone')
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!numDeletedRows) throw new CodedError('NOT_FOUND', [things.discardedIssue(id)]);
}

/** Those of the hashes that are discarded. */
export async function discardedAmong(
  db: Pick<StateTransaction, 'selectFrom'>,
  projectId: number,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const chunk of chunksOf(hashes)) {
    const rows = await db
      .selectFrom('discarded_hash')
      .select('hash')
      .where('project_id', '=', projectId)
      .where('hash', 'in', chunk)
      .execute();
    for (const { hash } of rows) found.add(hash);
  }
  return found;
}
