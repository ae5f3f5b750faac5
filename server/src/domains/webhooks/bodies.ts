/**
 * What is sent, as Sentry's integration platform documents it: `{action, installation, data, actor}`, with what Culprit
 * has beside it. Pure. Texts of events were scrubbed when they came; all are cut, so that a body has an end.
 */
import { actionOf, type Resource, type WebhookEvent } from './events.ts';

/** Of any one text, characters. */
const longestText = 4_000;

const cut = (text: string, most = longestText): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

const iso = (ms: number): string => new Date(ms).toISOString();

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email?: string | undefined;
}

export interface ToldProject {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly platform: string | null;
}

export interface ToldIssue {
  readonly id: number;
  readonly shortId: string;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly platform: string;
  readonly type: string;
  readonly status: string;
  readonly substatus: string | null;
  readonly priority: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly count: number;
  /** If the count may be off by more than 1 %: its 95 % interval. */
  readonly estimated: { readonly low: number; readonly high: number } | null;
  readonly userCount: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly firstRelease: string | null;
  readonly lastRelease: string | null;
  readonly assignedTo: { readonly type: 'user' | 'team'; readonly id: string; readonly name: string } | null;
  readonly project: ToldProject;
}

/** One thing that happened, before it is known to which webhooks it goes. */
export interface Happening {
  /** The same for the same thing: `activity:12`. */
  readonly cause: string;
  readonly event: WebhookEvent;
  readonly resource: Resource;
  readonly organizationId: string;
  /** Of which it is; empty: of the whole organisation. */
  readonly projectIds: readonly number[];
  /** ms since the epoch. */
  readonly at: number;
  /** Null where nobody did it. */
  readonly actor: Person | null;
  readonly action?: string;
  readonly data: object;
}

const application = { type: 'application', id: 'culprit', name: 'Culprit' } as const;

/** JSON text. `installation` is the UUID of the webhook. */
export function bodyOf(happening: Happening, installation: string): string {
  const { event, actor, action = actionOf(event), data, at } = happening;
  return JSON.stringify({
    action,
    installation: { uuid: installation },
    data,
    actor: actor ? { type: 'user', id: actor.id, name: actor.name } : application,
    event,
    timestamp: iso(at),
  });
}

export function issueData(issue: ToldIssue, url: string): object {
  const { project, status, metadata } = issue;
  const at = `${url}/api/0/issues/${issue.id}/`;
  const page = `${url}/issues/${issue.shortId}`;
  return {
    id: String(issue.id),
    shortId: issue.shortId,
    title: cut(issue.title),
    culprit: cut(issue.culprit),
    level: issue.level,
    logger: null,
    platform: issue.platform,
    type: issue.type,
    status: status === 'archived' ? 'ignored' : status,
    substatus: status === 'resolved' ? null : issue.substatus,
    priority: issue.priority,
    metadata: Object.fromEntries(
      Object.entries(metadata).map(([key, value]) => [key, typeof value === 'string' ? cut(value) : value]),
    ),
    count: String(issue.count),
    estimated: issue.estimated,
    userCount: issue.userCount,
    firstSeen: iso(issue.firstSeen),
    lastSeen: iso(issue.lastSeen),
    firstRelease: issue.firstRelease === null ? null : { version: issue.firstRelease },
    lastRelease: issue.lastRelease === null ? null : { version: issue.lastRelease },
    assignedTo: issue.assignedTo,
    project: { ...project, id: String(project.id) },
    permalink: page,
    web_url: page,
    url: at,
    project_url: `${url}/api/0/projects/${project.id}/`,
  };
}

export const commentData = (comment: {
  readonly id: number;
  readonly text: string;
  readonly issueId: number;
  readonly projectSlug: string;
  readonly at: number;
}): object => ({
  comment: cut(comment.text, 16_000),
  project_slug: comment.projectSlug,
  comment_id: comment.id,
  issue_id: comment.issueId,
  timestamp: iso(comment.at),
});

export interface ToldFiring {
  readonly ruleId: number;
  readonly ruleName: string;
  readonly query: string;
  readonly environment: string;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly projectSlugs: readonly string[];
  readonly severity: string;
  readonly why: string;
  readonly value: number | null;
  readonly estimated?: { readonly low: number; readonly high: number } | undefined;
  readonly threshold: number | null;
  readonly at: number;
  readonly id: number;
}

/** Of an issue rule: `issue` is as in messages about issues. */
export const eventAlertData = (firing: ToldFiring, issue: ToldIssue | undefined, url: string): object => ({
  triggered_rule: cut(firing.ruleName),
  event: issue
    ? {
        event_id: null,
        title: cut(issue.title),
        culprit: cut(issue.culprit),
        level: issue.level,
        platform: issue.platform,
        project: issue.project.id,
        issue_id: String(issue.id),
        issue_url: `${url}/api/0/issues/${issue.id}/`,
        web_url: `${url}/issues/${issue.shortId}`,
        metadata: issue.metadata,
        release: issue.lastRelease,
      }
    : null,
  issue_alert: { id: String(firing.ruleId), title: cut(firing.ruleName), settings: [] },
  ...(issue && { issue: issueData(issue, url) }),
  reason: cut(firing.why),
  web_url: `${url}/alerts/${firing.ruleId}`,
});

export function metricAlertData(firing: ToldFiring, organizationId: string, url: string): object {
  const isOver = firing.severity === 'resolved';
  return {
    description_title: `${titled(firing.severity)}: ${cut(firing.ruleName)}`,
    description_text: cut(firing.why),
    web_url: `${url}/alerts/${firing.ruleId}`,
    metric_alert: {
      id: String(firing.id),
      identifier: String(firing.ruleId),
      organization_id: organizationId,
      title: cut(firing.ruleName),
      projects: firing.projectSlugs,
      status: isOver ? 2 : firing.severity === 'critical' ? 20 : 10,
      date_started: isOver ? null : iso(firing.at),
      date_detected: iso(firing.at),
      date_created: iso(firing.at),
      date_closed: isOver ? iso(firing.at) : null,
      alert_rule: {
        id: String(firing.ruleId),
        name: cut(firing.ruleName),
        query: cut(firing.query),
        environment: firing.environment || null,
        projects: firing.projectSlugs,
        definition: firing.definition,
      },
      value: firing.value,
      estimated: firing.estimated ?? null,
      threshold: firing.threshold,
    },
  };
}

const titled = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

export interface ToldRelease {
  readonly version: string;
  readonly ref: string | null;
  readonly url: string | null;
  readonly dateCreated: number;
  readonly dateReleased: number | null;
  readonly projects: readonly ToldProject[];
}

export const releaseData = (release: ToldRelease, url: string): object => ({
  release: {
    version: release.version,
    ref: release.ref,
    url: release.url,
    dateCreated: iso(release.dateCreated),
    dateReleased: release.dateReleased === null ? null : iso(release.dateReleased),
    projects: release.projects.map(({ id, ...project }) => ({ id: String(id), ...project })),
    web_url: `${url}/releases/${encodeURIComponent(release.version)}`,
  },
});

export const deployData = (deploy: {
  readonly id: number;
  readonly environment: string;
  readonly name: string;
  readonly url: string;
  readonly dateStarted: number | null;
  readonly dateFinished: number;
}): object => ({
  deploy: {
    id: String(deploy.id),
    environment: deploy.environment,
    name: deploy.name,
    url: deploy.url,
    dateStarted: deploy.dateStarted === null ? null : iso(deploy.dateStarted),
    dateFinished: iso(deploy.dateFinished),
  },
});

export interface ToldFeedback {
  readonly id: number;
  readonly feedbackId: string;
  readonly message: string;
  readonly name: string;
  readonly email: string;
  readonly url: string;
  readonly eventId: string;
  readonly release: string;
  readonly environment: string;
  readonly status: 'open' | 'resolved' | 'spam';
  readonly createdAt: number;
  readonly project: ToldProject;
}

export const feedbackData = ({ project, createdAt, id, ...feedback }: ToldFeedback, url: string): object => ({
  feedback: {
    ...feedback,
    id: String(id),
    message: cut(feedback.message),
    dateCreated: iso(createdAt),
    project: { ...project, id: String(project.id) },
    web_url: `${url}/feedback`,
  },
});
