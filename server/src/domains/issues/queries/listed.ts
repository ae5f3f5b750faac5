/** From candidates to rows of a list: numbers filled in, sorted, cut into pages. */
import type { SearchNode } from '@culprit/search';
import { chunksOf } from '../../../base/chunks.ts';
import type { IssueListRequest, IssueRow, IssueSort, IssueStores, LifeCounts, ListedIssue, Page } from '../types.ts';
import { riseOf } from './halves.ts';
import { knownNumbersOf } from './known-numbers.ts';
import { lifetimesOf } from './numbers.ts';
import type { SearchPlan } from './state-filter.ts';
import { keyOfReduced, type Reduced } from './tree.ts';

/** Issues filled in with one query; and whose lives alone are asked for. */
const numbersChunk = 500;
const livesChunk = 2_000;

/** Leaves out issues without an event within the filter, and those that the terms about them refuse. */
export async function withNumbers(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
  issues: readonly IssueRow[],
): Promise<ListedIssue[]> {
  const listed: ListedIssue[] = [];
  for (const { rows, issues: alike } of await divided(stores, request, plan, issues)) {
    for (const chunk of chunksOf(alike, numbersChunk)) {
      const filter = { ...request, rows, halves: request.sort === 'trends' };
      const numbers = await knownNumbersOf(stores, chunk, filter, request.seriesRange);
      for (const issue of chunk) {
        const own = numbers.get(issue.id);
        if (own) listed.push({ ...issue, numbers: own });
      }
    }
  }
  return listed;
}

interface Alike {
  /** What their events must fulfil. */
  readonly rows: SearchNode | undefined;
  readonly issues: readonly IssueRow[];
}

/** Those that pass what is asked of the counts over their lives. */
export async function passingCounts(
  stores: IssueStores,
  { signal }: Pick<IssueListRequest, 'signal'>,
  { filter: { counts } }: SearchPlan,
  issues: readonly IssueRow[],
): Promise<readonly IssueRow[]> {
  if (!counts.length) return issues;
  const lives = await livesOf(stores, issues, signal);
  return issues.filter((issue) => {
    const life = lives.get(issue.id);
    return life !== undefined && counts.every((passes) => passes(issue, life));
  });
}

async function livesOf(
  stores: IssueStores,
  issues: readonly IssueRow[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, LifeCounts>> {
  const lives = new Map<number, LifeCounts>();
  for (const chunk of chunksOf(issues, livesChunk)) {
    for (const [id, life] of await lifetimesOf(stores, chunk, signal)) lives.set(id, life);
  }
  return lives;
}

/** The issues that pass, by what is left of the search once it is known which issue it is asked of. */
export async function divided(
  stores: IssueStores,
  request: Pick<IssueListRequest, 'signal'>,
  plan: SearchPlan,
  issues: readonly IssueRow[],
): Promise<readonly Alike[]> {
  const { rows, mixed } = plan;
  const passing = await passingCounts(stores, request, plan, issues);
  if (!mixed) return [{ rows, issues: passing }];
  const lives = mixed.needsLife ? await livesOf(stores, passing, request.signal) : undefined;
  const groups = new Map<string, { reduced: Reduced; issues: IssueRow[] }>();
  for (const issue of passing) {
    const reduced = mixed.rowsFor(issue, lives?.get(issue.id));
    if (reduced === false) continue;
    const key = keyOfReduced(reduced);
    const group = groups.get(key) ?? { reduced, issues: [] };
    group.issues.push(issue);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ reduced, issues: alike }) => ({
    rows: typeof reduced === 'boolean' ? undefined : reduced,
    issues: alike,
  }));
}

/** What a list is sorted by, most first. */
export function sortValue({ numbers, firstSeen }: ListedIssue, sort: IssueSort): number {
  switch (sort) {
    case 'date':
      return numbers.lastSeen;
    case 'new':
      return firstSeen;
    case 'freq':
      return numbers.count;
    case 'user':
      return numbers.userCount;
    case 'trends':
      return riseOf(numbers.count, numbers.recent);
  }
}

export const sortListed = (rows: readonly ListedIssue[], sort: IssueSort): ListedIssue[] =>
  rows.toSorted((a, b) => sortValue(b, sort) - sortValue(a, sort) || a.id - b.id);

/** Cursors of sorted lists count rows. `known` is how many are known to be there, counted from the first. */
export function pageAt(
  rows: readonly ListedIssue[],
  { cursor, limit }: IssueListRequest,
  known: number,
): Page<ListedIssue> {
  const offset = cursor?.offset ?? 0;
  return {
    rows,
    next: known > offset + limit ? { value: 0, offset: offset + limit, previous: false } : undefined,
    previous: offset ? { value: 0, offset: Math.max(0, offset - limit), previous: true } : undefined,
  };
}

/** Of rows that are sorted and complete up to the end of the page. */
export function pageOfSorted(rows: readonly ListedIssue[], request: IssueListRequest): Page<ListedIssue> {
  const offset = request.cursor?.offset ?? 0;
  return pageAt(rows.slice(offset, offset + request.limit), request, rows.length);
}
