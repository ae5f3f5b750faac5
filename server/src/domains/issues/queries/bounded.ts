/**
 * Lists by an order that is only known once an issue's numbers are: candidates come by a bound that is never below
 * what they are sorted by (the last event of all for the last one of an environment, the events of whole days for those
 * of a range, events for users, events that fulfil more for those that fulfil less). So once the page is full with
 * values not below the next bound, it is the true page, and nothing else was looked at.
 */
import type { IssueListRequest, IssueRow, IssueStores, ListedIssue, Page } from '../types.ts';
import { type CandidateRequest, findCandidates } from './candidates.ts';
import { eventsAround } from './extent.ts';
import { pageOfSorted, sortListed, sortValue, withNumbers } from './listed.ts';
import { type BoundedHash, rankByDays, rankByEvents, rankByRise, rankingWindows } from './ranking.ts';
import { passingIssues, passingOwners } from './rows-of-hashes.ts';
import type { SearchPlan } from './state-filter.ts';

export interface CandidateChunk {
  readonly issues: readonly IssueRow[];
  /** Of all that comes after this chunk; undefined when nothing does. */
  readonly bound: number | undefined;
}

export interface Bounded {
  readonly page: Page<ListedIssue>;
  /** False when there may be issues that belong before the page's end; nothing more was looked at. */
  readonly certain: boolean;
}

/** Looks at `most` candidates or a few more. */
export async function listByBound(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
  chunks: AsyncIterable<CandidateChunk>,
  most: number,
): Promise<Bounded> {
  const wanted = (request.cursor?.offset ?? 0) + request.limit + 1;
  let kept: ListedIssue[] = [];
  let looked = 0;
  let certain = true;
  for await (const { issues, bound } of chunks) {
    kept = sortListed([...kept, ...(await withNumbers(stores, request, plan, issues))], request.sort);
    looked += issues.length;
    const last = kept[wanted - 1];
    if (bound === undefined || (last && sortValue(last, request.sort) >= bound)) break;
    certain = looked < most;
    if (!certain) break;
  }
  return { page: pageOfSorted(kept, request), certain };
}

/** By the last or first event of the issue. */
export async function* chunksByIndex(
  stores: IssueStores,
  request: Omit<CandidateRequest, 'limit' | 'from'>,
  firstSize: number,
): AsyncGenerator<CandidateChunk> {
  let from: CandidateRequest['from'];
  for (let size = firstSize; ; size = Math.min(size * 2, 500)) {
    const issues = await findCandidates(stores.state, { ...request, from, limit: size });
    const edge = issues.at(-1);
    if (!edge) return;
    const value = request.order === 'first_seen' ? edge.firstSeen : edge.lastSeen;
    yield { issues, bound: issues.length < size ? undefined : value };
    from = { value, offset: edge.id, previous: false };
  }
}

/** Events of the range up to which one statement over all of them is cheaper than one for each window. */
const mostAtOnce = 500_000;

/** The ranking costs the same however many of it are read; owners are looked up for what is needed. */
const ranked = { limit: 5_000, offset: 0 };

/** By the events of the days that the range touches. */
export async function* chunksByDays(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
): AsyncGenerator<CandidateChunk> {
  const rank = request.sort === 'trends' ? rankByRise : rankByDays;
  const { hashes, gained } = await rank(stores, request, ranked);
  // Their bounds may lie below what they have by now.
  const issues = gained.size ? await passingIssues(stores.state, plan.filter, gained) : [];
  yield* chunksOfHashes(stores, request, plan, hashes, { issues });
}

/** By the events that may fulfil the search. Without an order of their own, all that are ranked come by first event. */
export async function* chunksByEvents(
  stores: IssueStores,
  request: IssueListRequest,
  plan: SearchPlan,
): AsyncGenerator<CandidateChunk> {
  const taken = new Set<number>();
  const few = (eventsAround(stores.events, request) ?? 0) <= mostAtOnce;
  const windows = few ? [request.range] : rankingWindows(request.range, request.sort);
  for (const [index, range] of windows.entries()) {
    const asked = { ...request, range, rows: plan.rows };
    const hashes = await rankByEvents(stores, asked, request.sort === 'new' ? { limit: 20_000, offset: 0 } : ranked);
    const last = index === windows.length - 1;
    if (request.sort === 'new') yield* chunksByFirst(await passingOwners(stores.state, plan.filter, hashes), request);
    // What comes in an older window was last seen before this one began.
    else yield* chunksOfHashes(stores, request, plan, hashes, { taken, after: last ? undefined : range.startMs });
  }
}

function* chunksByFirst(issues: readonly IssueRow[], { limit }: IssueListRequest): Generator<CandidateChunk> {
  const newest = issues.toSorted((a, b) => b.firstSeen - a.firstSeen || a.id - b.id);
  for (let at = 0, size = limit * 2; at < newest.length; size *= 2) {
    const chunk = newest.slice(at, at + size);
    at += size;
    yield { issues: chunk, bound: newest[at]?.firstSeen };
  }
}

interface Beside {
  /** Which were looked at before. */
  readonly taken?: Set<number>;
  /** Which are looked at in any case. */
  readonly issues?: readonly IssueRow[];
  /** Bound of what comes after all of these. */
  readonly after?: number | undefined;
}

async function* chunksOfHashes(
  stores: IssueStores,
  { limit }: IssueListRequest,
  { filter }: SearchPlan,
  hashes: readonly BoundedHash[],
  { taken = new Set(), issues: first = [], after }: Beside,
): AsyncGenerator<CandidateChunk> {
  let issues = [...first];
  for (const { id } of first) taken.add(id);
  for (let at = 0, size = limit * 2, looked = size; at < hashes.length; looked *= 2) {
    const chunk = hashes.slice(at, at + looked);
    at += looked;
    for (const issue of await passingOwners(stores.state, filter, chunk)) {
      if (taken.has(issue.id)) continue;
      taken.add(issue.id);
      issues.push(issue);
    }
    const isLast = at >= hashes.length;
    // The state store is asked again, which costs little, before the events are asked about few.
    if (issues.length < size && !isLast) continue;
    yield { issues, bound: isLast ? after : chunk.at(-1)?.bound };
    issues = [];
    size *= 2;
  }
  if (issues.length) yield { issues, bound: after };
}
