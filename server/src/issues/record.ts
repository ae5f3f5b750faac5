/**
 * Gives every processed event its issue, creating issues on first sight, in one transaction per batch.
 *
 * Repeating a batch changes nothing: hashes are inserted or found, times only ever widen, and a regression needs a
 * resolved issue. So the pipeline may run a batch again after a crash without asking how far it got.
 */
import { sql } from 'kysely';
import type { Sighted } from '../process/types.ts';
import type { State, StateTransaction } from '../state/state.ts';

/** One project's issues that a batch touched. */
export interface RecordedProject {
  readonly projectId: number;
  readonly issueIds: readonly number[];
  readonly newIssueIds: readonly number[];
  readonly count: number;
  readonly first: boolean;
}

/** What the events of one issue in one batch add up to. */
interface Sighting {
  readonly event: Sighted;
  readonly hashes: readonly string[];
  firstSeen: number;
  lastSeen: number;
  firstRelease: string;
  lastRelease: string;
}

interface Seen {
  readonly first: number;
  readonly last: number;
  readonly lastRelease: string;
}

/** Stays below SQLite's limit on bound parameters with the widest row below. */
const chunkSize = 500;

/** Events must all be of projects that still exist; `now` is ms since the epoch. Sorted by project so that two batches lock in one order. */
export async function recordBatch(
  state: State,
  events: readonly Sighted[],
  now: number,
): Promise<readonly RecordedProject[]> {
  const byProject = Map.groupBy(events, (event) => event.row.project_id);
  return state.transaction(async (trx) => {
    const recorded: RecordedProject[] = [];
    for (const projectId of [...byProject.keys()].toSorted((a, b) => a - b)) {
      const result = await recordProject(trx, projectId, byProject.get(projectId) ?? [], now);
      if (result) recorded.push(result);
    }
    return recorded;
  });
}

async function recordProject(
  trx: StateTransaction,
  projectId: number,
  events: readonly Sighted[],
  now: number,
): Promise<RecordedProject | undefined> {
  // Touching the project row first makes writers of one project wait for each other, so that a hash gets one issue only.
  const project = await trx
    .updateTable('project')
    .set({ first_event_at: sql<number>`coalesce(first_event_at, ${now})` })
    .where('id', '=', projectId)
    .returning(['next_issue_number', 'first_event_at'])
    .executeTakeFirst();
  if (!project) return undefined;

  const sightings = collectSightings(events);
  const owners = await findOwners(trx, projectId, new Set(sightings.flatMap((sighting) => sighting.hashes)));
  const seen = new Map<number, Seen>();
  const unowned: Sighting[] = [];
  const widen = (issueId: number, sighting: Sighting): void => {
    const before = seen.get(issueId);
    seen.set(issueId, {
      first: Math.min(before?.first ?? Infinity, sighting.firstSeen),
      last: Math.max(before?.last ?? -Infinity, sighting.lastSeen),
      lastRelease: before && before.last > sighting.lastSeen ? before.lastRelease : sighting.lastRelease,
    });
  };
  const newHashes: { hash: string; issueId: number; event: Sighted }[] = [];
  const claim = (sighting: Sighting, issueId: number): void => {
    for (const hash of sighting.hashes) {
      // An owned hash is never moved silently: it may belong to another issue by somebody's decision.
      if (owners.has(hash)) continue;
      owners.set(hash, issueId);
      newHashes.push({ hash, issueId, event: sighting.event });
    }
  };
  for (const sighting of sightings) {
    const owner = firstOwner(sighting, owners);
    if (owner === undefined) {
      unowned.push(sighting);
    } else {
      claim(sighting, owner);
      widen(owner, sighting);
    }
  }
  const newIssueIds: number[] = [];
  let number = project.next_issue_number;
  for (const sighting of unowned) {
    // An earlier sighting of this batch may have taken one of its hashes meanwhile.
    let issueId = firstOwner(sighting, owners);
    if (issueId === undefined) {
      issueId = await insertIssue(trx, projectId, number++, sighting, now);
      newIssueIds.push(issueId);
    }
    claim(sighting, issueId);
    widen(issueId, sighting);
  }
  if (number !== project.next_issue_number) {
    await trx.updateTable('project').set({ next_issue_number: number }).where('id', '=', projectId).execute();
  }
  await insertHashes(trx, projectId, newHashes, now);
  await reopen(trx, seen, now);
  await updateSeen(trx, seen);
  return {
    projectId,
    issueIds: [...seen.keys()],
    newIssueIds,
    count: events.length,
    first: project.first_event_at === now,
  };
}

function firstOwner(sighting: Sighting, owners: ReadonlyMap<string, number>): number | undefined {
  for (const hash of sighting.hashes) {
    const owner = owners.get(hash);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

function collectSightings(events: readonly Sighted[]): Sighting[] {
  const sightings = new Map<string, Sighting>();
  for (const event of events) {
    const key = event.grouping.hashes.join();
    const { timestamp, release } = event.row;
    const sighting = sightings.get(key);
    if (!sighting) {
      sightings.set(key, {
        event,
        hashes: event.grouping.hashes,
        firstSeen: timestamp,
        lastSeen: timestamp,
        firstRelease: release,
        lastRelease: release,
      });
      continue;
    }
    if (timestamp < sighting.firstSeen) {
      sighting.firstSeen = timestamp;
      sighting.firstRelease = release;
    }
    if (timestamp >= sighting.lastSeen) {
      sighting.lastSeen = timestamp;
      sighting.lastRelease = release;
    }
  }
  return [...sightings.values()];
}

function* chunks<T>(values: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < values.length; start += chunkSize) yield values.slice(start, start + chunkSize);
}

async function findOwners(
  trx: StateTransaction,
  projectId: number,
  hashes: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const owners = new Map<string, number>();
  for (const chunk of chunks([...hashes])) {
    const rows = await trx
      .selectFrom('issue_hash')
      .select(['hash', 'issue_id'])
      .where('project_id', '=', projectId)
      .where('hash', 'in', chunk)
      .execute();
    for (const row of rows) owners.set(row.hash, row.issue_id);
  }
  return owners;
}

async function insertIssue(
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

async function insertHashes(
  trx: StateTransaction,
  projectId: number,
  hashes: readonly { hash: string; issueId: number; event: Sighted }[],
  now: number,
): Promise<void> {
  for (const chunk of chunks(hashes)) {
    await trx
      .insertInto('issue_hash')
      .values(
        chunk.map(({ hash, issueId, event }) => ({
          project_id: projectId,
          hash,
          issue_id: issueId,
          grouping_version: event.grouping.version,
          basis: event.grouping.basis,
          first_event_id: event.row.event_id,
          explanation: JSON.stringify(event.grouping.tree),
          created_at: now,
        })),
      )
      .execute();
  }
}

/** A resolved issue that is seen again after it was resolved is unresolved and regressed. */
async function reopen(trx: StateTransaction, seen: ReadonlyMap<number, Seen>, now: number): Promise<void> {
  for (const chunk of chunks([...seen.keys()])) {
    const resolved = await trx
      .selectFrom('issue')
      .select(['id', 'status_changed_at'])
      .where('id', 'in', chunk)
      .where('status', '=', 'resolved')
      .execute();
    const regressed = resolved
      .filter((issue) => (seen.get(issue.id)?.last ?? 0) > (issue.status_changed_at ?? 0))
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

async function updateSeen(trx: StateTransaction, seen: ReadonlyMap<number, Seen>): Promise<void> {
  for (const chunk of chunks([...seen])) {
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
