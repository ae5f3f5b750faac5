/** All rows of a project from one state store into another, in one transaction: it is there as a whole, or not at all. */
import { sql } from 'kysely';
import type { State, StateTransaction } from '../../../../ports/state/state.ts';
import { activityBookmark as ofFollowers } from '../../../notify/index.ts';
import { activityBookmark as ofOwners } from '../../../ownership/index.ts';
import { firstFree, insertKey, keepReserved, ownerOfKey, shortIdPrefixFrom } from '../../../projects/index.ts';
import { bringUploads, type Uploads } from './artifacts.ts';
import { addRows, allRowsOf, lastId, rowsOf, takeIds } from './rows.ts';
import { bringRules, bringSearches, mapPeople, mapReleases, mapTeams, type Sides } from './shared.ts';
import { type Ids, type ProjectTable, projectTables, type Row } from './tables.ts';

export interface Moving {
  readonly from: State;
  readonly to: State;
  readonly fromOrganization: string;
  readonly toOrganization: string;
  readonly projectId: number;
  readonly toProjectId: number;
  readonly slug: string;
  readonly uploads: Uploads;
  /** Time of the newest event, ms since the epoch: alerts count what comes after it. */
  readonly newestEvent: number | null;
  /** In the same transaction. */
  readonly tell: (trx: StateTransaction) => Promise<void>;
}

export interface Moved {
  readonly issues: number;
  readonly keys: number;
  /** Keys that another project here has. */
  readonly keysTaken: number;
  readonly rules: number;
  readonly searches: number;
}

export async function moveState(moving: Moving): Promise<Moved> {
  const { from, to, projectId, toProjectId, fromOrganization, toOrganization } = moving;
  return to.transaction(async (trx) => {
    const sides: Sides = { from: from.db, to: trx, fromOrganization, toOrganization };
    const ids: Ids = {
      project: new Map([[projectId, toProjectId]]),
      organization: new Map([[fromOrganization, toOrganization]]),
      issue: new Map(),
      user: new Map(),
      team: new Map(),
      release: new Map(),
      commit: new Map(),
      repository: new Map(),
      bundle: new Map(),
      tombstone: new Map(),
      signature: new Map(),
    };
    const before = await lastId(trx, 'issue_activity');
    await mapPeople(sides, ids);
    await addProject(trx, moving);
    const keys = await addKeys(trx, moving);
    await mapTeams(sides, ids, projectId);
    await mapReleases(sides, ids, projectId);
    await bringUploads(sides, ids, moving.uploads);
    await giveIds(sides, ids, projectId);
    for (const table of projectTables) await moveTable(sides, ids, table);
    const rules = await bringRules(sides, ids, projectId);
    const searches = await bringSearches(sides, ids);
    await passOver(trx, before);
    await keepReserved(trx, toProjectId);
    await moving.tell(trx);
    return { issues: ids.issue.size, ...keys, rules, searches };
  });
}

async function addProject(trx: StateTransaction, moving: Moving): Promise<void> {
  const { from, projectId, toProjectId, toOrganization, slug, newestEvent } = moving;
  const row = await from.db.selectFrom('project').selectAll().where('id', '=', projectId).executeTakeFirstOrThrow();
  const others = await trx
    .selectFrom('project')
    .select('short_id_prefix')
    .where('organization_id', '=', toOrganization)
    .execute();
  const taken = new Set(others.map((other) => other.short_id_prefix));
  // The one that is in people's notes, where it is free.
  const own = taken.has(row.short_id_prefix) ? shortIdPrefixFrom(slug) : row.short_id_prefix;
  const until = Math.max(row.imported_until ?? 0, newestEvent ?? 0);
  const project = {
    ...row,
    id: toProjectId,
    organization_id: toOrganization,
    slug,
    short_id_prefix: firstFree(own, taken),
    imported_until: until > 0 ? until : null,
  };
  await addRows(trx, 'project', [{ ...project }]);
  if (toProjectId === projectId) return;
  const alias = { project_id: projectId, alias: String(projectId), created_at: Date.now() };
  await addRows(trx, 'project_alias', [{ ...alias, project_id: toProjectId }]);
}

async function addKeys(trx: StateTransaction, { from, projectId, toProjectId }: Moving) {
  let [keys, keysTaken] = [0, 0];
  for (const { id: _, ...key } of await allRowsOf(from.db, 'project_key', 'project_id', [projectId])) {
    const owner = await ownerOfKey({ db: trx }, String(key['public_key']));
    if (owner !== undefined) keysTaken++;
    else await addRows(trx, 'project_key', [{ ...key, project_id: toProjectId, blob_day: 0, blob_day_bytes: 0 }]);
    if (owner === undefined) keys++;
  }
  if (keys === 0) await insertKey(trx, toProjectId, { label: 'Default' });
  return { keys, keysTaken };
}

/** Of what rows refer to each other by, before the first is written. What issues were called before they were joined counts. */
async function giveIds({ from, to }: Sides, ids: Ids, projectId: number): Promise<void> {
  for (const { name, ids: kind } of projectTables) {
    if (kind === undefined) continue;
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(name)} where project_id = ${projectId}
      ${name === 'issue' ? sql`union select former_id from issue_alias where project_id = ${projectId}` : sql``}
      order by 1
    `.execute(from);
    const first = await takeIds(to, name, rows.length);
    for (const [index, { id }] of rows.entries()) ids[kind].set(id, first + index);
  }
}

async function moveTable({ from, to }: Sides, ids: Ids, table: ProjectTable): Promise<void> {
  const { name, of, orKnown = false } = table;
  const [column, kind] = of;
  for await (const page of rowsOf(from, name, column, ids[kind].keys())) {
    await addRows(
      to,
      name,
      page.flatMap((row): Row[] => {
        const moved = movedRow(row, ids, table);
        return moved ? [moved] : [];
      }),
      { orKnown },
    );
  }
}

const unclaimed = { attempts: 0, claimed_by: '', claimed_until: 0 };

/** Undefined where it does not come. */
export function movedRow(row: Row, ids: Ids, table: ProjectTable): Row | undefined {
  const changed = table.change ? table.change(row, ids) : row;
  if (!changed) return undefined;
  const { id, ...rest } = changed;
  const result: Row = { ...(id !== undefined && !table.hasOwnId && { id }), ...rest };
  if (table.ids) result['id'] = ids[table.ids].get(id);
  if (table.isWork) Object.assign(result, unclaimed);
  const [column, kind] = table.of;
  for (const [name, to] of Object.entries({ ...table.refs, [column]: kind })) {
    if (result[name] === null) continue;
    result[name] = ids[to].get(result[name]);
    if (result[name] === undefined) return undefined;
  }
  for (const [name, to] of Object.entries(table.optional ?? {})) result[name] = ids[to].get(result[name]) ?? null;
  return result;
}

/** Nobody is told of what happened before: where those who read it have come so far, they go on behind it. */
async function passOver(trx: StateTransaction, before: number): Promise<void> {
  const last = String(await lastId(trx, 'issue_activity'));
  for (const name of [ofFollowers, ofOwners]) {
    const row = await trx.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
    if (row && Number(row.value) >= before) {
      await trx.updateTable('setting').set({ value: last }).where('name', '=', name).execute();
    }
  }
}
