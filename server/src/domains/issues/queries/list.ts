/**
 * The issue list. Four ways to the issues of a page, the cheapest that can answer:
 *
 * 1. Last or first seen, no terms about events, no environment, up to now: the index of the state store has the order,
 *    the events store fills in the numbers of the page.
 * 2. Few issues are left by the terms about issues: all of them, numbers filled in, sorted here.
 * 3. By a bound (bounded.ts): the index of the state store again, daily counts or events, with more candidates than
 *    rows; for environments, past times, and searches that mix issues and events under one OR.
 * 4. The events store ranks hashes by the events that fulfil the search, and the state store says, a chunk at a time,
 *    whose they are and whether the issue passes. An issue that owns several hashes is placed by the first of them,
 *    and put right within its page.
 *
 * Issues without an event within the filter are left out.
 */
import { chunksOf } from '../../../base/chunks.ts';
import type { Cursor, IssueListRequest, IssueRow, IssueStores, ListedIssue, Page } from '../types.ts';
import { chunksByDays, chunksByEvents, chunksByIndex, listByBound } from './bounded.ts';
import { type CandidateRequest, fewCandidates, findCandidates, type OrderColumn } from './candidates.ts';
import { refuseExpensive } from './expensive.ts';
import { pageAt, pageOfSorted, passingCounts, sortListed, withNumbers } from './listed.ts';
import { rankByEvents, rankingWindows } from './ranking.ts';
import { passingOwners } from './rows-of-hashes.ts';
import { planSearch, type SearchPlan, type StateFilter } from './state-filter.ts';

/** Up to here it is cheaper to fill in all issues that pass than to choose among them. */
const fewIssues = 200;
/** Candidates tried in the order of the index before the events are asked instead. */
const maxTried = 1_000;
/** Candidates looked at for one page before it is given out as it is, with a cursor to go on from. */
const maxCandidates = 5_000;
/** Hashes ranked at once, then the next so many. */
const rankChunks = [250, 1_000, 5_000, 20_000];
const maxRanked = 100_000;

const emptyPage: Page<ListedIssue> = { rows: [], next: undefined, previous: undefined };

export async function listIssues(stores: IssueStores, asked: IssueListRequest): Promise<Page<ListedIssue>> {
  const planned = planSearch(asked.root, asked.projects, asked.nowMs);
  const filter = await withIssues(stores.state, planned.filter);
  if (!filter.projects.length || !filter.statuses.length) return emptyPage;
  const request = { ...asked, projects: filter.projects };
  const plan: SearchPlan = { ...planned, filter };
  const { sort } = request;
  const order: OrderColumn | undefined = sort === 'date' ? 'last_seen' : sort === 'new' ? 'first_seen' : undefined;
  if (order && !plan.rows && !plan.mixed && !request.environments.length && request.range.open) {
    return listByIndex(stores, request, plan, order);
  }
  const seen = seenIn(request);
  const few = filter.narrow ? await fewCandidates(stores.state, { filter, ...seen }, fewIssues) : undefined;
  if (few) return pageOfSorted(sortListed(await withNumbers(stores, request, plan, few), sort), request);
  await refuseExpensive(stores, plan.rows, { ...request, projectIds: request.projects.map((project) => project.id) });
  if (plan.rows && !plan.mixed) return listByEvents(stores, request, plan);
  const ofEvents = plan.rows !== undefined || (sort === 'trends' && request.range.grain === 'ms');
  const chunks = ofEvents
    ? chunksByEvents(stores, request, plan)
    : order
      ? chunksByIndex(stores, { filter, order, ...seen }, request.limit + 15)
      : chunksByDays(stores, request, plan);
  const most = Math.max(order ? maxTried : maxCandidates, plan.mixed ? request.limit : 0);
  const { page, certain } = await listByBound(stores, request, plan, chunks, most);
  // An environment that few events are of: reading its events is cheaper than trying issue after issue.
  return certain || plan.mixed ? page : listByEvents(stores, request, plan);
}

/** Without the projects that have no issue: one project is cheaper to ask for than several. */
async function withIssues(state: IssueStores['state'], filter: StateFilter): Promise<StateFilter> {
  if (filter.projects.length < 2) return filter;
  const filled = new Set<number>();
  for (const chunk of chunksOf(filter.projects.map((project) => project.id))) {
    const query = state.db.selectFrom('project').select('id').where('id', 'in', chunk);
    for (const row of await query.where('next_issue_number', '>', 1).execute()) filled.add(row.id);
  }
  return { ...filter, projects: filter.projects.filter((project) => filled.has(project.id)) };
}

const seenIn = ({ range }: IssueListRequest): Pick<CandidateRequest, 'seenFrom' | 'seenUntil'> => ({
  seenFrom: range.startMs,
  seenUntil: range.open ? Infinity : range.endMs,
});

async function listByIndex(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
  order: OrderColumn,
): Promise<Page<ListedIssue>> {
  const place = (issue: IssueRow, previous: boolean): Cursor => ({
    value: order === 'first_seen' ? issue.firstSeen : issue.lastSeen,
    offset: issue.id,
    previous,
  });
  const { filter } = plan;
  const backwards = request.cursor?.previous ?? false;
  let rows: ListedIssue[] = [];
  let from = request.cursor;
  let more = true;
  for (let looked = 0, size = request.limit + 1; more && rows.length <= request.limit && looked < maxCandidates;) {
    const candidates = await findCandidates(stores.state, { filter, order, ...seenIn(request), from, limit: size });
    const filled = await withNumbers(stores, request, plan, candidates);
    rows = backwards ? [...filled, ...rows] : [...rows, ...filled];
    more = candidates.length === size;
    const edge = backwards ? candidates[0] : candidates.at(-1);
    if (edge) from = place(edge, backwards);
    looked += candidates.length;
    size = Math.min(size * 4, filter.counts.length ? 2_000 : 500);
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

async function listByEvents(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
): Promise<Page<ListedIssue>> {
  const { filter, rows } = plan;
  const offset = request.cursor?.offset ?? 0;
  const wanted = offset + request.limit + 1;
  const taken = new Set<number>();
  const ranked: IssueRow[] = [];
  // When an issue was first seen is not what the events say, so all that are found are sorted afterwards.
  const chunks = request.sort === 'new' ? rankChunks.slice(-1) : rankChunks;
  for (const range of rankingWindows(request.range, request.sort)) {
    let looked = 0;
    for (let step = 0, more = true; more && ranked.length < wanted && looked < maxRanked; step += 1) {
      const limit = chunks[Math.min(step, chunks.length - 1)] ?? 0;
      const hashes = await rankByEvents(stores, { ...request, range, rows }, { limit, offset: looked });
      more = hashes.length === limit;
      looked += limit;
      const issues = (await passingOwners(stores.state, filter, hashes)).filter((issue) => !taken.has(issue.id));
      for (const issue of issues) taken.add(issue.id);
      ranked.push(...(await passingCounts(stores, request, plan, issues)));
    }
  }
  if (request.sort === 'new') ranked.sort((a, b) => b.firstSeen - a.firstSeen || a.id - b.id);
  const page = await withNumbers(stores, request, plan, ranked.slice(offset, offset + request.limit));
  return pageAt(sortListed(page, request.sort), request, ranked.length);
}
