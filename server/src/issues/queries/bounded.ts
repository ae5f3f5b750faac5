/**
 * Lists by an order that is only known once an issue's numbers are: candidates come by a bound that is never below
 * what they are sorted by (the last event of all for the last one of an environment, the events of whole days for those
 * of a range, events for users). So once the page is full with values not below the next bound, it is the true page,
 * and nothing else was looked at.
 */
import type { IssueListRequest, IssueRow, IssueStores, ListedIssue, Page } from '../types.ts';
import { type CandidateRequest, findCandidates } from './candidates.ts';
import { pageOfSorted, sortListed, sortValue, withNumbers } from './listed.ts';
import { rankByDays } from './ranking.ts';
import { passingOwners } from './rows-of-hashes.ts';
import type { StateFilter } from './state-filter.ts';

export interface CandidateChunk {
  readonly issues: readonly IssueRow[];
  /** Of all that comes after this chunk; undefined when nothing does. */
  readonly bound: number | undefined;
}

/** Undefined when the page is not certain after `most` candidates. */
export async function listByBound(
  stores: IssueStores,
  request: IssueListRequest,
  filter: StateFilter,
  chunks: AsyncIterable<CandidateChunk>,
  most: number,
): Promise<Page<ListedIssue> | undefined> {
  const wanted = (request.cursor?.offset ?? 0) + request.limit + 1;
  let kept: ListedIssue[] = [];
  let looked = 0;
  for await (const { issues, bound } of chunks) {
    kept = sortListed([...kept, ...(await withNumbers(stores, request, filter, issues))], request.sort);
    looked += issues.length;
    const last = kept[wanted - 1];
    if (bound === undefined || (last && sortValue(last, request.sort) >= bound)) return pageOfSorted(kept, request);
    if (looked >= most) return undefined;
  }
  return pageOfSorted(kept, request);
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

/** By the events of the days that the range touches. */
export async function* chunksByDays(
  stores: IssueStores,
  request: IssueListRequest,
  filter: StateFilter,
): AsyncGenerator<CandidateChunk> {
  const taken = new Set<number>();
  // The ranking costs the same however many of it are read; owners are looked up for what is needed.
  const hashes = await rankByDays(stores, request, { limit: 5_000, offset: 0 });
  for (let at = 0, size = request.limit * 2; at < hashes.length; size *= 2) {
    const chunk = hashes.slice(at, at + size);
    at += size;
    const issues = (await passingOwners(stores.state, filter, chunk)).filter((issue) => !taken.has(issue.id));
    for (const issue of issues) taken.add(issue.id);
    yield { issues, bound: at < hashes.length ? chunk.at(-1)?.bound : undefined };
  }
}
