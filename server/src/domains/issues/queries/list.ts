/**
 * The issue list. Four ways to the issues of a page, the cheapest that can answer:
 *
 * 1. Last or first seen, no terms about events, no environment, up to now: the index of the state store has the order,
 *    the events store fills in the numbers of the page.
 * 2. Few issues are left by the terms about issues: all of them, numbers filled in, sorted here.
 * 3. By a bound (bounded.ts): the index of the state store again, daily counts or events, with more candidates than
 *    rows; for environments, past times, and searches that mix issues and events under one OR.
 * 4. The events store ranks hashes by the events that fulfil the search, and the state store says, a chunk at a time,
 *    whose they are and whether the issue passes. Their numbers come with them, or, where events are many, afterwards.
 *    An issue that owns several hashes is placed by the first of them, and put right within its page.
 *
 * Issues without an event within the filter are left out.
 */
import { chunksOf } from '../../../base/chunks.ts';
import type { TimeRange } from '../../../base/time-range.ts';
import type { Cursor, IssueListRequest, IssueRow, IssueSort, IssueStores, ListedIssue, Page } from '../types.ts';
import { chunksByDays, chunksByEvents, chunksByIndex, listByBound } from './bounded.ts';
import { type CandidateRequest, fewCandidates, findCandidates, type OrderColumn } from './candidates.ts';
import { rankWithNumbers } from './event-numbers.ts';
import { refuseExpensive } from './expensive.ts';
import { estimatesOf } from './estimate.ts';
import { eventsAround } from './extent.ts';
import {
  expectNumbers,
  pageAt,
  pageOfSorted,
  passingCounts,
  sortListed,
  withNumbers,
  withRankedNumbers,
} from './listed.ts';
import { rankByEvents, type RankedHash, rankingWindows, type Stretch } from './ranking.ts';
import { passingOwners } from './rows-of-hashes.ts';
import { planSearch, type SearchPlan, type StateFilter } from './state-filter.ts';

/** Up to here it is cheaper to fill in all issues that pass than to choose among them. */
const fewIssues = 200;
/** Candidates tried in the order of the index before the events are asked instead. */
const maxTried = 1_000;
/** Issues behind a page that are made ready for when they get events. */
const behindPage = 100;
/** Candidates looked at for one page before it is given out as it is, with a cursor to go on from. */
const maxCandidates = 5_000;
/** Hashes ranked at once, then the next so many. */
const rankChunks = [250, 1_000, 5_000, 20_000];
const maxRanked = 100_000;
/** Events of the range up to which order and numbers of everything are cheaper than the order, then those of a page. */
const mostAtOnce = { date: 1_500_000, freq: 3_000_000, user: 3_000_000, trends: 3_000_000 } as const;

const emptyPage: Page<ListedIssue> = { rows: [], next: undefined, previous: undefined };

export async function listIssues(stores: IssueStores, asked: IssueListRequest): Promise<Page<ListedIssue>> {
  const planned = planSearch(asked.root, asked.projects, asked.nowMs);
  const filter = await withIssues(stores.state, planned.filter);
  if (!filter.projects.length || !filter.statuses.length) return emptyPage;
  const request = { ...asked, projects: filter.projects };
  const plan: SearchPlan = { ...planned, filter };
  return withEstimates(stores, request, plan, await pageOf(stores, request, plan));
}

async function pageOf(stores: IssueStores, request: IssueListRequest, plan: SearchPlan): Promise<Page<ListedIssue>> {
  const { sort } = request;
  const { filter } = plan;
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

/** How sure the counts are, of projects that had a storm within the range. */
async function withEstimates(
  { state }: IssueStores,
  { projects, range, environments }: IssueListRequest,
  { rows, mixed }: SearchPlan,
  page: Page<ListedIssue>,
): Promise<Page<ListedIssue>> {
  const estimates = await estimatesOf(
    state,
    page.rows.map(({ id, projectId, numbers: { count } }) => ({ id, projectId, count })),
    {
      sampledUntil: new Map(projects.map(({ id, sampledUntil }) => [id, sampledUntil])),
      fromMs: range.startMs,
      untilMs: range.open ? Infinity : range.endMs,
      isPart: rows !== undefined || mixed !== undefined || environments.length > 0,
    },
  );
  if (estimates.size === 0) return page;
  return { ...page, rows: page.rows.map((issue) => ({ ...issue, estimate: estimates.get(issue.id) })) };
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
  if (order === 'last_seen' && !request.cursor && over) {
    const of = { filter, order, ...seenIn(request), limit: page.length + behindPage };
    expectNumbers(stores, request, async () => (await findCandidates(stores.state, of)).slice(page.length));
  }
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
  const { sort, range } = request;
  if (sort !== 'new' && (eventsAround(stores.events, request) ?? 0) <= mostAtOnce[sort]) {
    return listNumbered(stores, request, plan, sort);
  }
  const [newest = range, ...older] = rankingWindows(range, sort);
  const issues = await rankedIn(stores, request, plan, newest);
  // What is too rare to fill a page from the newest window is found in all of them at once.
  if (sort === 'date' && older.length && !fillsPage(issues, request)) return listNumbered(stores, request, plan, sort);
  const offset = request.cursor?.offset ?? 0;
  const rows = await withNumbers(stores, request, plan, issues.slice(offset, offset + request.limit));
  return pageAt(sortListed(rows, sort), request, issues.length);
}

const fillsPage = (issues: readonly IssueRow[], { cursor, limit }: IssueListRequest): boolean =>
  issues.length > (cursor?.offset ?? 0) + limit;

/** In the order of the list. */
async function rankedIn(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
  range: TimeRange,
): Promise<readonly IssueRow[]> {
  const { sort } = request;
  const { issues } = await rankedIssues(
    stores,
    request,
    plan,
    (stretch) => rankByEvents(stores, { ...request, range, rows: plan.rows }, stretch),
    // When an issue was first seen is not what the events say, so all that are found are sorted afterwards.
    sort === 'new' ? rankChunks.slice(-1) : rankChunks,
  );
  return sort === 'new' ? issues.toSorted((a, b) => b.firstSeen - a.firstSeen || a.id - b.id) : issues;
}

/** Order and numbers in one pass over all events of the range. */
async function listNumbered(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
  sort: Exclude<IssueSort, 'new'>,
): Promise<Page<ListedIssue>> {
  const { limit, cursor, range, seriesRange = range } = request;
  const offset = cursor?.offset ?? 0;
  const filter = { ...request, sort, rows: plan.rows, halves: sort === 'trends' };
  const { issues, hashes } = await rankedIssues(
    stores,
    request,
    plan,
    (stretch) => rankWithNumbers(stores, filter, seriesRange, stretch),
    [2 * (offset + limit + 1), ...rankChunks.slice(1)],
  );
  const page = issues.slice(offset, offset + limit);
  const rows = await withRankedNumbers(stores, request, plan, page, hashes);
  return pageAt(sortListed(rows, sort), request, issues.length);
}

/** Issues that pass, in the order of the hashes that they own; as many as the page needs, if there are. */
async function rankedIssues<Hash extends RankedHash>(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
  rank: (stretch: Stretch) => Promise<readonly Hash[]>,
  sizes: readonly number[],
): Promise<{ readonly issues: IssueRow[]; readonly hashes: readonly Hash[] }> {
  const wanted = (request.cursor?.offset ?? 0) + request.limit + 1;
  const taken = new Set<number>();
  const issues: IssueRow[] = [];
  const hashes: Hash[] = [];
  for (let step = 0, more = true; more && issues.length < wanted && hashes.length < maxRanked; step += 1) {
    const limit = sizes[Math.min(step, sizes.length - 1)] ?? 0;
    const found = await rank({ limit, offset: hashes.length });
    more = found.length === limit;
    hashes.push(...found);
    const owning = (await passingOwners(stores.state, plan.filter, found)).filter((issue) => !taken.has(issue.id));
    for (const issue of owning) taken.add(issue.id);
    issues.push(...(await passingCounts(stores, request, plan, owning)));
  }
  return { issues, hashes };
}
