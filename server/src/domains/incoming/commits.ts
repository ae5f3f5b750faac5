/**
 * Commits as pushes told of them, in their order: a tag or a deploy names one commit alone, and those since the release
 * before belong to it as well.
 */
import { chunksOf } from '../../base/chunks.ts';
import type { State } from '../../ports/state/state.ts';
import type { ReportedCommit } from '../releases/index.ts';

/** Of a repository: more than that between two releases say nothing about any one of them. */
const kept = 2_000;
const rowsAtOnce = 200;

interface Place {
  readonly webhookId: number;
  readonly repository: string;
}

/** Newest first, as they are told. */
export async function keepCommits(
  { db }: Pick<State, 'db'>,
  { webhookId, repository }: Place,
  commits: readonly ReportedCommit[],
): Promise<void> {
  for (const chunk of chunksOf(commits.toReversed(), rowsAtOnce)) {
    await db
      .insertInto('incoming_commit')
      .values(
        chunk.map((commit) => ({
          webhook_id: webhookId,
          repository,
          sha: commit.id,
          // Of more files nobody could say which one mattered.
          data: JSON.stringify({ ...commit, files: commit.files.slice(0, rowsAtOnce) }),
        })),
      )
      .onConflict((conflict) => conflict.columns(['webhook_id', 'repository', 'sha']).doNothing())
      .execute();
  }
  const oldest = await db
    .selectFrom('incoming_commit')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('repository', '=', repository)
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  await db
    .deleteFrom('incoming_commit')
    .where('webhook_id', '=', webhookId)
    .where('repository', '=', repository)
    .where('id', '<=', oldest.id)
    .execute();
}

/** Newest first, from the head back to what was released before it, without that; none where the head is not known. */
export async function commitsUpTo(
  { db }: Pick<State, 'db'>,
  { webhookId, repository }: Place,
  head: string,
  before: string | undefined,
): Promise<ReportedCommit[]> {
  const place = db
    .selectFrom('incoming_commit')
    .where('webhook_id', '=', webhookId)
    .where('repository', '=', repository);
  const idOf = async (sha: string): Promise<number | undefined> =>
    (await place.select('id').where('sha', '=', sha).executeTakeFirst())?.id;
  const last = await idOf(head);
  if (last === undefined) return [];
  const first = before === undefined ? undefined : await idOf(before);
  const rows = await place
    .select('data')
    .where('id', '<=', last)
    .where('id', '>', first ?? 0)
    .orderBy('id', 'desc')
    .limit(kept)
    .execute();
  return rows.map(({ data }) => JSON.parse(data) as ReportedCommit);
}
