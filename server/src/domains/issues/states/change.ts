/** What people do to the status of issues, and how that is taken back. */
import { chunksOf } from '../../../base/chunks.ts';
import { CodedError } from '../../../base/errors.ts';
import type { Live } from '../../../base/live.ts';
import { newestReleases, ofPackage, releasesWith, type Ordered, packageOf } from '../../release-order/index.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { type ActivityType, noteActivity } from '../activity.ts';
import { changes } from '../../../base/texts/issues.ts';
import type { ArchiveCondition, StatusDetails } from './details.ts';
import { type IssueState, stateOf, type Trigger } from './machine.ts';
import { type Changed, type Move, pickStatus, type StatusColumns, statusColumns, transition } from './transition.ts';

export type StatusChange =
  | {
      readonly kind:
        | 'resolve'
        | 'resolve_in_next_release'
        | 'archive_until_escalating'
        | 'archive_forever'
        | 'reopen'
        | 'review';
    }
  /** `latest`: the newest that is known of the package that the issue was last seen in, else of its project. */
  | { readonly kind: 'resolve_in_release'; readonly release: string }
  /** Its hash, or at least seven digits from the beginning; the repository's name, '' for whichever has it. */
  | { readonly kind: 'resolve_in_commit'; readonly commit: string; readonly repository: string }
  | { readonly kind: 'archive_until_condition_met'; readonly condition: ArchiveCondition };

export interface StatusChangeRequest {
  readonly issueIds: readonly number[];
  readonly change: StatusChange;
  /** Null where nobody asked for it. */
  readonly userId: string | null;
  /** ms since the epoch. */
  readonly nowMs: number;
}

export interface StatusChanged {
  readonly id: number;
  /** What `restoreStatus` needs. */
  readonly before: StatusColumns;
}

interface Stores {
  readonly state: State;
  readonly live: Live;
}

/**
 * Gives the issues that are in another state now, or in the same with other details; each has an entry in its activity.
 * Throws INPUT_INVALID for the latest release of a project that has none.
 */
export async function changeStatus(
  { state, live }: Stores,
  { issueIds, change, userId, nowMs }: StatusChangeRequest,
): Promise<{ changed: StatusChanged[] }> {
  const changed = await state.transaction((trx) => changeStatusIn(trx, { issueIds, change, userId, nowMs }));
  publish(live, changed);
  return { changed: changed.map(({ id, before }) => ({ id, before })) };
}

/** The same within a transaction of the caller's, who publishes that the issues changed. */
export async function changeStatusIn(
  trx: StateTransaction,
  { issueIds, change, userId, nowMs }: StatusChangeRequest,
): Promise<Changed[]> {
  const moves: Move[] = [];
  for (const { projectId, name, ids } of await byPackage(trx, issueIds)) {
    const move = await moveOf(trx, { projectId, name }, change, nowMs);
    moves.push(...ids.map((issueId) => ({ issueId, ...move })));
  }
  return transition(trx, moves, { userId, nowMs });
}

/** Where issues were last seen. */
interface Place {
  readonly projectId: number;
  /** Of a package; '' for none. */
  readonly name: string;
}

async function byPackage(
  trx: StateTransaction,
  issueIds: readonly number[],
): Promise<Iterable<Place & { readonly ids: readonly number[] }>> {
  const places = new Map<string, Place & { readonly ids: number[] }>();
  for (const chunk of chunksOf([...new Set(issueIds)])) {
    const rows = await trx
      .selectFrom('issue')
      .select(['id', 'project_id as projectId', 'last_release as release'])
      .where('id', 'in', chunk)
      .execute();
    for (const { id, projectId, release } of rows) {
      const name = packageOf(release ?? '');
      const key = `${projectId} ${name}`;
      const place = places.get(key);
      if (place) place.ids.push(id);
      else places.set(key, { projectId, name, ids: [id] });
    }
  }
  return places.values();
}

/** Of the newest of each package, the latest by date first: that of the issue's own, where it has one. */
const newestIn = (newest: readonly Ordered[], name: string): Ordered | undefined =>
  ofPackage(newest, name)[0] ?? newest[0];

async function moveOf(
  trx: StateTransaction,
  { projectId, name }: Place,
  change: StatusChange,
  nowMs: number,
): Promise<{ trigger: Trigger; details?: StatusDetails; data?: Readonly<Record<string, unknown>> }> {
  switch (change.kind) {
    case 'resolve_in_next_release': {
      const after = await newestReleases(trx, projectId);
      const current = newestIn(after, name);
      const data = { version: '', inNextRelease: true, ...(current && { currentVersion: current.version }) };
      return { trigger: change.kind, details: { inNextRelease: true, after }, data };
    }
    case 'resolve_in_release': {
      const version =
        change.release === 'latest' ? newestIn(await newestReleases(trx, projectId), name)?.version : change.release;
      if (version === undefined) {
        throw new CodedError('INPUT_INVALID', [changes.noRelease]);
      }
      return { trigger: change.kind, details: { inRelease: version }, data: { version } };
    }
    case 'resolve_in_commit': {
      const inCommit = { commit: change.commit.toLowerCase(), repository: change.repository };
      const [release] = await releasesWith(trx, projectId, inCommit);
      if (!release) return { trigger: change.kind, details: { inCommit }, data: inCommit };
      const { version, sha: commit } = release;
      const known = { ...inCommit, commit };
      return {
        trigger: 'resolve_in_release',
        details: { inCommit: known, inRelease: version },
        data: { ...known, version },
      };
    }
    case 'archive_until_condition_met': {
      const { ignoreDuration } = change.condition;
      const until = ignoreDuration === undefined ? undefined : nowMs + ignoreDuration * 60_000;
      return { trigger: change.kind, details: { ...change.condition, until }, data: { ...change.condition, until } };
    }
    default:
      return { trigger: change.kind };
  }
}

export interface RestoreRequest {
  readonly issues: readonly StatusChanged[];
  /** When the change was made that is taken back: what changed again since stays as it is. */
  readonly changedAt: number;
  readonly userId: string | null;
  /** ms since the epoch. */
  readonly nowMs: number;
}

/** Gives each issue exactly the status that it had. Returns the ids of those that have it again. */
export async function restoreStatus({ state, live }: Stores, request: RestoreRequest): Promise<number[]> {
  const restored = await state.transaction((trx) => restoreStatusIn(trx, request));
  publish(live, restored);
  return restored.map((one) => one.id);
}

/** The same within a transaction of the caller's, who publishes that the issues changed. */
export async function restoreStatusIn(
  trx: StateTransaction,
  { issues, changedAt, userId, nowMs }: RestoreRequest,
): Promise<Pick<Changed, 'id' | 'projectId'>[]> {
  const before = new Map(issues.map((issue) => [issue.id, issue.before]));
  const restored: Pick<Changed, 'id' | 'projectId'>[] = [];
  const ids = [...before.keys()].toSorted((a, b) => a - b);
  for (const chunk of chunksOf(ids, 500)) {
    const rows = await trx
      .selectFrom('issue')
      .select(['id', ...statusColumns])
      .where('id', 'in', chunk)
      .execute();
    const groups = Map.groupBy(rows, (row) => JSON.stringify(pickStatus(before.get(row.id) ?? row)));
    for (const [columns, group] of groups) {
      const was = JSON.parse(columns) as StatusColumns;
      const updated = await trx
        .updateTable('issue')
        .set(was)
        .where(
          'id',
          'in',
          group.map((row) => row.id),
        )
        .where('status_changed_at', '=', changedAt)
        .where('status', 'in', ['unresolved', 'resolved', 'archived'])
        .where('merged_into', 'is', null)
        .returning(['id', 'project_id'])
        .execute();
      const states = new Map(group.map((row) => [row.id, nameOf(row)]));
      const to = nameOf(was);
      await noteActivity(
        trx,
        updated.map(({ id }) => ({
          issueId: id,
          type: typeOfUndo[was.status],
          userId,
          data: { undo: true, from: states.get(id), to },
          at: nowMs,
        })),
      );
      restored.push(...updated.map((row) => ({ id: row.id, projectId: row.project_id })));
    }
  }
  return restored;
}

const typeOfUndo = {
  unresolved: 'set_unresolved',
  resolved: 'set_resolved',
  archived: 'set_archived',
  merged: 'set_unresolved',
  deleting: 'set_unresolved',
} as const satisfies Record<StatusColumns['status'], ActivityType>;

function nameOf({ status, substatus }: StatusColumns): IssueState {
  const known = status === 'merged' || status === 'deleting' ? 'archived' : status;
  return stateOf({ status: known, substatus });
}

export function publish(live: Live, issues: readonly Pick<Changed, 'id' | 'projectId'>[]): void {
  for (const [projectId, ofProject] of Map.groupBy(issues, (issue) => issue.projectId)) {
    const issueIds = ofProject.map((issue) => issue.id);
    live.publish({ type: 'issues', projectId, issueIds, sameEvents: true });
  }
}
