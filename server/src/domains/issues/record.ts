/**
 * Gives every processed event its issue, creating issues on first sight, in one transaction per batch.
 *
 * Repeating a batch changes nothing: hashes are inserted or found, times only ever widen, and a regression needs a
 * resolved issue. What limits of issues decide is found by the token of the batch. So the pipeline may run a batch again
 * after a crash without asking how far it got.
 */
import { sql } from 'kysely';
import type { Gained } from '../../base/live.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { notePlatform } from '../projects/index.ts';
import { discardedAmong } from './bulk/tombstones.ts';
import { applyLimits, hasLimits, type LimitedEvents, noneLimited, type Weight } from './limits/index.ts';
import { findOwners, insertHashes, type NewHash } from './record/hashes.ts';
import { insertIssue, noteNewIssues, type Seen, updateSeen, widened } from './record/issue-rows.ts';
import { collectSightings, type Recordable, type Sighting } from './record/sightings.ts';
import { noteSampled } from './record/sampled.ts';
import { WordsOfBatch } from './record/words.ts';
import { hashKey } from './rows.ts';
import { reopenSeen } from './states/regressions.ts';

/** One project's issues that a batch touched. */
export interface RecordedProject {
  readonly projectId: number;
  readonly issueIds: readonly number[];
  readonly newIssueIds: readonly number[];
  readonly count: number;
  readonly first: boolean;
  /** Of the issues, those between which stored events moved. */
  readonly movedIssueIds?: readonly number[] | undefined;
  /** What the rows of these events add to its issues, where they are stored by now. */
  readonly gained?: Gained | undefined;
}

/** What is to become of the events of a batch; filled while it is recorded. */
export interface BatchFate {
  /** Those that nobody wants, of discarded issues. */
  readonly dropped: Set<Recordable>;
  /** Those beyond the limit of their issue: counted, not stored. */
  readonly limited: Set<Recordable>;
  /** Whom those that are stored stand for beside that. */
  readonly added: Map<Recordable, Weight>;
  /** The issue of each hash, by `hashKey`. */
  readonly owners: Map<string, number>;
}

export const createFate = (): BatchFate => ({
  dropped: new Set(),
  limited: new Set(),
  added: new Map(),
  owners: new Map(),
});

interface RecordOptions {
  readonly fate?: BatchFate;
  /** Of the batch, for the limits of issues; without it there are none. */
  readonly token?: string | undefined;
}

/**
 * Events must all be of projects that still exist; `now` is ms since the epoch. Sorted by project so that two batches lock
 * in one order.
 */
export async function recordBatch(
  state: State,
  events: readonly Recordable[],
  now: number,
  { fate = createFate(), token }: RecordOptions = {},
): Promise<readonly RecordedProject[]> {
  const byProject = Map.groupBy(events, (event) => event.row.project_id);
  return state.transaction(async (trx) => {
    const recorded: RecordedProject[] = [];
    // The transaction may be repeated.
    for (const part of Object.values(fate)) part.clear();
    for (const projectId of [...byProject.keys()].toSorted((a, b) => a - b)) {
      const project = await lockProject(trx, projectId, now);
      if (!project) continue;
      const ofProject = byProject.get(projectId) ?? [];
      const [first] = ofProject;
      if (project.first && first) await notePlatform(trx, projectId, first.row.sdk_name, first.seed.platform);
      const batch = await recordEvents(trx, project, ofProject, { now, token });
      for (const event of batch.dropped) fate.dropped.add(event);
      for (const event of batch.limited) fate.limited.add(event);
      for (const [event, weight] of batch.added) fate.added.set(event, weight);
      for (const [hash, issueId] of batch.owners) fate.owners.set(hashKey(projectId, hash), issueId);
      recorded.push(batch.recorded);
    }
    return recorded;
  });
}

export interface LockedProject {
  readonly id: number;
  readonly nextIssueNumber: number;
  /** Whether it had no event before. */
  readonly first: boolean;
  /** Whether any of its issues has a limit. */
  readonly hasLimits: boolean;
  /** Whether errors of it stand for others beyond a limit. */
  readonly wasLimited: boolean;
}

/** Touching the project row first makes writers of one project wait for each other, so that a hash gets one issue only. Undefined: deleted. */
export async function lockProject(
  trx: StateTransaction,
  projectId: number,
  now: number,
): Promise<LockedProject | undefined> {
  const project = await trx
    .updateTable('project')
    .set({ first_event_at: sql<number>`coalesce(first_event_at, ${now})` })
    .where('id', '=', projectId)
    .returning(['next_issue_number', 'first_event_at', 'limited_at', hasLimits.as('has_limits')])
    .executeTakeFirst();
  if (!project) return undefined;
  return {
    id: projectId,
    nextIssueNumber: project.next_issue_number,
    first: project.first_event_at === now,
    hasLimits: Boolean(project.has_limits),
    wasLimited: project.limited_at !== null,
  };
}

interface RecordedEvents extends LimitedEvents {
  readonly recorded: RecordedProject;
  /** The issue of every hash of the events, but for those that were dropped. */
  readonly owners: ReadonlyMap<string, number>;
  readonly dropped: readonly Recordable[];
}

export async function recordEvents(
  trx: StateTransaction,
  project: LockedProject,
  events: readonly Recordable[],
  { now, token }: { readonly now: number } & Pick<RecordOptions, 'token'>,
): Promise<RecordedEvents> {
  const owners = await findOwners(trx, project.id, new Set(events.flatMap(({ grouping }) => grouping.hashes)));
  const { wanted, dropped } = await withoutDiscarded(trx, project.id, events, owners);
  const sightings = collectSightings(wanted);
  const spoken = new Set(sightings.flatMap(({ event }) => event.grouping.words?.hash ?? []));
  const words = await WordsOfBatch.read(trx, project.id, spoken);
  const seen = new Map<number, Seen>();
  const newHashes: NewHash[] = [];
  const place = (sighting: Sighting, issueId: number, upgraded?: string, origin?: number): void => {
    seen.set(issueId, widened(seen.get(issueId), sighting));
    words.note(sighting.event.grouping.words, issueId);
    const { grouping, row } = sighting.event;
    const like = upgraded ?? sighting.hashes.find((hash) => owners.has(hash));
    const via = upgraded === undefined ? '' : 'upgrade';
    for (const hash of sighting.hashes) {
      // An owned hash is never moved silently: it may belong to another issue by somebody's decision.
      if (owners.has(hash)) continue;
      owners.set(hash, issueId);
      newHashes.push({ hash, issueId, grouping, eventId: row.event_id, like, origin, via });
    }
  };
  const unowned: Sighting[] = [];
  for (const sighting of sightings) {
    const owner = firstOwner(sighting, owners);
    if (owner === undefined) unowned.push(sighting);
    else place(sighting, owner);
  }
  const newIssueIds: number[] = [];
  let number = project.nextIssueNumber;
  const before = await findOwners(trx, project.id, new Set(unowned.flatMap(previousOf)));
  const imported = new Set<number>();
  // What an import brings makes an issue only where nothing of this batch does.
  for (const sighting of unowned.toSorted((a, b) => Number(isImported(a)) - Number(isImported(b)))) {
    // An earlier sighting of this batch may have taken one of its hashes meanwhile.
    let issueId = firstOwner(sighting, owners);
    const known = issueId === undefined ? previousOf(sighting).find((hash) => before.has(hash)) : undefined;
    const previous = known === undefined ? undefined : before.get(known);
    if (previous !== undefined) {
      place(sighting, previous, known);
      continue;
    }
    const said = issueId === undefined ? words.ownerOf(sighting.event.grouping.words) : undefined;
    issueId ??= said?.issueId;
    if (issueId === undefined) {
      issueId = await insertIssue(trx, project.id, number++, sighting, now);
      newIssueIds.push(issueId);
      if (isImported(sighting)) imported.add(issueId);
    }
    place(sighting, issueId, undefined, said?.origin);
  }
  if (number !== project.nextIssueNumber) {
    await trx.updateTable('project').set({ next_issue_number: number }).where('id', '=', project.id).execute();
  }
  await noteImported(trx, project.id, wanted);
  await noteNewIssues(trx, newIssueIds, imported, now);
  await insertHashes(trx, project.id, newHashes, now);
  await words.save();
  await reopenSeen(trx, project.id, seen, now);
  await updateSeen(trx, seen);
  const { id: projectId, first } = project;
  // What is beyond a limit was seen all the same.
  const isLimited = project.hasLimits && token !== undefined;
  const { isRepeated, limited, added } = isLimited
    ? await applyLimits(trx, { projectId, token, owners, now }, wanted)
    : noneLimited;
  if (added.size > 0 && !project.wasLimited) {
    await trx.updateTable('project').set({ limited_at: now }).where('id', '=', projectId).execute();
  }
  if (!isRepeated) await noteSampled(trx, project.id, wanted);
  const count = wanted.length - limited.size;
  return {
    recorded: { projectId, issueIds: [...seen.keys()], newIssueIds, count, first },
    owners,
    dropped,
    isRepeated,
    limited,
    added,
  };
}

/** The first hash that is known decides: that of an issue, or one that was discarded, which no issue has. */
async function withoutDiscarded(
  trx: StateTransaction,
  projectId: number,
  events: readonly Recordable[],
  owners: ReadonlyMap<string, number>,
): Promise<{ wanted: readonly Recordable[]; dropped: readonly Recordable[] }> {
  const hashesOf = ({ grouping }: Recordable): string[] => [...grouping.hashes, ...(grouping.previous ?? [])];
  const unowned = new Set(events.flatMap(hashesOf).filter((hash) => !owners.has(hash)));
  const discarded = await discardedAmong(trx, projectId, [...unowned]);
  if (!discarded.size) return { wanted: events, dropped: [] };
  const isDropped = (event: Recordable): boolean => {
    const known = hashesOf(event).find((hash) => owners.has(hash) || discarded.has(hash));
    return known !== undefined && discarded.has(known);
  };
  return { wanted: events.filter((event) => !isDropped(event)), dropped: events.filter(isDropped) };
}

const isImported = ({ event }: Sighting): boolean => event.imported === true;

/** Until when an import may have brought events: from then on alerts count. */
async function noteImported(trx: StateTransaction, projectId: number, events: readonly Recordable[]): Promise<void> {
  const newest = events.reduce((ms, { imported, row }) => (imported ? Math.max(ms, row.timestamp) : ms), 0);
  if (newest === 0) return;
  await trx
    .updateTable('project')
    .set({ imported_until: newest })
    .where('id', '=', projectId)
    .where((eb) => eb.or([eb('imported_until', 'is', null), eb('imported_until', '<', newest)]))
    .execute();
}

/** By the version that the project had before it was upgraded. */
const previousOf = ({ event }: Sighting): readonly string[] => event.grouping.previous ?? [];

function firstOwner(sighting: Sighting, owners: ReadonlyMap<string, number>): number | undefined {
  for (const hash of sighting.hashes) {
    const owner = owners.get(hash);
    if (owner !== undefined) return owner;
  }
  return undefined;
}
