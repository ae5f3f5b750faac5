/** Two releases side by side. */
import {
  type CountEstimate,
  estimateOfPart,
  eventsCountIf,
  noSpread,
  type PartSpread,
  plusSpread,
  spreadTuple,
  type SpreadTuple,
  toSpread,
} from '../../search/index.ts';
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

/** Of the one release and of the other; undefined where a count is right to 1 %. */
interface Both<Value> {
  readonly before: Value | undefined;
  readonly after: Value | undefined;
}

type ComparedSideNumbers = ComparedNumbers & {
  readonly events: number;
  readonly estimate: CountEstimate | undefined;
};

interface ListedChanges {
  readonly total: number;
  readonly issues: readonly (JudgedIssue & { readonly issue: IssueRow; readonly estimates: Both<CountEstimate> })[];
}

export interface Comparison {
  readonly from: ComparedSideNumbers;
  readonly to: ComparedSideNumbers;
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
  const issues = new Map<number, Counted & { readonly issue: IssueRow }>();
  for (const row of kept) {
    const issue = owners.get(hashKey(row.projectId, row.hash));
    if (issue) issues.set(issue.id, { issue, ...sumOf([row, issues.get(issue.id) ?? nothing]) });
  }
  const { basis, exposure } = exposureOf(before, after, request);
  const judged = judge(
    [...issues].map(([issueId, counts]) => ({ issueId, before: counts.before, after: counts.after })),
    exposure,
  );
  const listed = (changes: readonly JudgedIssue[]): ListedChanges => ({
    total: changes.length,
    issues: changes.slice(0, shown).flatMap((change) => {
      const counted = issues.get(change.issueId);
      return counted ? [{ ...change, issue: counted.issue, estimates: estimatesOf(counted) }] : [];
    }),
  });
  const all = sumOf(hashes);
  const sure = estimatesOf(all);
  return {
    from: { ...before, events: all.before, estimate: sure.before },
    to: { ...after, events: all.after, estimate: sure.after },
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

interface Counted {
  readonly before: number;
  readonly after: number;
  readonly spreads: { readonly before: PartSpread; readonly after: PartSpread };
}

interface CountedHash extends Counted {
  readonly projectId: number;
  readonly hash: string;
}

const nothing: Counted = { before: 0, after: 0, spreads: { before: noSpread, after: noSpread } };

const sumOf = (counts: readonly Counted[]): Counted =>
  counts.reduce<Counted>(
    (sum, one) => ({
      before: sum.before + one.before,
      after: sum.after + one.after,
      spreads: {
        before: plusSpread(sum.spreads.before, one.spreads.before),
        after: plusSpread(sum.spreads.after, one.spreads.after),
      },
    }),
    nothing,
  );

const estimatesOf = ({ before, after, spreads }: Counted): Both<CountEstimate> => ({
  before: estimateOfPart(before, spreads.before),
  after: estimateOfPart(after, spreads.after),
});

async function countHashes(
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
  type Row = Pick<CountedHash, 'projectId' | 'hash' | 'before' | 'after'> & {
    readonly beforeSpread: SpreadTuple;
    readonly afterSpread: SpreadTuple;
  };
  const [isBefore, isAfter] = ['release = {before:String}', 'release = {after:String}'];
  const rows = await events.query<Row>(
    `SELECT project_id AS projectId, group_hash AS hash, ${eventsCountIf(isBefore)} AS before,
       ${eventsCountIf(isAfter)} AS after,
       ${spreadTuple(isBefore)} AS beforeSpread, ${spreadTuple(isAfter)} AS afterSpread
     FROM errors WHERE ${filter.sql} GROUP BY projectId, hash
     ORDER BY before + after DESC, hash LIMIT {limit:UInt32}`,
    filter.params,
  );
  return rows.map(({ beforeSpread, afterSpread, ...row }) => ({
    ...row,
    spreads: { before: toSpread(beforeSpread), after: toSpread(afterSpread) },
  }));
}
