/** Two releases side by side. */
import { eventsCountIf } from '../../search/index.ts';
import type { Events } from '../../../ports/events/events.ts';
import { inEnvironments, inProjects, moment, where } from '../../../base/sql.ts';
import { hashKey, type IssueRow, issuesOfHashes } from '../../issues/index.ts';
import type { State } from '../../../ports/state/state.ts';
import type { ReleaseRow } from '../../release-order/index.ts';
import { type Exposure, judge, type JudgedIssue } from './judge.ts';
import { type ComparedNumbers, numbersOf } from './numbers.ts';

export type { ComparedNumbers } from './numbers.ts';

export interface ComparedSide {
  readonly release: ReleaseRow;
  /** ms since the epoch; null where nothing of it was seen. */
  readonly firstSeen: number | null;
  readonly lastSeen: number | null;
}

export interface CompareRequest {
  readonly from: ComparedSide;
  readonly to: ComparedSide;
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  readonly nowMs: number;
}

interface ListedChanges {
  readonly total: number;
  readonly issues: readonly (JudgedIssue & { readonly issue: IssueRow })[];
}

export interface Comparison {
  readonly from: ComparedNumbers & { readonly events: number };
  readonly to: ComparedNumbers & { readonly events: number };
  readonly basis: 'sessions' | 'requests' | 'hours';
  readonly new: ListedChanges;
  readonly gone: ListedChanges;
  readonly worse: ListedChanges;
  readonly better: ListedChanges;
  /** There were more groups of events than are compared. */
  readonly partial: boolean;
}

/** Groups of events, those with the most events. */
const maxHashes = 5_000;
const shown = 25;
const hourMs = 3_600_000;

/** Events are those that are still stored. */
export async function compareTwo(
  { state, events }: { readonly state: State; readonly events: Events },
  request: CompareRequest,
): Promise<Comparison> {
  const { from, to, projectIds, environments, nowMs } = request;
  const starts = [from, to].map(({ firstSeen, release }) => Math.min(firstSeen ?? Infinity, release.orderedAt));
  const scope = {
    projectIds,
    environments,
    releases: [from.release.version, to.release.version],
    fromMs: Math.floor(Math.min(...starts) / hourMs) * hourMs,
    untilMs: nowMs + 1,
  };
  const [numbers, hashes] = await Promise.all([numbersOf(events, scope), countHashes(events, scope)]);
  const before = numbers.get(from.release.version);
  const after = numbers.get(to.release.version);
  if (!before || !after) throw new Error('a release has no numbers');
  const kept = hashes.slice(0, maxHashes);
  const owners = await issuesOfHashes(
    state,
    kept.map(({ projectId, hash }) => ({ projectId, hash })),
  );
  const issues = new Map<number, { issue: IssueRow; before: number; after: number }>();
  for (const row of kept) {
    const issue = owners.get(hashKey(row.projectId, row.hash));
    if (!issue) continue;
    const known = issues.get(issue.id);
    if (known) {
      known.before += row.before;
      known.after += row.after;
    } else issues.set(issue.id, { issue, before: row.before, after: row.after });
  }
  const { basis, exposure } = exposureOf(before, after, request);
  const judged = judge(
    [...issues].map(([issueId, counts]) => ({ issueId, before: counts.before, after: counts.after })),
    exposure,
  );
  const listed = (changes: readonly JudgedIssue[]): ListedChanges => ({
    total: changes.length,
    issues: changes.slice(0, shown).flatMap((change) => {
      const issue = issues.get(change.issueId)?.issue;
      return issue ? [{ ...change, issue }] : [];
    }),
  });
  const total = (side: 'before' | 'after'): number => hashes.reduce((sum, row) => sum + row[side], 0);
  return {
    from: { ...before, events: total('before') },
    to: { ...after, events: total('after') },
    basis,
    new: listed(judged.new),
    gone: listed(judged.gone),
    worse: listed(judged.worse),
    better: listed(judged.better),
    partial: hashes.length > maxHashes,
  };
}

/** Sessions where both have them, else requests, else how long each has been seen. */
function exposureOf(
  before: ComparedNumbers,
  after: ComparedNumbers,
  { from, to }: CompareRequest,
): { basis: Comparison['basis']; exposure: Exposure } {
  const both = (of: (numbers: ComparedNumbers) => number): Exposure | undefined =>
    of(before) > 0 && of(after) > 0 ? { before: of(before), after: of(after) } : undefined;
  const sessions = both((numbers) => numbers.sessions.total);
  if (sessions) return { basis: 'sessions', exposure: sessions };
  const requests = both((numbers) => numbers.requests);
  if (requests) return { basis: 'requests', exposure: requests };
  const hours = ({ firstSeen, lastSeen }: ComparedSide): number =>
    firstSeen === null || lastSeen === null ? 0 : Math.max(1, (lastSeen - firstSeen) / hourMs);
  return { basis: 'hours', exposure: { before: hours(from), after: hours(to) } };
}

interface CountedHash {
  readonly projectId: number;
  readonly hash: string;
  readonly before: number;
  readonly after: number;
}

function countHashes(
  events: Events,
  scope: {
    readonly projectIds: readonly number[];
    readonly environments: readonly string[];
    readonly releases: readonly string[];
    readonly fromMs: number;
    readonly untilMs: number;
  },
): Promise<CountedHash[]> {
  const [before = '', after = ''] = scope.releases;
  const filter = where(inProjects(scope.projectIds), inEnvironments(scope.environments), {
    conditions: [
      'release IN {releases:Array(String)}',
      `timestamp >= ${moment('from')}`,
      `timestamp < ${moment('until')}`,
    ],
    params: {
      releases: scope.releases,
      from: scope.fromMs,
      until: scope.untilMs,
      before,
      after,
      limit: maxHashes + 1,
    },
  });
  return events.query<CountedHash>(
    `SELECT project_id AS projectId, group_hash AS hash, ${eventsCountIf('release = {before:String}')} AS before,
       ${eventsCountIf('release = {after:String}')} AS after
     FROM errors WHERE ${filter.sql} GROUP BY projectId, hash
     ORDER BY before + after DESC, hash LIMIT {limit:UInt32}`,
    filter.params,
  );
}
