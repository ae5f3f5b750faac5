/**
 * Gives browsers' views of server failures to the issue of the server's event.
 *
 * A failure (project, digest, trace) is: unknown → attached (a server event is there: the view takes its group hash) |
 * waiting (none is there: the view takes a hash of its own, owned by the issue where it waits) | apart (too many wait:
 * the view stays where it is). Waiting → attached when the server event comes: the hash moves to its issue, and the
 * stored events with it. What was decided is written before the rows are stored, so a batch that is run again decides alike.
 *
 * Neither order of arrival is missed: a view is written down as waiting before it looks for the server event a second
 * time, and the batch of a server event asks who waits after its rows are stored.
 */
import type { ErrorRow } from '../../../base/tables/errors.ts';
import { explainTwin, twinBasis, twinHash, twinVersion } from '../../../process/steps/twin.ts';
import type { TwinEvent } from '../../../process/types.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { standingFor, type Weight } from '../limits/index.ts';
import { lockProject, recordEvents, type RecordedProject } from '../record.ts';
import { findOwners, insertHashes, type NewHash } from '../record/hashes.ts';
import type { Recordable } from '../record/sightings.ts';
import type { IssueStores } from '../types.ts';
import { indexServerEvents, type ServerEvents } from './choose.ts';
import { findServerEvents, type View } from './lookup.ts';
import { roomFor } from './room.ts';
import { settleAndClose } from './settle.ts';
import { failureKey, forgetOldTwins, insertTwins, isKnown, readTwins, type TwinRow, widenTwin } from './twin-rows.ts';

export interface RecordedTwins {
  /** The views' rows with the hashes that were decided, in the order given, without those of deleted projects. */
  readonly rows: readonly ErrorRow[];
  readonly projects: readonly RecordedProject[];
  /** Views of discarded issues; they have no rows. */
  readonly dropped: readonly TwinEvent[];
  /** Views beyond the limit of their issue; they have none either. */
  readonly limited: readonly TwinEvent[];
}

/** After the other events of the batch are stored. `token`: of the views of the batch; `now` is ms since the epoch. */
export async function recordTwins(
  stores: IssueStores,
  twins: readonly TwinEvent[],
  { token, now }: { readonly token: string; readonly now: number },
): Promise<RecordedTwins> {
  const rows = new Map<TwinEvent, ErrorRow>();
  const projects: RecordedProject[] = [];
  const dropped: TwinEvent[] = [];
  const limited: TwinEvent[] = [];
  const byProject = Map.groupBy(twins, (event) => event.row.project_id);
  for (const projectId of [...byProject.keys()].toSorted((a, b) => a - b)) {
    const events = byProject.get(projectId) ?? [];
    const decided = await decideProject(stores, projectId, events, { token, now });
    if (!decided) continue;
    projects.push(...decided.projects);
    for (const event of events) {
      const failure = decided.failures.get(failureKey(event.twin));
      if (failure?.isDropped) {
        dropped.push(event);
        continue;
      }
      if (decided.limited.has(event)) {
        limited.push(event);
        continue;
      }
      const hash = failure?.hash ?? event.row.group_hash;
      const row = { ...event.row, group_hash: hash, group_hashes: [hash] };
      rows.set(event, standingFor(row, decided.added.get(event)));
    }
  }
  return { rows: twins.flatMap((event) => rows.get(event) ?? []), projects, dropped, limited };
}

/** The views of one failure in this batch, and what is decided about them. */
interface ViewedFailure {
  readonly view: View;
  readonly event: TwinEvent;
  readonly times: Pick<TwinRow, 'first_seen' | 'last_seen' | 'last_release'>;
  /** Undefined until the issue is known in which it waits. */
  hash?: string;
  state: TwinRow['state'];
  /** What the state store has of exactly this failure. */
  row?: TwinRow;
  /** Whether the decision follows from no row yet. */
  isNew: boolean;
  /** The server's event says when the issue regressed, not the view. */
  quiet: boolean;
  /** It would belong to an issue that was discarded. */
  isDropped: boolean;
}

/** By `failureKey`; views that nothing tells from others are one. */
type Failures = ReadonlyMap<string, ViewedFailure>;

function collectFailures(events: readonly TwinEvent[]): Failures {
  const failures = new Map<string, ViewedFailure>();
  for (const [key, same] of Map.groupBy(events, ({ twin }) => failureKey(twin))) {
    const [event] = same;
    const last = same.reduce((a, b) => (b.row.timestamp >= a.row.timestamp ? b : a));
    if (!event) continue;
    const { digest, traceId } = event.twin;
    const { timestamp: at, transaction } = event.row;
    const times = {
      first_seen: Math.min(...same.map(({ row }) => row.timestamp)),
      last_seen: last.row.timestamp,
      last_release: last.row.release,
    };
    const view = { digest, traceId, transaction, at };
    failures.set(key, { view, event, times, state: 'waiting', isNew: true, quiet: false, isDropped: false });
  }
  return failures;
}

interface DecidedProject {
  readonly projects: readonly RecordedProject[];
  readonly failures: Failures;
  readonly limited: ReadonlySet<TwinEvent>;
  readonly added: ReadonlyMap<TwinEvent, Weight>;
}

async function decideProject(
  stores: IssueStores,
  projectId: number,
  events: readonly TwinEvent[],
  { token, now }: { readonly token: string; readonly now: number },
): Promise<DecidedProject | undefined> {
  const { state } = stores;
  const views = [...collectFailures(events).values()].map(({ view }) => view);
  const known = await readTwins(state.db, projectId, views);
  const unknown = views.filter((view) => (view.digest || view.traceId) && !isKnown(known, view));
  const causes = indexServerEvents(await findServerEvents(stores.events, projectId, unknown));
  const recorded = await state.transaction(async (trx) => {
    const project = await lockProject(trx, projectId, now);
    if (!project) return undefined;
    // The transaction may be repeated.
    const fresh = collectFailures(events);
    await forgetOldTwins(trx, now);
    await decide(trx, projectId, fresh, causes);
    const recordables = events.map((event) => toRecordable(event, fresh.get(failureKey(event.twin))));
    const batch = await recordEvents(trx, project, recordables, { now, token });
    const limited = new Set<TwinEvent>();
    const added = new Map<TwinEvent, Weight>();
    for (const [index, event] of events.entries()) {
      const failure = fresh.get(failureKey(event.twin));
      const recordable = recordables[index];
      if (!recordable) continue;
      if (failure && batch.dropped.includes(recordable)) failure.isDropped = true;
      if (batch.limited.has(recordable)) limited.add(event);
      const weight = batch.added.get(recordable);
      if (weight) added.set(event, weight);
    }
    await settleDown(trx, projectId, fresh, batch.owners, now);
    return { counted: batch.recorded, failures: fresh, limited, added };
  });
  if (!recorded) return undefined;
  // The second look: a server event may have been stored while the views were written down.
  const waiting = [...recorded.failures.values()].flatMap(({ row }) => (row?.state === 'waiting' ? [row] : []));
  const late = await settleAndClose(stores, projectId, waiting, now);
  const { counted, failures, limited, added } = recorded;
  return { projects: [counted, ...late], failures, limited, added };
}

/** What is known already, what the events store has found, or a hash that an earlier view of the failure has left. */
async function decide(
  trx: StateTransaction,
  projectId: number,
  failures: Failures,
  causes: ServerEvents,
): Promise<void> {
  const all = [...failures.values()];
  const known = await readTwins(
    trx,
    projectId,
    all.map(({ view }) => view),
  );
  const candidates = all.map((failure) => ({
    failure,
    cause: causes.causeOf(failure.view)?.groupHash,
    own: twinHash(failure.view),
  }));
  const asked = candidates.flatMap(({ failure, cause, own }) => [
    failure.event.row.group_hash,
    ...(cause === undefined ? [] : [cause]),
    ...(own === undefined ? [] : [own]),
  ]);
  const owners = await findOwners(trx, projectId, new Set(asked));
  for (const { failure, cause, own } of candidates) {
    const exact = known.exact.get(failureKey(failure.view));
    const row = exact ?? known.attached.get(failure.view.digest);
    if (row) {
      Object.assign(failure, { hash: row.group_hash, state: row.state, row: exact, isNew: false });
      failure.quiet = row.state === 'attached';
    } else if (cause !== undefined && owners.has(cause)) {
      Object.assign(failure, { hash: cause, state: 'attached', quiet: true });
    } else if (own !== undefined && owners.has(own)) {
      failure.hash = own;
      failure.quiet = owners.get(own) !== owners.get(failure.event.row.group_hash);
    }
  }
}

/** By the hash that was decided; by the event's own until one is. */
function toRecordable(event: TwinEvent, failure: ViewedFailure | undefined): Recordable {
  // While it waits nobody knows whose it is.
  const isUnplaced = failure?.state === 'waiting';
  if (failure?.hash === undefined) return { ...event, isUnplaced };
  const { version, basis, tree, previous, words } = event.grouping;
  const grouping = { version, hashes: [failure.hash], basis, tree, previous, words };
  return { ...event, grouping, quiet: failure.quiet, isUnplaced };
}

/** Writes what was decided, and where views wait whose issue is known now. */
async function settleDown(
  trx: StateTransaction,
  projectId: number,
  failures: Failures,
  owners: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  const issueOf = ({ hash, event }: ViewedFailure): number | undefined => owners.get(hash ?? event.row.group_hash);
  const anew = [...failures.values()].filter(({ isNew, isDropped }) => isNew && !isDropped);
  const waiting = anew.filter(({ state }) => state === 'waiting');
  const room = await roomFor(trx, projectId, new Set(waiting.flatMap((failure) => issueOf(failure) ?? [])));
  const newHashes = new Map<string, NewHash>();
  for (const failure of waiting) {
    const issueId = issueOf(failure);
    const hash = failure.hash ?? twinHash(failure.view);
    const isOwned = failure.hash !== undefined || (hash !== undefined && newHashes.has(hash));
    if (hash === undefined || issueId === undefined || !room.take(issueId, isOwned ? 0 : 1)) {
      failure.state = 'apart';
      failure.hash ??= failure.event.row.group_hash;
      continue;
    }
    failure.hash = hash;
    if (isOwned) continue;
    const grouping = { version: twinVersion, basis: twinBasis, tree: explainTwin(failure.view) };
    newHashes.set(hash, { hash, issueId, grouping, eventId: failure.event.row.event_id });
  }
  await insertHashes(trx, projectId, [...newHashes.values()], now);
  for (const failure of anew) {
    const { view, hash = '', state, times } = failure;
    const issueId = owners.get(hash) ?? newHashes.get(hash)?.issueId ?? null;
    failure.row = {
      project_id: projectId,
      digest: view.digest,
      trace_id: view.traceId,
      group_hash: hash,
      state,
      issue_id: state === 'attached' ? null : issueId,
      ...times,
      created_at: now,
    };
  }
  await insertTwins(
    trx,
    anew.flatMap(({ row }) => row ?? []),
  );
  for (const { isNew, row, times } of failures.values()) {
    if (!isNew && row?.state === 'waiting') await widenTwin(trx, row, times);
  }
}
