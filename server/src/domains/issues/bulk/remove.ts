/** Deletes issues with everything that there is of them, in both stores. */
import { chunksOf } from '../../../base/chunks.ts';
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import type { Events, QueryParams } from '../../../ports/events/events.ts';
import { layoutOf } from '../../../ports/events/layout.ts';
import { erasePayloads } from '../../../ports/events/payload-rows.ts';
import { noteDeletions } from '../../../ports/state/deletions.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { mergedInto } from '../merge/follow.ts';
import type { IssueStores } from '../types.ts';
import type { BulkJob } from './job.ts';

/** Counts by hash; the engine deletes from them as from the events. */
const countTables = ['issue_hours', 'issue_ranks', 'issue_lives'] as const;

interface ProjectHashes {
  readonly projectId: number;
  readonly hashes: readonly string[];
}

export interface RemovalStores extends Pick<IssueStores, 'state' | 'events'> {
  /** Where large attachments are. */
  readonly blobs?: Blobs | undefined;
}

/**
 * The events of issues that are about to be deleted. Before the issues are, so that an event that comes in between is
 * never lost to a new issue of its hash: what is left of it belongs to that one.
 */
export async function removeEvents(
  { state, events, blobs }: RemovalStores,
  issueIds: readonly number[],
): Promise<void> {
  const owned: { project_id: number; hash: string }[] = [];
  for (const chunk of chunksOf(issueIds, 500)) {
    owned.push(
      ...(await state.db
        .selectFrom('issue_hash')
        .select(['project_id', 'hash'])
        .where('issue_id', 'in', chunk)
        .execute()),
    );
  }
  for (const [projectId, rows] of Map.groupBy(owned, (row) => row.project_id)) {
    for (const chunk of chunksOf(rows)) {
      await removeHashes({ events, blobs }, { projectId, hashes: chunk.map((row) => row.hash) });
    }
  }
}

async function removeHashes(
  { events, blobs }: Pick<RemovalStores, 'events' | 'blobs'>,
  { projectId, hashes }: ProjectHashes,
): Promise<void> {
  const params = { project: projectId, hashes };
  const { onCluster } = layoutOf(events.address);
  const own = 'project_id = {project:UInt64} AND group_hash IN {hashes:Array(String)}';
  // What says which they are goes last, so that a run that broke off finds them again.
  const attached = `${attachments} AND event_id IN (SELECT event_id FROM errors WHERE ${own})`;
  if (blobs) await removeBlobs({ events, blobs }, attached, params);
  await deleteFound(
    events,
    { table: 'items', key: 'event_id', type: 'String', condition: attached, of: attachments },
    params,
  );
  for (const [table, key, type] of companions) {
    const condition = `${ofProject} AND ${key} IN (SELECT ${key} FROM errors WHERE ${own})`;
    await deleteFound(events, { table, key, type, condition, of: ofProject }, params);
  }
  await events.index?.forget(projectId, hashes);
  await erasePayloads(events, own, params);
  for (const table of [...countTables, 'errors'])
    await events.command(`DELETE FROM ${table}${onCluster} WHERE ${own}`, params);
}

const ofProject = 'project_id = {project:UInt64}';
const attachments = `${ofProject} AND item_type = 'attachment'`;

/** What is found by the events, of each the column by which it is. */
const companions = [
  ['revisions', 'event_id', 'String'],
  ['error_texts', 'texts', 'UInt64'],
] as const;

const keysAtOnce = 10_000;

interface Found {
  readonly table: string;
  readonly key: string;
  readonly type: 'String' | 'UInt64';
  readonly condition: string;
  /** What holds of all that have the key. */
  readonly of: string;
}

/**
 * What is to go is looked for first and then named: on a cluster it lies on other shards than what it is found by, and
 * each replica must delete the same.
 */
async function deleteFound(
  events: Events,
  { table, key, type, condition, of }: Found,
  params: QueryParams,
): Promise<void> {
  const { onCluster } = layoutOf(events.address);
  const rows = await events.query<{ key: string }>(
    `SELECT DISTINCT toString(${key}) AS key FROM ${table} WHERE ${condition}`,
    params,
    patient,
  );
  for (const chunk of chunksOf(rows, keysAtOnce)) {
    await events.command(`DELETE FROM ${table}${onCluster} WHERE ${of} AND ${key} IN {keys:Array(${type})}`, {
      project: params.project,
      keys: chunk.map((row) => (type === 'String' ? row.key : BigInt(row.key))),
    });
  }
}

/** Nobody waits for it. */
const patient = { maxExecutionSeconds: 300 };

const blobsAtOnce = 20;

async function removeBlobs(
  { events, blobs }: { readonly events: Events; readonly blobs: Blobs },
  condition: string,
  params: Parameters<Events['query']>[1],
): Promise<void> {
  const rows = await events.query<{ key: string }>(
    `SELECT blob_key AS key FROM items WHERE ${condition} AND blob_key != ''`,
    params,
  );
  for (const chunk of chunksOf(rows, blobsAtOnce)) await Promise.all(chunk.map(({ key }) => blobs.delete(key)));
}

/** The issues with what was merged into them. Of discarded ones a tombstone with their hashes is left. */
export async function removeIssuesIn(
  trx: StateTransaction,
  issueIds: readonly number[],
  { change, userId }: { readonly change: BulkJob['change']; readonly userId: string | null },
  nowMs: number,
): Promise<void> {
  if (!issueIds.length) return;
  const issues = await trx
    .selectFrom('issue')
    .selectAll()
    .where('id', 'in', issueIds)
    .where('status', '=', 'deleting')
    .execute();
  if (!issues.length) return;
  const ids = issues.map((issue) => issue.id);
  const hashes = await trx
    .selectFrom('issue_hash')
    .select(['project_id', 'hash', 'issue_id'])
    .where('issue_id', 'in', ids)
    .execute();
  if (change.remove === 'discard') {
    const byIssue = Map.groupBy(hashes, (row) => row.issue_id);
    for (const { id, project_id, number, level, title, culprit, type, metadata } of issues) {
      const own = byIssue.get(id) ?? [];
      if (!own.length) continue;
      const { id: tombstoneId } = await trx
        .insertInto('tombstone')
        .values({ project_id, number, level, title, culprit, type, metadata, user_id: userId, created_at: nowMs })
        .returning('id')
        .executeTakeFirstOrThrow();
      for (const chunk of chunksOf(own, 500)) {
        await trx
          .insertInto('discarded_hash')
          .values(chunk.map(({ hash }) => ({ project_id, hash, tombstone_id: tombstoneId })))
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    }
  }
  for (const [projectId, rows] of Map.groupBy(hashes, (row) => row.project_id)) {
    for (const chunk of chunksOf(rows, 500)) {
      await trx
        .deleteFrom('hash_signature')
        .where('project_id', '=', projectId)
        .where(
          'hash',
          'in',
          chunk.map((row) => row.hash),
        )
        .execute();
    }
  }
  const all = [...ids, ...(await mergedInto(trx, ids)).map((issue) => issue.id)];
  const kind = change.remove === 'discard' ? 'discarded_issue' : 'issue';
  for (const chunk of chunksOf(all, 500)) {
    // Hashes, activity, comments and marks go with their issue.
    const gone = await trx.deleteFrom('issue').where('id', 'in', chunk).returning(['id', 'created_at']).execute();
    const deleted = gone.map(({ id, created_at }) => ({ id, madeAt: Number(created_at) }));
    await noteDeletions(trx, kind, deleted, nowMs);
  }
}

/** At once, with their events. For a store that nobody else writes to. */
export async function removeIssues(
  stores: RemovalStores,
  issueIds: readonly number[],
  remove: 'delete' | 'discard',
): Promise<void> {
  for (const chunk of chunksOf(issueIds, 500)) {
    await removeEvents(stores, chunk);
    await stores.state.transaction(async (trx) => {
      await trx.updateTable('issue').set({ status: 'deleting' }).where('id', 'in', chunk).execute();
      await removeIssuesIn(trx, chunk, { change: { remove }, userId: null }, Date.now());
    });
  }
}
