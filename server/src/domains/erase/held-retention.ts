/** While a project is held the engine lets nothing age out; what is old of the others is deleted here. */
import { chunksOf } from '../../base/chunks.ts';
import { tableRecords } from '../../base/tables/index.ts';
import type { Events } from '../../ports/events/events.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import { keepRows } from '../../ports/events/migrations/index.ts';
import { erasePayloads } from '../../ports/events/payload-rows.ts';
import type { State } from '../../ports/state/state.ts';
import { heldAmong } from '../projects/index.ts';
import { keepingOf, keptDays } from '../retention/index.ts';
import { patient } from './rows.ts';

interface HeldStores {
  readonly state: State;
  readonly events: Events;
}

export interface Holds {
  /** From now on rows are kept as the holds say. */
  apply(): Promise<void>;
}

export const createHolds = ({ state, events }: HeldStores, retentionDays: number): Holds => ({
  apply: async () => keepRows(events, await keepingOf(state, retentionDays)),
});

export async function deleteOldOfOthers({ state, events }: HeldStores, retentionDays: number): Promise<void> {
  const held = (await heldAmong(state)).map(({ projectId }) => projectId);
  if (held.length === 0) return;
  const { onCluster } = layoutOf(events.address);
  const params = { held };
  const days = await keptDays(state, retentionDays);
  for (const [table, { age, retention }] of Object.entries(tableRecords)) {
    const condition = `toDateTime(${age}, 'UTC') + toIntervalDay(${Math.trunc(days[retention])}) < now()
      AND project_id NOT IN {held:Array(UInt64)}`;
    const [row] = await events.query<{ count: number }>(
      `SELECT count() AS count FROM ${table} WHERE ${condition}`,
      params,
      patient,
    );
    if (!row || row.count === 0) continue;
    if (table === 'errors') {
      await forgetGroups(events, condition, params);
      await erasePayloads(events, condition, params);
    }
    await events.command(
      `ALTER TABLE ${table}${onCluster} DELETE WHERE ${condition} SETTINGS mutations_sync = 0`,
      params,
    );
  }
}

async function forgetGroups(events: Events, condition: string, params: { readonly held: number[] }): Promise<void> {
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
