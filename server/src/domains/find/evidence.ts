/** What is known when a digest leads nowhere: whether the server reports at all, and what may have kept the event away. */
import type { VisibleProject } from '../issues/index.ts';
import { issuesOfHashes, hashKey, recentIssues } from '../issues/index.ts';
import { countOutcomes } from '../outcomes/index.ts';
import { lastPeriod } from '../../base/time-range.ts';
import { type Framework, frameworkOf } from './framework.ts';
import { anyDigest, type Match } from './matches.ts';
import { readNewest } from './newest.ts';
import type { FindStores, Sighting } from './types.ts';

export interface Dropped {
  readonly projectId: number;
  readonly outcome: string;
  readonly reason: string;
  readonly quantity: number;
}

export interface Evidence {
  readonly host: string | undefined;
  /** Whether one of the newest events came from there. */
  readonly hostKnown: boolean;
  /** Those that know the host first. */
  readonly projects: readonly VisibleProject[];
  /** Start of the hour that the next two are about. */
  readonly since: number;
  readonly serverErrors: readonly Sighting[];
  readonly dropped: readonly Dropped[];
  readonly lastServerEvent: Match | undefined;
  readonly lastEvent: Match | undefined;
  readonly digests: { readonly seen: boolean; readonly last: Match | undefined };
  readonly framework: Framework;
}

const hourMs = 3_600_000;
const taggingMs = 30 * 24 * hourMs;
/** Issues whose newest event is looked at, of all and of servers each. */
const recentLimit = 16;
const shownLimit = 10;

export interface EvidenceRequest {
  readonly projects: readonly VisibleProject[];
  readonly host: string | undefined;
  readonly nowMs: number;
}

export async function gatherEvidence(stores: FindStores, request: EvidenceRequest): Promise<Evidence> {
  const { projects, host, nowMs } = request;
  const projectIds = projects.map(({ id }) => id);
  const since = nowMs - hourMs;
  const [newest, outcomes, tagged] = await Promise.all([
    newestEvents(stores, projects),
    countOutcomes(stores.events, projectIds, lastPeriod('1h', nowMs)),
    anyDigest(stores.events, projectIds, nowMs - taggingMs),
  ]);
  const ofHost = host === undefined ? newest : newest.filter((event) => event.host === host);
  const hostKnown = host !== undefined && ofHost.length > 0;
  const knowing = new Set(ofHost.map(({ projectId }) => projectId));
  const likely = hostKnown ? newest.filter(({ projectId }) => knowing.has(projectId)) : newest;
  const servers = likely.filter(({ side }) => side === 'server');
  const onHost = servers.filter((event) => event.host === host);
  // A server behind a proxy may know itself by another name only: then what its project sent counts.
  const server = onHost.length ? onHost : servers;
  const recent = server.filter(({ at }) => at >= since).slice(0, shownLimit);
  return {
    host,
    hostKnown,
    projects: projects.toSorted((a, b) => Number(knowing.has(b.id)) - Number(knowing.has(a.id))),
    since,
    serverErrors: await withIssues(stores, recent),
    dropped: outcomes.groups
      .filter(({ outcome, category }) => outcome !== 'accepted' && category === 'error')
      .map(({ projectId, outcome, reason, total }) => ({ projectId, outcome, reason, quantity: total })),
    lastServerEvent: server[0],
    lastEvent: likely[0],
    digests: { seen: tagged, last: newest.find(({ digest }) => digest !== '') },
    framework: frameworkOf(likely, projects.find(({ id }) => knowing.has(id)) ?? projects[0]),
  };
}

/** The newest event of each issue that was seen lately, the newest first. */
export async function newestEvents(
  { state, events }: FindStores,
  projects: readonly VisibleProject[],
  since = 0,
): Promise<Match[]> {
  const issues = (await recentIssues(state, projects, recentLimit)).filter(({ lastSeen }) => lastSeen >= since);
  const found = await readNewest(
    events,
    issues.map(({ projectId, hashes, lastSeen }) => ({ projectId, hashes, at: lastSeen })),
  );
  const owner = new Map(
    issues.flatMap((issue) => issue.hashes.map((hash) => [hashKey(issue.projectId, hash), issue.id])),
  );
  const seen = new Set<number>();
  return found.filter((event) => {
    const issue = owner.get(hashKey(event.projectId, event.hash));
    if (issue === undefined || seen.has(issue)) return false;
    seen.add(issue);
    return true;
  });
}

/** Events whose issue is known, with it. */
export async function withIssues({ state }: FindStores, events: readonly Match[]): Promise<Sighting[]> {
  const issues = await issuesOfHashes(state, events);
  return events.flatMap((event) => {
    const issue = issues.get(hashKey(event.projectId, event.hash));
    return issue ? [{ issue, event }] : [];
  });
}
