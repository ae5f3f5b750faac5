/** Answers of Find as the API gives them. */
import type { z } from 'zod';
import type {
  Answer,
  Cause,
  Evidence,
  Match,
  Sighting,
  SpanFacts,
  Tally,
  TiedTrace,
  TraceFacts,
  WatchRow,
} from '../../domains/find/index.ts';
import type { IssueRow } from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import type { FindAnswer, Watch } from './contract.ts';
import { toStacktrace } from '../events/entries.ts';
import { permalinkOf, shortIdOf, statusShown } from '../issues/shapes.ts';
import { iso } from '../shared/read.ts';

type AnswerShape = z.output<typeof FindAnswer>;
type CauseShape = Extract<AnswerShape, { kind: 'cause' }>['causes'][number];
type IssueShape = CauseShape['issue'];
type EventShape = CauseShape['event'];
type TraceShape = NonNullable<CauseShape['trace']>;
type EvidenceShape = Extract<AnswerShape, { kind: 'nothing' }>['evidence'];
type WatchShape = z.output<typeof Watch>;

export interface FindPlace {
  readonly projects: ReadonlyMap<number, Project>;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
  readonly query: string;
  /** What has been received and not processed yet. */
  readonly waiting: { readonly requests: number; readonly lagMs: number };
  /** The caller's watch for the digest. */
  readonly watch: WatchRow | undefined;
}

const shownLimit = 10;
const orNull = (text: string): string | null => (text === '' ? null : text);

export function toFindAnswer(answer: Answer, place: FindPlace): AnswerShape {
  const common = {
    query: place.query,
    understood: answer.understood.map(({ kind, value, start, end }) => ({ kind, value, start, end })),
  };
  switch (answer.kind) {
    case 'cause':
      return {
        kind: 'cause',
        ...common,
        ...matched(answer, place),
        causes: answer.causes.map((cause) => toCause(cause, place)),
        more: answer.more,
      };
    case 'browser_only':
      return {
        kind: 'browser_only',
        ...common,
        ...matched(answer, place),
        issue: answer.issue ? toFoundIssue(answer.issue, place) : null,
        evidence: toEvidence(answer.evidence, place),
      };
    case 'issue':
      return { kind: 'issue', ...common, issue: toFoundIssue(answer.issue, place) };
    case 'trace':
      return {
        kind: 'trace',
        ...common,
        matchedBy: answer.matchedBy,
        value: answer.value,
        trace: toTraceFacts(answer.trace, place),
      };
    case 'page':
      return {
        kind: 'page',
        ...common,
        host: answer.host ?? null,
        path: answer.path ?? null,
        issues: answer.issues.map((one) => toSighting(one, place)),
        evidence: toEvidence(answer.evidence, place),
      };
    case 'search':
      return { kind: 'search', ...common, search: answer.search };
    case 'nothing':
      return {
        kind: 'nothing',
        ...common,
        digest: answer.digest ?? null,
        evidence: toEvidence(answer.evidence, place),
      };
    case 'empty':
      return { kind: 'empty', ...common };
  }
}

function matched(answer: Extract<Answer, { kind: 'cause' | 'browser_only' }>, place: FindPlace) {
  return {
    matchedBy: answer.matchedBy,
    value: answer.value,
    host: answer.host ?? null,
    shown: {
      count: answer.shown.length,
      newest: answer.shown.slice(0, shownLimit).map((event) => toFoundEvent(event, undefined, place)),
    },
    traces: answer.traces.map(toTrace),
    ...toTally(answer),
  };
}

const toTally = ({ events, estimate, visits, firstSeen, lastSeen, releases }: Tally) => ({
  events,
  estimated: estimate ?? null,
  visits: { ...visits },
  firstSeen: iso(firstSeen),
  lastSeen: iso(lastSeen),
  releases: [...releases],
});

const toTrace = (trace: TiedTrace) => ({ ...trace, lastSeen: iso(trace.lastSeen) });

function toCause(cause: Cause, place: FindPlace): CauseShape {
  const { issue, event, thrown } = cause;
  const shown = toFoundIssue(issue, place);
  return {
    issue: shown,
    event: toFoundEvent(event, issue, place),
    permalink: eventLink(shown.permalink, event.eventId),
    exception:
      thrown && (thrown.type !== undefined || thrown.value !== undefined)
        ? { type: thrown.type ?? null, value: thrown.value ?? null }
        : null,
    frame: (thrown?.frame && toStacktrace({ frames: [thrown.frame] })?.frames[0]) ?? null,
    differs: cause.differs,
    trace: cause.trace ? toTraceFacts(cause.trace, place) : null,
    ...toTally(cause),
  };
}

function toTraceFacts(trace: TraceFacts, place: Pick<FindPlace, 'projects' | 'baseUrl'>): TraceShape {
  const { id, startUs, durationUs, spans, failed, services, root, span } = trace;
  const at = Math.floor(startUs / 1e6);
  return {
    id,
    start: iso(startUs / 1000),
    durationUs,
    spans,
    failed,
    services,
    root: toSpanFacts(root, place),
    span: span ? toSpanFacts(span, place) : null,
    permalink: `${place.baseUrl}/traces/${id}?${span ? `span=${span.id}&` : ''}at=${at}`,
  };
}

const toSpanFacts = (
  { projectId, ...span }: SpanFacts,
  place: Pick<FindPlace, 'projects'>,
): NonNullable<TraceShape['span']> => ({ ...span, project: toProject(projectId, place) });

const eventLink = (issueLink: string, eventId: string): string => `${issueLink}?event=${eventId}`;

function toProject(projectId: number, { projects }: Pick<FindPlace, 'projects'>): IssueShape['project'] {
  const project = projects.get(projectId);
  return {
    id: String(projectId),
    slug: project?.slug ?? '',
    name: project?.name ?? '',
    platform: project?.platform || null,
  };
}

function toFoundIssue(issue: IssueRow, place: Pick<FindPlace, 'projects' | 'baseUrl'>): IssueShape {
  const project = place.projects.get(issue.projectId);
  if (!project) throw new TypeError(`issue ${issue.id} belongs to a project outside the query`);
  return {
    id: String(issue.id),
    shortId: shortIdOf(issue, project),
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    status: statusShown(issue.status),
    permalink: permalinkOf(issue, { project, baseUrl: place.baseUrl }),
    project: toProject(issue.projectId, place),
    firstSeen: iso(issue.firstSeen),
    lastSeen: iso(issue.lastSeen),
    firstRelease: issue.firstRelease,
    lastRelease: issue.lastRelease,
  };
}

function toFoundEvent(event: Match, issue: IssueRow | undefined, place: FindPlace): EventShape {
  return {
    id: event.eventId,
    side: event.side,
    title: event.title,
    project: toProject(event.projectId, place),
    issueId: issue ? String(issue.id) : null,
    dateCreated: iso(event.at),
    digest: orNull(event.digest),
    traceId: orNull(event.traceId),
    spanId: orNull(event.spanId),
    environment: orNull(event.environment),
    release: orNull(event.release),
    transaction: orNull(event.transaction),
    url: orNull(event.url),
    host: orNull(event.host),
  };
}

const toSighting = ({ issue, event }: Sighting, place: FindPlace) => ({
  issue: toFoundIssue(issue, place),
  event: toFoundEvent(event, issue, place),
});

function toEvidence(evidence: Evidence, place: FindPlace): EvidenceShape {
  const { framework, digests } = evidence;
  const event = (one: Match | undefined): EventShape | null => (one ? toFoundEvent(one, undefined, place) : null);
  return {
    host: evidence.host ?? null,
    hostKnown: evidence.hostKnown,
    projects: evidence.projects.map(({ id }) => toProject(id, place)),
    since: iso(evidence.since),
    serverErrors: evidence.serverErrors.map((one) => toSighting(one, place)),
    dropped: evidence.dropped.map(({ projectId, ...one }) => ({
      projectSlug: place.projects.get(projectId)?.slug ?? '',
      ...one,
    })),
    lastServerEvent: event(evidence.lastServerEvent),
    lastEvent: event(evidence.lastEvent),
    digestTagging: { seen: digests.seen, last: event(digests.last) },
    framework: { ...framework, bundler: framework.bundler ?? null },
    waiting: { ...place.waiting },
    watch: place.watch ? toWatch(place.watch, place) : null,
  };
}

export function toWatch(watch: WatchRow, place: Pick<FindPlace, 'projects' | 'baseUrl'>): WatchShape {
  // Who does not see its project any more waits for it again.
  const found = watch.found && place.projects.has(watch.found.issue.projectId) ? watch.found : undefined;
  const issue = found && toFoundIssue(found.issue, place);
  return {
    id: String(watch.id),
    digest: watch.digest,
    host: watch.host ?? null,
    project:
      watch.projectId === undefined || !place.projects.has(watch.projectId) ? null : toProject(watch.projectId, place),
    dateCreated: iso(watch.createdAt),
    dateExpires: iso(watch.expiresAt),
    status: found ? 'found' : 'waiting',
    seen: watch.seen,
    found:
      found && issue
        ? {
            dateFound: iso(found.at),
            eventId: found.eventId,
            issueId: issue.id,
            shortId: issue.shortId,
            title: issue.title,
            permalink: eventLink(issue.permalink, found.eventId),
          }
        : null,
  };
}
