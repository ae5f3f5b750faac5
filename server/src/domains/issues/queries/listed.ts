/** From candidates to rows of a list: numbers filled in, sorted, cut into pages. */
import { chunksOf } from '../../../base/chunks.ts';
import type { IssueListRequest, IssueNumbers, IssueRow, IssueSort, IssueStores, ListedIssue, Page } from '../types.ts';
import { type AskedAlike, eventNumbersOf, type NumberedHash, withLife } from './event-numbers.ts';
import { hashKey, ownersOf } from '../rows.ts';
import { riseOf } from './halves.ts';
import { expectNumbersOf, knownNumbersOf } from './known-numbers.ts';
import { livesOf } from './lives.ts';
import type { SearchPlan } from './state-filter.ts';
import { keyOfReduced, type Reduced } from './tree.ts';

/** Issues filled in with one query. */
const numbersChunk = 500;

/** Leaves out issues without an event within the filter, and those that the terms about them refuse. */
export async function withNumbers(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
  issues: readonly IssueRow[],
): Promise<ListedIssue[]> {
  const groups = await divided(stores, request, plan, issues);
  const searched = groups.filter(({ rows }) => rows !== undefined);
  const together = searched.flatMap((group) => group.issues).length > numbersChunk ? chunked(searched) : [searched];
  const filter = { ...request, halves: request.sort === 'trends' };
  const { range, seriesRange = range } = request;
  const found = await Promise.all([
    ...together.map((asked) => eventNumbersOf(stores, asked, filter, seriesRange)),
    ...chunked(groups.filter(({ rows }) => rows === undefined)).map(([{ rows, issues: all }]) =>
      knownNumbersOf(stores, all, { ...filter, rows }, seriesRange),
    ),
  ]);
  const numbers = new Map(found.flatMap((some): [number, IssueNumbers][] => [...some]));
  return issues.flatMap((issue) => {
    const own = numbers.get(issue.id);
    return own ? [{ ...issue, numbers: own }] : [];
  });
}

/** Of a list without terms about events: those behind its page, which come to its top with their next event. */
export function expectNumbers(
  stores: IssueStores,
  request: IssueListRequest,
  behind: () => Promise<readonly IssueRow[]>,
): void {
  const { range, seriesRange = range } = request;
  const filter = { ...request, halves: request.sort === 'trends', rows: undefined };
  expectNumbersOf(stores, filter, seriesRange, async () => (await behind()).map(({ id }) => id));
}

/** The same of issues whose hashes were ranked with their numbers. */
export async function withRankedNumbers(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
  issues: readonly IssueRow[],
  hashes: readonly NumberedHash[],
): Promise<ListedIssue[]> {
  const ofHash = new Map(hashes.map((hash) => [hashKey(hash.project_id, hash.group_hash), hash.numbers]));
  const owned = new Map<number, string[]>();
  const ids = issues.map(({ id }) => id);
  for (const [key, id] of await ownersOf(stores.state, ids)) owned.set(id, [...(owned.get(id) ?? []), key]);
  // Users of several hashes may be the same.
  const isOfOneHash = ({ id }: IssueRow): boolean => owned.get(id)?.length === 1;
  const [simple, several] = [issues.filter(isOfOneHash), issues.filter((issue) => !isOfOneHash(issue))];
  const [lives, others] = await Promise.all([
    livesOf(stores, simple, request.signal),
    withNumbers(stores, request, plan, several),
  ]);
  const listed = simple.flatMap((issue) => {
    const numbers = ofHash.get(owned.get(issue.id)?.[0] ?? '');
    return numbers ? [{ ...issue, numbers: withLife(numbers, lives.get(issue.id)) }] : [];
  });
  return [...listed, ...others];
}

/** Each small enough for a query of its own. */
const chunked = (groups: readonly Alike[]): (readonly [Alike])[] =>
  groups.flatMap(({ rows, issues }) =>
    [...chunksOf(issues, numbersChunk)].map((some) => [{ rows, issues: some }] as const),
  );

interface Alike extends AskedAlike {
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
