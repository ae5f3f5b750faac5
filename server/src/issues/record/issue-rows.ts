/** Issue rows as events make and change them. */
import { sql } from 'kysely';
import type { StateTransaction } from '../../state/state.ts';
import { chunksOf } from '../queries/rows.ts';
import { chunkSize } from './hashes.ts';
import type { Sighting } from './sightings.ts';

/** When a batch saw an issue; `loud` is the last time that may open it again. */
export interface Seen {
  readonly first: number;
  readonly last: number;
  readonly loud: number;
  readonly lastRelease: string;
}

export function widened(before: Seen | undefined, sighting: Sighting): Seen {
  return {
    first: Math.min(before?.first ?? Infinity, sighting.firstSeen),
    last: Math.max(before?.last ?? -Infinity, sighting.lastSeen),
    loud: Math.max(before?.loud ?? -Infinity, sighting.event.quiet ? -Infinity : sighting.lastSeen),
    lastRelease: before && before.last > sighting.lastSeen ? before.lastRelease : sighting.lastRelease,
  };
}

/** Returns its id. */
export async function insertIssue(
  trx: StateTransaction,
  projectId: number,
  number: number,
  sighting: Sighting,
  now: number,
): Promise<number> {
  const { seed } = sighting.event;
  const { id } = await trx
    .insertInto('issue')
    .values({
      project_id: projectId,
      number,
      status: 'unresolved',
      substatus: 'new',
      level: seed.level,
      title: seed.title,
      culprit: seed.culprit,
      platform: seed.platform,
      type: seed.type,
      metadata: JSON.stringify(seed.metadata),
      first_seen: sighting.firstSeen,
      last_seen: sighting.lastSeen,
      first_release: sighting.firstRelease || null,
      last_release: sighting.lastRelease || null,
      status_changed_at: null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('issue_activity')
    .values({ issue_id: id, type: 'first_seen', user_id: null, data: '{}', created_at: now })
    .execute();
  return id;
}

/** A resolved issue that is seen again after it was resolved is unresolved and regressed. */
export async function reopen(trx: StateTransaction, seen: ReadonlyMap<number, Seen>, now: number): Promise<void> {
  for (const chunk of chunksOf([...seen.keys()], chunkSize)) {
    const resolved = await trx
      .selectFrom('issue')
      .select(['id', 'status_changed_at'])
      .where('id', 'in', chunk)
      .where('status', '=', 'resolved')
      .execute();
    const regressed = resolved
      .filter((issue) => (seen.get(issue.id)?.loud ?? 0) > (issue.status_changed_at ?? 0))
      .map((issue) => issue.id);
    if (!regressed.length) continue;
    await trx
      .updateTable('issue')
      .set({ status: 'unresolved', substatus: 'regressed', status_changed_at: now })
      .where('id', 'in', regressed)
      .execute();
    await trx
      .insertInto('issue_activity')
      .values(
        regressed.map((id) => ({ issue_id: id, type: 'set_regression', user_id: null, data: '{}', created_at: now })),
      )
      .execute();
  }
}

export async function updateSeen(trx: StateTransaction, seen: ReadonlyMap<number, Omit<Seen, 'loud'>>): Promise<void> {
  for (const chunk of chunksOf([...seen], chunkSize)) {
    const rows = sql.join(
      chunk.map(
        ([id, { first, last, lastRelease }]) =>
          sql`(cast(${id} as bigint), cast(${first} as bigint), cast(${last} as bigint), cast(${lastRelease} as text))`,
      ),
    );
    // `case` because the two-argument maximum has a different name on each database.
    await sql`
      with sighting(id, first_seen, last_seen, last_release) as (values ${rows})
      update issue set
        first_seen = case when sighting.first_seen < issue.first_seen then sighting.first_seen else issue.first_seen end,
        last_release = case when sighting.last_seen >= issue.last_seen and sighting.last_release <> ''
          then sighting.last_release else issue.last_release end,
        last_seen = case when sighting.last_seen > issue.last_seen then sighting.last_seen else issue.last_seen end
      from sighting where issue.id = sighting.id`.execute(trx);
  }
}
