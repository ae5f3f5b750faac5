/**
 * The issue list. Three ways to the issues of a page, the cheapest that can answer:
 *
 * 1. Last or first seen, no terms about events, no environment, up to now: the index of the state store has the order;
 *    the events store fills in the numbers of the page.
 * 2. Few issues are left by the terms about issues: all of them, numbers filled in, sorted here.
 * 3. Else the events store ranks hashes, and the state store says, a chunk at a time, whose they are and whether the
 *    issue passes. An issue that owns several hashes is placed by the first of them, and put right within its page.
 *
 * Issues without an event within the filter are left out, so more candidates are read than rows wanted.
 */
import { isEventTerm } from '../../search/index.ts';
import type { Cursor, IssueListRequest, IssueRow, IssueStores, ListedIssue, Page } from '../types.ts';
import { type CandidateRequest, fewCandidates, findCandidates, type OrderColumn } from './candidates.ts';
import { numbersOf } from './numbers.ts';
import { type RankedHash, rankHashes } from './ranking.ts';
import type { State } from '../../state/state.ts';
import { chunksOf, hashKey, ownersOfHashes, toIssueRow } from './rows.ts';
import { type StateFilter, stateFilter } from './state-filter.ts';

/** Up to here it is cheaper to ask for all issues that pass than to rank everything. */
const fewIssues = 200;
/** Hashes ranked at once, then the next so many. */
const rankChunks = [250, 1_000, 5_000, 20_000];
/** Candidates looked at for one page before it is given out as it is, with a cursor to go on from. */
const maxCandidates = 5_000;
const maxRanked = 100_000;

const emptyPage: Page<ListedIssue> = { rows: [], next: undefined, previous: undefined };

export async function listIssues(stores: IssueStores, request: IssueListRequest): Promise<Page<ListedIssue>> {
  const filter = stateFilter(request.terms, request.projects, request.nowMs);
  if (!filter.projects.length || !filter.statuses.length) return emptyPage;
  const narrowed = { ...request, projects: filter.projects };
  const byIndex =
    (request.sort === 'date' || request.sort === 'new') &&
    request.range.open &&
    !request.environments.length &&
    !request.terms.some(isEventTerm);
  if (byIndex) return listByIndex(stores, narrowed, filter);
  const few = filter.narrow ? await fewCandidates(stores.state, { filter, ...seen(request) }, fewIssues) : undefined;
  return few ? listFew(stores, narrowed, filter, few) : listRanked(stores, narrowed, filter);
}

const seen = ({ range }: IssueListRequest): Pick<CandidateRequest, 'seenFrom' | 'seenUntil'> => ({
  seenFrom: range.startMs,
  seenUntil: range.open ? Infinity : range.endMs,
});

async function withNumbers(
  stores: IssueStores,
  request: IssueListRequest,
  filter: StateFilter,
  issues: readonly IssueRow[],
): Promise<ListedIssue[]> {
  const listed: ListedIssue[] = [];
  for (const chunk of chunksOf(issues, 500)) {
    const numbers = await numbersOf(stores, chunk, request, request.seriesRange);
    for (const issue of chunk) {
      const own = numbers.get(issue.id);
      if (own && filter.numbers.every((passes) => passes(own))) listed.push({ ...issue, numbers: own });
    }
  }
  return listed;
}

async function listByIndex(
  stores: IssueStores,
  request: IssueListRequest,
  filter: StateFilter,
): Promise<Page<ListedIssue>> {
  const order: OrderColumn = request.sort === 'new' ? 'first_seen' : 'last_seen';
  const place = (issue: IssueRow, previous: boolean): Cursor => ({
    value: order === 'first_seen' ? issue.firstSeen : issue.lastSeen,
    offset: issue.id,
    previous,
  });
  const backwards = request.cursor?.previous ?? false;
  let rows: ListedIssue[] = [];
  let from = request.cursor;
  let more = true;
  for (let looked = 0, size = request.limit + 1; more && rows.length <= request.limit && looked < maxCandidates;) {
    const candidates = await findCandidates(stores.state, { filter, order, ...seen(request), from, limit: size });
    const filled = await withNumbers(stores, request, filter, candidates);
    rows = backwards ? [...filled, ...rows] : [...rows, ...filled];
    more = candidates.length === size;
    const edge = backwards ? candidates[0] : candidates.at(-1);
    if (edge) from = place(edge, backwards);
    looked += candidates.length;
    size = Math.min(size * 2, 500);
  }
  const over = rows.length > request.limit;
  const page = over ? (backwards ? rows.slice(-request.limit) : rows.slice(0, request.limit)) : rows;
  const [first, last] = [page[0], page.at(-1)];
  // A page that was cut short for its cost goes on from where the looking stopped.
  const onward = over
    ? backwards
      ? first && place(first, true)
      : last && place(last, false)
    : more
      ? from
      : undefined;
  if (backwards) return { rows: page, previous: onward, next: last ? place(last, false) : undefined };
  return { rows: page, next: onward, previous: request.cursor && first ? place(first, true) : undefined };
}

function sortListed(rows: ListedIssue[], sort: IssueListRequest['sort']): ListedIssue[] {
  const value = ({ numbers, firstSeen }: ListedIssue): number => {
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
  };
  return rows.sort((a, b) => value(b) - value(a) || a.id - b.id);
}

/** Cursors of sorted lists count rows. `total` is how many are known to be there, counted from the first. */
function pageAt(rows: readonly ListedIssue[], { cursor, limit }: IssueListRequest, total: number): Page<ListedIssue> {
  const offset = cursor?.offset ?? 0;
  return {
    rows,
    next: total > offset + limit ? { value: 0, offset: offset + limit, previous: false } : undefined,
    previous: offset ? { value: 0, offset: Math.max(0, offset - limit), previous: true } : undefined,
  };
}

async function listFew(
  stores: IssueStores,
  request: IssueListRequest,
  filter: StateFilter,
  issues: readonly IssueRow[],
): Promise<Page<ListedIssue>> {
  const sorted = sortListed(await withNumbers(stores, request, filter, issues), request.sort);
  const offset = request.cursor?.offset ?? 0;
  return pageAt(sorted.slice(offset, offset + request.limit), request, sorted.length);
}

async function listRanked(
  stores: IssueStores,
  request: IssueListRequest,
  filter: StateFilter,
): Promise<Page<ListedIssue>> {
  const offset = request.cursor?.offset ?? 0;
  const wanted = offset + request.limit + 1;
  const taken = new Set<number>();
  const ranked: IssueRow[] = [];
  // When an issue was first seen is not what the ranking knows, so all that it finds is sorted afterwards.
  const chunks = request.sort === 'new' ? rankChunks.slice(-1) : rankChunks;
  let looked = 0;
  for (let step = 0, more = true; more && ranked.length < wanted && looked < maxRanked; step += 1) {
    const limit = chunks[Math.min(step, chunks.length - 1)] ?? 0;
    const hashes = await rankHashes(stores, { ...request, limit, offset: looked });
    more = hashes.length === limit;
    looked += limit;
    const issues = (await passingOwners(stores.state, filter, hashes)).filter((issue) => !taken.has(issue.id));
    for (const issue of issues) taken.add(issue.id);
    ranked.push(...(filter.numbers.length ? await withNumbers(stores, request, filter, issues) : issues));
  }
  if (request.sort === 'new') ranked.sort((a, b) => b.firstSeen - a.firstSeen || a.id - b.id);
  const page = await withNumbers(stores, request, filter, ranked.slice(offset, offset + request.limit));
  return pageAt(sortListed(page, request.sort), request, ranked.length);
}

/** The issues that own the hashes and pass the filter, each once, in the order of the hashes. */
async function passingOwners(state: State, filter: StateFilter, hashes: readonly RankedHash[]): Promise<IssueRow[]> {
  const owners = new Map<string, number>();
  for (const [projectId, ranked] of Map.groupBy(hashes, (hash) => hash.project_id)) {
    const names = ranked.map((hash) => hash.group_hash);
    for (const [hash, id] of await ownersOfHashes(state, projectId, names)) owners.set(hashKey(projectId, hash), id);
  }
  const issueIds = new Set(hashes.flatMap((hash) => owners.get(hashKey(hash.project_id, hash.group_hash)) ?? []));
  const passing = new Map<number, IssueRow>();
  for (const chunk of chunksOf([...issueIds])) {
    let query = state.db
      .selectFrom('issue')
      .selectAll()
      .where('id', 'in', chunk)
      .where('status', 'in', filter.statuses);
    for (const condition of filter.conditions) query = query.where((eb) => condition(eb));
    for (const row of await query.execute()) passing.set(row.id, toIssueRow(row));
  }
  return [...issueIds].flatMap((id) => passing.get(id) ?? []);
}
