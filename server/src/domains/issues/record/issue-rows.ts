/** Issue rows as events make and change them. */
import { sql } from 'kysely';
import { chunksOf } from '../../../base/chunks.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { noteActivity } from '../activity.ts';
import type { SeenInRelease } from '../states/regressions.ts';
import { newUntil, settledAfterMs } from '../states/machine.ts';
import { toStatusColumns } from '../states/transition.ts';
import { chunkSize } from './hashes.ts';
import { isQuiet, type Sighting } from './sightings.ts';

/** When a batch saw an issue; `loud` is what may open it again, by release. */
export interface Seen {
  readonly first: number;
  readonly last: number;
  readonly loud: ReadonlyMap<string, SeenInRelease>;
  readonly lastRelease: string;
}

export function widened(before: Seen | undefined, sighting: Sighting): Seen {
  return {
    first: Math.min(before?.first ?? Infinity, sighting.firstSeen),
    last: Math.max(before?.last ?? -Infinity, sighting.lastSeen),
    loud: isQuiet(sighting.event) ? (before?.loud ?? new Map()) : louder(before?.loud, sighting.releases),
    lastRelease: before && before.last > sighting.lastSeen ? before.lastRelease : sighting.lastRelease,
  };
}

function louder(before: Seen['loud'] = new Map(), more: Seen['loud']): Seen['loud'] {
  const all = new Map(before);
  for (const [release, { first, last }] of more) {
    const known = all.get(release);
    all.set(release, { first: Math.min(known?.first ?? first, first), last: Math.max(known?.last ?? last, last) });
  }
  return all;
}

/** Returns its id; who follows issues is told by `noteNewIssues`. What arrives long after it happened is not new any more. */
export async function insertIssue(
  trx: StateTransaction,
  projectId: number,
  number: number,
  sighting: Sighting,
  now: number,
): Promise<number> {
  const { seed, imported } = sighting.event;
  // Of what an import brings the import says how it stands.
  const isNew = !imported && newUntil(sighting.firstSeen) > now;
  const { id } = await trx
    .insertInto('issue')
    .values({
      project_id: projectId,
      number,
      ...toStatusColumns(isNew ? 'new' : 'ongoing', Math.min(sighting.firstSeen, now)),
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
  return id;
}

/** Of issues that `insertIssue` made, together; of those that an import brought nobody is told. */
export async function noteNewIssues(
  trx: StateTransaction,
  issueIds: readonly number[],
  imported: ReadonlySet<number>,
  now: number,
): Promise<void> {
  await noteActivity(
    trx,
    issueIds.map((issueId) => ({
      issueId,
      type: imported.has(issueId) ? 'imported' : 'first_seen',
      userId: null,
      at: now,
    })),
  );
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
        moves_at = case when sighting.first_seen < issue.first_seen and issue.substatus = 'new'
          then sighting.first_seen + cast(${settledAfterMs} as bigint) else issue.moves_at end,
        last_seen = case when sighting.last_seen > issue.last_seen then sighting.last_seen else issue.last_seen end
      from sighting where issue.id = sighting.id`.execute(trx);
  }
}
