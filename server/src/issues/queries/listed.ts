/** From candidates to rows of a list: numbers filled in, sorted, cut into pages. */
import type { IssueListRequest, IssueRow, IssueSort, IssueStores, ListedIssue, Page } from '../types.ts';
import { lifetimesOf, numbersOf } from './numbers.ts';
import { chunksOf } from './rows.ts';
import type { StateFilter } from './state-filter.ts';

/** Issues filled in with one query; and whose lives alone are asked for. */
const numbersChunk = 500;
const livesChunk = 2_000;

/** Leaves out issues without an event within the filter, and those that the terms about their counts refuse. */
export async function withNumbers(
  stores: IssueStores,
  request: IssueListRequest,
  filter: StateFilter,
  issues: readonly IssueRow[],
): Promise<ListedIssue[]> {
  const listed: ListedIssue[] = [];
  const passing = await passingCounts(stores, request, filter, issues);
  for (const chunk of chunksOf(passing, numbersChunk)) {
    const numbers = await numbersOf(stores, chunk, request, request.seriesRange);
    for (const issue of chunk) {
      const own = numbers.get(issue.id);
      if (own) listed.push({ ...issue, numbers: own });
    }
  }
  return listed;
}

async function passingCounts(
  stores: IssueStores,
  request: IssueListRequest,
  filter: StateFilter,
  issues: readonly IssueRow[],
): Promise<readonly IssueRow[]> {
  if (!filter.counts.length) return issues;
  const passing: IssueRow[] = [];
  for (const chunk of chunksOf(issues, livesChunk)) {
    const lives = await lifetimesOf(stores, chunk, request.signal);
    for (const issue of chunk) {
      const life = lives.get(issue.id);
      if (life && filter.counts.every((passes) => passes(life))) passing.push(issue);
    }
  }
  return passing;
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
