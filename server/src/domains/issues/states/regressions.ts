/**
 * Which events bring a resolved issue back: those after it was resolved, and where it is resolved by a release, those of
 * a release that can be expected to be rid of it. Judged by what stands in the batch and the store alone, so that a batch
 * that is run again comes to the same: by then the issue is no longer resolved, or still for the same reason.
 */
import { chunksOf } from '../../../base/chunks.ts';
import {
  compareReleases,
  compareVersions,
  type Ordered,
  isNewerThan,
  ordersOf,
  releasesWith,
  parseVersion,
} from '../../release-order/index.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { parseDetails, type StatusDetails } from './details.ts';
import { type IssueState, machine, stateOf } from './machine.ts';
import { type Changed, type Move, type StatusColumns, transition } from './transition.ts';

/** When a batch saw an issue in one release; ms since the epoch. */
export interface SeenInRelease {
  readonly first: number;
  readonly last: number;
}

/** By version; '' for events without one. */
export type SeenReleases = ReadonlyMap<string, SeenInRelease>;

/** What is known of releases that are compared. */
export interface KnownReleases {
  /** By version; those that no event and nobody else has made yet are missing. */
  readonly orders: ReadonlyMap<string, Ordered>;
  /** Versions that have the commit by which it is resolved. */
  readonly withCommit?: ReadonlySet<string> | undefined;
}

export interface Resolution {
  readonly state: IssueState;
  readonly details: StatusDetails;
  /** Null: whatever it sees next brings it back. */
  readonly resolvedAt: number | null;
}

/** The release of the event that brings it back, '' for one without; undefined where none does. */
export function returnedIn(
  { state, details, resolvedAt }: Resolution,
  seen: SeenReleases,
  known: KnownReleases,
): string | undefined {
  if (machine[state].seen_again === 'ignored') return undefined;
  for (const [version, { first, last }] of seen) {
    if (last <= (resolvedAt ?? 0)) continue;
    if (version === '' || state === 'resolved') return version;
    const release = known.orders.get(version) ?? { version, orderedAt: first };
    if (state === 'in_next_release') {
      if (isNewerThan(release, details.after ?? [])) return version;
    } else if (known.withCommit?.has(version) || isFrom(release, details.inRelease ?? '', known.orders)) return version;
  }
  return undefined;
}

/** Whether a release is the named one or a newer one. What nobody has made yet is only compared by its number. */
function isFrom(release: Ordered, named: string, orders: ReadonlyMap<string, Ordered>): boolean {
  if (release.version === named) return true;
  const other = orders.get(named);
  if (other) return compareReleases(release, other) > 0;
  const [a, b] = [parseVersion(release.version), parseVersion(named)];
  return a !== undefined && b !== undefined && a.package === b.package && compareVersions(a, b) > 0;
}

/** Opens issues of one project again that a batch has seen. `now`: ms since the epoch. */
export async function reopenSeen(
  trx: StateTransaction,
  projectId: number,
  seen: ReadonlyMap<number, { readonly loud: SeenReleases }>,
  now: number,
): Promise<Changed[]> {
  const resolved = await resolvedAmong(trx, [...seen.keys()]);
  if (!resolved.length) return [];
  const moves: Move[] = [];
  for (const [index, version] of (await judge(trx, projectId, resolved, seen)).entries()) {
    const issue = resolved[index];
    if (!issue || version === undefined) continue;
    moves.push({ issueId: issue.id, trigger: 'seen_again', data: { version }, since: issue.resolvedAt });
  }
  return transition(trx, moves, { userId: null, nowMs: now });
}

type Resolved = Resolution & { readonly id: number };

/** For each the release of an event that brings it back. */
async function judge(
  trx: StateTransaction,
  projectId: number,
  resolved: readonly Resolved[],
  seen: ReadonlyMap<number, { readonly loud: SeenReleases }>,
): Promise<(string | undefined)[]> {
  const byRelease = resolved.filter(({ state }) => state === 'in_next_release' || state === 'in_release');
  const versions = byRelease.flatMap(({ id, details }) => [
    ...(seen.get(id)?.loud.keys() ?? []),
    ...(details.inRelease === undefined ? [] : [details.inRelease]),
  ]);
  const orders = versions.length ? await ordersOf(trx, projectId, versions) : new Map<string, Ordered>();
  const versionsBack: (string | undefined)[] = [];
  for (const { id, ...resolution } of resolved) {
    const loud = seen.get(id)?.loud ?? new Map();
    const { inCommit } = resolution.details;
    let version = returnedIn(resolution, loud, { orders });
    if (version === undefined && inCommit && resolution.state === 'in_release') {
      const releases = await releasesWith(trx, projectId, inCommit);
      version = returnedIn(resolution, loud, { orders, withCommit: new Set(releases.map((one) => one.version)) });
    }
    versionsBack.push(version);
  }
  return versionsBack;
}

async function resolvedAmong(trx: StateTransaction, ids: readonly number[]): Promise<Resolved[]> {
  const found: Resolved[] = [];
  for (const chunk of chunksOf(ids, 500)) {
    const rows = await trx
      .selectFrom('issue')
      .select(['id', 'substatus', 'status_details', 'status_changed_at'])
      .where('id', 'in', chunk)
      .where('status', '=', 'resolved')
      .execute();
    found.push(...rows.map((row) => ({ id: row.id, ...resolutionOf(row) })));
  }
  return found;
}

const resolutionOf = (row: Pick<StatusColumns, 'substatus' | 'status_details' | 'status_changed_at'>): Resolution => ({
  state: stateOf({ status: 'resolved', substatus: row.substatus }),
  details: parseDetails(row.status_details),
  resolvedAt: row.status_changed_at,
});
