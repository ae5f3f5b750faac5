/** Commits of releases: as clients send them, and as pages read them. */
import { chunksOf } from '../../base/chunks.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { repositoryIds } from '../repositories/index.ts';
import { commitColumns, type CommitRow, rowsAtOnce, toCommit } from '../release-order/index.ts';

export interface ReportedCommit {
  readonly id: string;
  /** '' when the client did not say. */
  readonly repository: string;
  readonly message: string;
  readonly authorName: string;
  readonly authorEmail: string;
  /** ms since the epoch. */
  readonly committedAt: number;
  readonly files: readonly { readonly path: string; readonly type: string }[];
}

export interface ReportedRef {
  readonly repository: string;
  readonly commit: string;
  readonly previousCommit: string | null;
}

const unnamed = 'unknown';
/** What is beyond these is cut off: a commit that touches more says nothing about any one file. */
const limits = { message: 10_000, author: 200, path: 1_000, files: 2_000 };

export interface StoredCommit extends ReportedCommit {
  readonly storedId: number;
}

/** Replaces the commits of a release; the newest comes first. Gives them as they are stored, each once. */
export async function setCommits(
  trx: StateTransaction,
  { organizationId, releaseId }: { organizationId: string; releaseId: number },
  reported: readonly ReportedCommit[],
  now: number,
): Promise<StoredCommit[]> {
  const named = reported.map((commit) => ({ ...commit, repository: commit.repository || unnamed }));
  const repositories = await repositoryIds(trx, organizationId, new Set(named.map((one) => one.repository)), now);
  const commits = new Map(
    named.map((commit) => {
      const repositoryId = repositories.get(commit.repository) ?? 0;
      return [`${repositoryId}:${commit.id}`, { ...commit, repositoryId }];
    }),
  );
  const ids = await insertCommits(trx, [...commits.values()], now);
  await trx.deleteFrom('release_commit').where('release_id', '=', releaseId).execute();
  const ordered = [...commits].flatMap(([key, commit]) => {
    const storedId = ids.get(key);
    return storedId === undefined ? [] : [{ ...commit, storedId }];
  });
  for (const chunk of chunksOf([...ordered.entries()], rowsAtOnce)) {
    await trx
      .insertInto('release_commit')
      .values(chunk.map(([position, { storedId }]) => ({ release_id: releaseId, position, commit_id: storedId })))
      .execute();
  }
  return ordered;
}

type PlacedCommit = ReportedCommit & { readonly repositoryId: number };

/** Ids by `repository id:sha`. What is known of a commit already stays, unless more is known now. */
async function insertCommits(
  trx: StateTransaction,
  commits: readonly PlacedCommit[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  for (const chunk of chunksOf(commits, rowsAtOnce)) {
    const rows = await trx
      .insertInto('commit')
      .values(
        chunk.map((one) => ({
          repository_id: one.repositoryId,
          sha: one.id,
          message: one.message.slice(0, limits.message),
          author_name: one.authorName.slice(0, limits.author),
          author_email: one.authorEmail.slice(0, limits.author),
          committed_at: one.committedAt,
          created_at: now,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['repository_id', 'sha']).doUpdateSet((eb) => ({
          message: eb.ref('excluded.message'),
          author_name: eb.ref('excluded.author_name'),
          author_email: eb.ref('excluded.author_email'),
          committed_at: eb.ref('excluded.committed_at'),
        })),
      )
      .returning(['id', 'repository_id', 'sha'])
      .execute();
    for (const row of rows) ids.set(`${row.repository_id}:${row.sha}`, row.id);
    await insertFiles(
      trx,
      chunk.flatMap((one) => {
        const id = ids.get(`${one.repositoryId}:${one.id}`);
        if (id === undefined) return [];
        const files = new Map(one.files.map((file) => [file.path, file.type]));
        return [...files]
          .filter(([path]) => path.length <= limits.path)
          .slice(0, limits.files)
          .map(([path, type]) => ({ commit_id: id, path, type: typeOf(type) }));
      }),
    );
  }
  return ids;
}

const typeOf = (letter: string): string => (/^[AMD]$/i.test(letter) ? letter.toUpperCase() : 'M');

async function insertFiles(
  trx: StateTransaction,
  rows: readonly { commit_id: number; path: string; type: string }[],
): Promise<void> {
  for (const chunk of chunksOf(rows, rowsAtOnce)) {
    await trx
      .insertInto('commit_file')
      .values(chunk)
      .onConflict((conflict) => conflict.columns(['commit_id', 'path']).doNothing())
      .execute();
  }
}

/** Notes which commit of each repository a release was made of. */
export async function setHeads(
  trx: StateTransaction,
  { organizationId, releaseId }: { organizationId: string; releaseId: number },
  refs: readonly ReportedRef[],
  now: number,
): Promise<void> {
  const repositories = await repositoryIds(trx, organizationId, new Set(refs.map((ref) => ref.repository)), now);
  const heads = new Map(refs.map((ref) => [repositories.get(ref.repository) ?? 0, ref]));
  if (!heads.size) return;
  await trx
    .insertInto('release_head')
    .values(
      [...heads].map(([repositoryId, { commit, previousCommit }]) => ({
        release_id: releaseId,
        repository_id: repositoryId,
        sha: commit,
        previous_sha: previousCommit,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['release_id', 'repository_id']).doUpdateSet((eb) => ({
        sha: eb.ref('excluded.sha'),
        previous_sha: eb.ref('excluded.previous_sha'),
      })),
    )
    .execute();
}

export interface CommitWithFiles extends CommitRow {
  readonly fileCount: number;
  readonly files: readonly { readonly path: string; readonly type: string }[];
}

export interface CommitPage {
  readonly offset: number;
  readonly limit: number;
  /** Files given of each commit. */
  readonly fileLimit: number;
  /** Id of a release whose commits are left out. */
  readonly notIn?: number | undefined;
}

/** Newest first; `limit + 1` rows from the offset on, each with at most `fileLimit` of its files. */
export async function listCommits(
  state: State,
  releaseId: number,
  { offset, limit, fileLimit, notIn }: CommitPage,
): Promise<CommitWithFiles[]> {
  let query = state.db
    .selectFrom('release_commit')
    .innerJoin('commit', 'commit.id', 'release_commit.commit_id')
    .innerJoin('repository', 'repository.id', 'commit.repository_id')
    .select([...commitColumns, 'commit.id as id'])
    .where('release_commit.release_id', '=', releaseId);
  if (notIn !== undefined) {
    query = query.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('release_commit as other')
            .select('other.commit_id')
            .whereRef('other.commit_id', '=', 'commit.id')
            .where('other.release_id', '=', notIn),
        ),
      ),
    );
  }
  const rows = await query
    .orderBy('release_commit.position')
    .limit(limit + 1)
    .offset(offset)
    .execute();
  return withFiles(state, rows, fileLimit);
}

async function withFiles(
  state: State,
  rows: readonly (Parameters<typeof toCommit>[0] & { readonly id: number })[],
  fileLimit: number,
): Promise<CommitWithFiles[]> {
  const files = new Map<number, { path: string; type: string }[]>();
  for (const chunk of chunksOf(
    rows.map((row) => row.id),
    rowsAtOnce,
  )) {
    const found = await state.db
      .selectFrom('commit_file')
      .selectAll()
      .where('commit_id', 'in', chunk)
      .orderBy('commit_id')
      .orderBy('path')
      .execute();
    for (const { commit_id: id, path, type } of found) {
      const ofCommit = files.get(id);
      if (ofCommit) ofCommit.push({ path, type });
      else files.set(id, [{ path, type }]);
    }
  }
  return rows.map((row) => {
    const own = files.get(row.id) ?? [];
    return { ...toCommit(row), fileCount: own.length, files: own.slice(0, fileLimit) };
  });
}

/** Of all releases: newest first; `limit + 1` rows from the offset on. */
export async function listRepositoryCommits(
  state: State,
  repositoryId: number,
  { offset, limit, fileLimit }: Omit<CommitPage, 'notIn'>,
): Promise<CommitWithFiles[]> {
  const rows = await state.db
    .selectFrom('commit')
    .innerJoin('repository', 'repository.id', 'commit.repository_id')
    .select([...commitColumns, 'commit.id as id'])
    .where('commit.repository_id', '=', repositoryId)
    .orderBy('commit.committed_at', 'desc')
    .orderBy('commit.id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute();
  return withFiles(state, rows, fileLimit);
}
