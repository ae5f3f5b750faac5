/** What a brief is made of: the event, its trace, the releases with their commits, what became of similar issues. */
import {
  type BriefCommit,
  type BriefEvent,
  type BriefFacts,
  type BriefFix,
  type BriefReleases,
  limits,
} from '../../domains/brief/index.ts';
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { findSuspects, listCommits } from '../../domains/releases/index.ts';
import { linkContext, listCodeMappings } from '../../domains/repositories/index.ts';
import { things } from '../../base/texts/things.ts';
import { topFrameOf } from '../events/frames.ts';
import { toEvent } from '../events/shapes.ts';
import { permalinkOf, shortIdOf } from '../issues/shapes.ts';
import { toReleaseCommit, toSuspects } from '../releases/shapes.ts';
import type { ApiDeps } from '../shared/deps.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import { toExcerpt } from '../traces/excerpt-shapes.ts';
import { readWaterfall } from '../traces/read.ts';

type Deps = Pick<ApiDeps, 'state' | 'events' | 'known' | 'getUrl'>;

interface Asked {
  readonly issue: issues.IssueRow;
  readonly project: Project;
  readonly membership: Membership;
  /** `latest`, `oldest`, `recommended` or an id. */
  readonly which: string;
  /** Empty: all. */
  readonly environments: readonly string[];
}

export async function briefFacts(deps: Deps, asked: Asked): Promise<BriefFacts> {
  const { state, events, getUrl } = deps;
  const { issue, project, environments } = asked;
  const hashes = await issues.hashesOf(state, issue.id);
  const nowMs = Date.now();
  const [totals, event, similar] = await Promise.all([
    issues.issueTotals({ events }, issue, hashes, environments, nowMs),
    eventOf(deps, asked, hashes, nowMs),
    fixesOf(deps, issue, project),
  ]);
  const [trace, releases, estimate] = await Promise.all([
    traceOf(deps, asked.membership, event),
    releasesOf(deps, asked, event),
    issues.estimateOfTotals(deps, asked, environments, totals),
  ]);
  return {
    issue: {
      shortId: shortIdOf(issue, project),
      title: issue.title,
      culprit: issue.culprit,
      url: permalinkOf(issue, { project, baseUrl: getUrl() }),
      project: project.slug,
      status: issue.status,
      substatus: issue.substatus,
      level: issue.level,
      events: totals.count,
      estimated: estimate ?? null,
      users: totals.userCount,
      firstSeen: iso(issue.firstSeen),
      lastSeen: iso(issue.lastSeen),
    },
    event: event satisfies BriefEvent | undefined,
    trace,
    releases,
    similar,
  };
}

type ShownEvent = ReturnType<typeof toEvent>;

/** Undefined where none is stored any more; one that was named must be there. */
async function eventOf(
  { state, events }: Deps,
  { issue, project, which, environments }: Asked,
  hashes: readonly string[],
  nowMs: number,
): Promise<ShownEvent | undefined> {
  const stored =
    which === 'latest' || which === 'oldest' || which === 'recommended'
      ? await issues.pickEvent({ events }, { projectId: project.id, hashes, environments, nowMs }, which)
      : await namedEvent({ events }, project.id, which, hashes);
  return stored && toEvent(stored, issue.id, undefined, await linkContext(state, project, stored.release));
}

async function namedEvent({ events }: Pick<Deps, 'events'>, projectId: number, id: string, hashes: readonly string[]) {
  const row = await issues.findRow({ events }, [projectId], id, hashes);
  const event = row && (await issues.wholeEvent({ events }, row));
  if (!event) throw new CodedError('NOT_FOUND', [things.event(id)]);
  return event;
}

async function traceOf(
  deps: Deps,
  membership: Membership,
  event: ShownEvent | undefined,
): Promise<BriefFacts['trace']> {
  if (!event?.traceId) return undefined;
  const timestamp = Date.parse(event.dateCreated) / 1000;
  const waterfall = await readWaterfall(deps, membership, event.traceId, { project: [], timestamp });
  const span = event.occurrence?.evidenceData.offenderSpanIds ?? (event.spanId ? [event.spanId] : []);
  return toExcerpt(waterfall, { span, event: event.eventID, rows: limits.spans });
}

async function releasesOf(
  { state }: Deps,
  { issue, project }: Asked,
  event: ShownEvent | undefined,
): Promise<BriefReleases> {
  const { organizationId } = project;
  const frame = event && topFrameOf(event.entries);
  const mappings = await listCodeMappings(state, organizationId, [project.id]);
  const version = issue.firstRelease;
  const found = await findSuspects(state, organizationId, { version, frame, mappings });
  const { commits: suspects, problem } = toSuspects(found, frame, version);
  const page = { offset: 0, limit: limits.commits, fileLimit: limits.files, notIn: found.since?.id };
  const commits = found.release ? await listCommits(state, found.release.id, page) : [];
  return {
    first: version,
    last: issue.lastRelease,
    since: found.since?.version ?? null,
    commits: commits.slice(0, limits.commits).map((commit) => {
      const { files, ...shown } = toReleaseCommit(commit);
      return toBriefCommit(
        shown,
        files.map(({ path }) => path),
      );
    }),
    moreCommits: commits.length > limits.commits,
    suspects: suspects.map((suspect) => toBriefCommit(suspect, [suspect.file])),
    problem: problem?.detail ?? null,
  };
}

type ShownCommit = Omit<ReturnType<typeof toReleaseCommit>, 'files' | 'fileCount'>;

const toBriefCommit = (commit: ShownCommit, files: readonly string[]): BriefCommit => ({
  sha: commit.id,
  message: commit.message,
  author: commit.author?.name ?? '',
  at: commit.dateCreated,
  repository: commit.repository.name,
  url: commit.url,
  files,
});

/** The most alike first. */
async function fixesOf(deps: Deps, issue: issues.IssueRow, project: Project): Promise<BriefFix[]> {
  const similar = await issues.similarIssues(deps, issue);
  const resolved = similar.filter((one) => one.issue.status === 'resolved').slice(0, limits.fixes);
  return Promise.all(
    resolved.map(async ({ issue: other, score }) => {
      const activity = await issues.activityOf(deps.state, other.id);
      const how = activity.find(({ type }) => type.startsWith('set_resolved'));
      const said = (name: string): string | null => {
        const value = how?.data[name];
        return typeof value === 'string' && value !== '' ? value : null;
      };
      const { inRelease, inCommit } = other.statusDetails;
      return {
        shortId: shortIdOf(other, project),
        title: other.title,
        score: Math.round(score * 1000) / 1000,
        resolvedAt: isoOrNull(how?.createdAt ?? other.statusChangedAt),
        by: how?.user?.name ?? null,
        release: inRelease ?? said('version'),
        commit: inCommit?.commit ?? said('commit'),
        message: said('message'),
        comments: activity
          .flatMap(({ type, data }) => (type === 'note' && typeof data['text'] === 'string' ? [data['text']] : []))
          .slice(0, limits.comments),
      };
    }),
  );
}
