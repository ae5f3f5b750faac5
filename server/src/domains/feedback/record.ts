/**
 * Writes what users say into the state store, from the items that are kept anyway. Repeating a batch changes nothing:
 * a row is found by project and id, and only what a newer report of the same event says takes its place.
 */
import type { Events } from '../../ports/events/events.ts';
import type { ItemRow } from '../../base/tables/items.ts';
import { amongProjects, where } from '../../base/sql.ts';
import type { State } from '../../ports/state/state.ts';
import { feedbackItems, readFeedback } from './read.ts';
import type { ReportedFeedback } from './types.ts';

/** One insert. */
const chunk = 200;

interface Stores {
  readonly state: State;
  readonly events: Events;
}

/** `textOf` gives the payload of rows that have it in a blob. Returns the projects that got some. */
export async function recordFeedback(
  stores: Stores,
  rows: readonly ItemRow[],
  textOf: (row: ItemRow) => Promise<string>,
): Promise<ReadonlyMap<number, number>> {
  const reported = new Map<string, ReportedFeedback>();
  for (const row of rows) {
    if (!feedbackItems.has(row.item_type) || row.outcome !== 'accepted') continue;
    const one = readFeedback(row, row.blob_key === '' ? row.payload : await textOf(row));
    if (one) reported.set(`${one.projectId} ${one.kind} ${one.feedbackId}`, one);
  }
  const all = [...reported.values()];
  const counts = new Map<number, number>();
  for (let start = 0; start < all.length; start += chunk) {
    const part = all.slice(start, start + chunk);
    const hashes = await hashesOfEvents(stores.events, part);
    await insert(stores.state, part, hashes);
    for (const { projectId } of part) counts.set(projectId, (counts.get(projectId) ?? 0) + 1);
  }
  return counts;
}

export const keyOf = (projectId: number, eventId: string): string => `${projectId} ${eventId}`;

/** Primary hash of each event that is stored, by project and id. */
export async function hashesOfEvents(
  events: Events,
  wanted: readonly { readonly projectId: number; readonly eventId: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(wanted.map(({ eventId }) => eventId).filter(Boolean))];
  if (!ids.length) return new Map();
  const scope = where(amongProjects([...new Set(wanted.map(({ projectId }) => projectId))]));
  const rows = await events.query<{ project: number; id: string; hash: string }>(
    `SELECT project_id AS project, event_id AS id, any(group_hash) AS hash FROM errors
     WHERE event_id IN {ids:Array(String)} AND ${scope.sql} GROUP BY project, id`,
    { ...scope.params, ids },
  );
  return new Map(rows.map(({ project, id, hash }) => [keyOf(project, id), hash]));
}

async function insert(
  state: State,
  reported: readonly ReportedFeedback[],
  hashes: ReadonlyMap<string, string>,
): Promise<void> {
  await state.transaction(async (trx) => {
    const living = await trx
      .selectFrom('project')
      .select('id')
      .where('id', 'in', [...new Set(reported.map(({ projectId }) => projectId))])
      .execute();
    const ids = new Set(living.map(({ id }) => id));
    const rows = reported.filter(({ projectId }) => ids.has(projectId));
    if (!rows.length) return;
    await trx
      .insertInto('feedback')
      .values(
        rows.map((one) => ({
          project_id: one.projectId,
          feedback_id: one.feedbackId,
          kind: one.kind,
          status: 'open' as const,
          message: one.message,
          name: one.name,
          email: one.email,
          url: one.url,
          source: one.source,
          event_id: one.eventId,
          group_hash: hashes.get(keyOf(one.projectId, one.eventId)) ?? '',
          replay_id: one.replayId,
          trace_id: one.traceId,
          release: one.release,
          environment: one.environment,
          details: JSON.stringify(one.details),
          created_at: one.createdAt,
          received_at: one.receivedAt,
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'kind', 'feedback_id'])
          .doUpdateSet((eb) => ({
            message: eb.ref('excluded.message'),
            name: eb.ref('excluded.name'),
            email: eb.ref('excluded.email'),
            received_at: eb.ref('excluded.received_at'),
          }))
          .whereRef('excluded.received_at', '>=', 'feedback.received_at'),
      )
      .execute();
  });
}
