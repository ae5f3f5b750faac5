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
  const { onCluster } = layoutOf(events.address);
  for (const [table, { age, retention }] of Object.entries(tableRecords)) {
    if (signal.aborted) return;
    // Somebody may have put a project on hold, or chosen a longer age, since the last table.
    const held = (await heldAmong(state)).map(({ projectId }) => projectId);
    const ages = (await agesOf(state, retentionDays))[retention];
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

const groupsAtOnce = 10_000;

/** Before the rows go, nobody is to be sent to them. Weeks go whole, so of the rest of a group the index stays sure. */
async function forgetGroups(events: Events, { condition, params }: Overdue): Promise<void> {
  const { index } = events;
  if (!index) return;
  const weeks = await events.query<{ project: number; at: number; hashes: string[] }>(
    `SELECT project_id AS project, toUnixTimestamp64Milli(min(timestamp)) AS at, groupUniqArray(group_hash) AS hashes
     FROM errors WHERE ${condition} GROUP BY project, toMonday(timestamp)`,
    params,
    patient,
  );
  for (const { project, at, hashes } of weeks)
    for (const chunk of chunksOf(hashes, groupsAtOnce)) await index.forgetWeek(at, project, chunk);
}
