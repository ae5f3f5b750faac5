/**
 * Deletes what is past its age where the engine lets no parts go: of projects that keep less than others, and while a
 * project is held of all others. Each run finds what is left, so one that was killed is made good by the next.
 */
import { chunksOf } from '../../base/chunks.ts';
import { tableRecords } from '../../base/tables/index.ts';
import { pendingChanges } from '../../ports/events/deleted-rows.ts';
import type { Events } from '../../ports/events/events.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import { erasePayloads } from '../../ports/events/payload-rows.ts';
import type { State } from '../../ports/state/state.ts';
import { heldAmong } from '../projects/index.ts';
import { agesOf, groupsOf, longestOf, type Overdue, overdueOf } from '../retention/index.ts';
import { patient } from './rows.ts';

interface OverdueStores {
  readonly state: State;
  readonly events: Events;
}

export async function deleteOverdue(
  { state, events }: OverdueStores,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  const held = (await heldAmong(state)).map(({ projectId }) => projectId);
  const all = await agesOf(state, retentionDays);
  const { onCluster } = layoutOf(events.address);
  for (const [table, { age, retention }] of Object.entries(tableRecords)) {
    if (signal.aborted) return;
    const ages = all[retention];
    const engineDays = held.length > 0 ? null : longestOf(ages);
    const overdue = overdueOf(age, groupsOf(ages, held), { engineDays, now: Date.now() });
    // What is being deleted is found still: it would be deleted once more.
    if (!overdue || (await pendingChanges(events, table)) > 0 || !(await isAny(events, table, overdue))) continue;
    if (table === 'errors') {
      await forgetGroups(events, overdue);
      await erasePayloads(events, overdue.condition, overdue.params);
    }
    // Marks rows; what of a part is then worth it, the job that gives back disk space writes anew, with rests.
    await events.command(
      `DELETE FROM ${table}${onCluster} WHERE ${overdue.condition} SETTINGS lightweight_deletes_sync = 0`,
      overdue.params,
    );
  }
}

async function isAny(events: Events, table: string, { condition, params }: Overdue): Promise<boolean> {
  const rows = await events.query<{ one: number }>(
    `SELECT 1 AS one FROM ${table} WHERE ${condition} LIMIT 1`,
    params,
    patient,
  );
  return rows.length > 0;
}

async function forgetGroups(events: Events, { condition, params }: Overdue): Promise<void> {
  const groups = await events.query<{ project: number; hash: string }>(
    `SELECT DISTINCT project_id AS project, group_hash AS hash FROM errors WHERE ${condition}`,
    params,
    patient,
  );
  for (const [project, own] of Map.groupBy(groups, (row) => row.project)) {
    for (const chunk of chunksOf(own))
      await events.index?.forget(
        project,
        chunk.map(({ hash }) => hash),
      );
  }
}
