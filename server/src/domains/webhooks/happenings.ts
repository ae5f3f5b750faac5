/** What happened, from the tables in which it is written down in the transaction that made it happen. */
import { chunksOf } from '../../base/chunks.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { issuesById, livesOf } from '../issues/index.ts';
import {
  commentData,
  deployData,
  eventAlertData,
  feedbackData,
  type Happening,
  issueData,
  metricAlertData,
  type Person,
  releaseData,
  type ToldIssue,
  type ToldProject,
} from './bodies.ts';
import { eventOfActivity } from './events.ts';

export interface Stores {
  readonly state: State;
  /** Asked for numbers of events; where it does not answer, they are those that are known for sure. */
  readonly events: Events;
}

interface Context extends Stores {
  /** Of the console, without a trailing slash. */
  readonly url: string;
  readonly signal: AbortSignal;
}

/** Tables that are read, each by its ids. */
export const sources = ['issue_activity', 'alert_firing', 'release', 'deploy', 'feedback'] as const;
export type Source = (typeof sources)[number];

export interface SourceRow {
  readonly id: number;
}

type Reading = (context: Context, ids: readonly number[]) => Promise<Happening[]>;

export const happeningsOf: Readonly<Record<Source, Reading>> = {
  issue_activity: ofActivity,
  alert_firing: ofFirings,
  release: ofReleases,
  deploy: ofDeploys,
  feedback: ofFeedback,
};

async function ofActivity(context: Context, ids: readonly number[]): Promise<Happening[]> {
  const rows = await context.state.db
    .selectFrom('issue_activity')
    .leftJoin('user', 'user.id', 'issue_activity.user_id')
    .select([
      'issue_activity.id as id',
      'issue_id',
      'type',
      'data',
      'issue_activity.created_at as at',
      'user_id as userId',
      'user.name as userName',
    ])
    .where('issue_activity.id', 'in', ids)
    .orderBy('issue_activity.id')
    .execute();
  const issues = await issuesOf(context, [...new Set(rows.map((row) => row.issue_id))]);
  return rows.flatMap((row): Happening[] => {
    const event = eventOfActivity(row.type);
    const found = issues.get(row.issue_id);
    if (!event || !found) return [];
    const { issue, organizationId } = found;
    const details = JSON.parse(row.data) as Readonly<Record<string, unknown>>;
    const text = typeof details['text'] === 'string' ? details['text'] : '';
    const at = Number(row.at);
    const common = {
      cause: `activity:${row.id}`,
      event,
      organizationId,
      projectIds: [issue.project.id],
      at,
      actor: row.userId === null ? null : { id: row.userId, name: row.userName ?? '' },
    };
    if (event === 'comment.created') {
      const comment = { id: row.id, text, issueId: issue.id, projectSlug: issue.project.slug, at };
      return [{ ...common, resource: 'comment', data: commentData(comment) }];
    }
    return [{ ...common, resource: 'issue', data: { issue: issueData(issue, context.url) } }];
  });
}

async function ofFirings(context: Context, ids: readonly number[]): Promise<Happening[]> {
  const rows = await context.state.db
    .selectFrom('alert_firing')
    .innerJoin('alert_rule', 'alert_rule.id', 'alert_firing.rule_id')
    .selectAll('alert_firing')
    .select(['alert_rule.kind', 'alert_rule.name', 'query', 'environment', 'definition', 'project_ids'])
    .where('alert_firing.id', 'in', ids)
    .where('alert_firing.state', '!=', 'muted')
    .orderBy('alert_firing.id')
    .execute();
  const issues = await issuesOf(context, [...new Set(rows.flatMap((row) => row.issue_id ?? []))]);
  const projects = await projectsById(
    context.state,
    rows.flatMap((row) => JSON.parse(row.project_ids) as number[]),
  );
  return rows.map((row): Happening => {
    const issue = row.issue_id === null ? undefined : issues.get(row.issue_id)?.issue;
    const ofRule = JSON.parse(row.project_ids) as number[];
    const data = JSON.parse(row.data) as { why: string; value: number | null; threshold: number | null };
    const isOver = row.severity === 'resolved';
    const firing = {
      ...data,
      id: row.id,
      ruleId: row.rule_id,
      ruleName: row.name,
      query: row.query,
      environment: row.environment,
      definition: JSON.parse(row.definition) as Readonly<Record<string, unknown>>,
      projectSlugs: ofRule.flatMap((id) => projects.get(id)?.slug ?? []),
      severity: row.severity,
      at: Number(row.at),
    };
    const common = {
      cause: `firing:${row.id}`,
      event: isOver ? 'alert.resolved' : 'alert.triggered',
      organizationId: row.organization_id,
      projectIds: issue ? [issue.project.id] : ofRule,
      at: firing.at,
      actor: null,
    } as const;
    return row.kind === 'issue'
      ? {
          ...common,
          resource: 'event_alert',
          action: isOver ? 'resolved' : 'triggered',
          data: eventAlertData(firing, issue, context.url),
        }
      : {
          ...common,
          resource: 'metric_alert',
          action: row.severity === 'info' ? 'warning' : row.severity,
          data: metricAlertData(firing, row.organization_id, context.url),
        };
  });
}

async function ofReleases(context: Context, ids: readonly number[]): Promise<Happening[]> {
  const releases = await releasesById(context.state, ids);
  return [...releases.values()].map((release) => ({
    cause: `release:${release.id}`,
    event: 'release.created',
    resource: 'release',
    organizationId: release.organizationId,
    projectIds: release.projects.map(({ id }) => id),
    at: release.dateCreated,
    actor: null,
    data: releaseData(release, context.url),
  }));
}

async function ofDeploys(context: Context, ids: readonly number[]): Promise<Happening[]> {
  const rows = await context.state.db.selectFrom('deploy').selectAll().where('id', 'in', ids).orderBy('id').execute();
  const releases = await releasesById(
    context.state,
    rows.map((row) => row.release_id),
  );
  return rows.flatMap((row): Happening[] => {
    const release = releases.get(row.release_id);
    if (!release) return [];
    const deploy = {
      id: row.id,
      environment: row.environment,
      name: row.name,
      url: row.url,
      dateStarted: row.date_started === null ? null : Number(row.date_started),
      dateFinished: Number(row.date_finished),
    };
    return [
      {
        cause: `deploy:${row.id}`,
        event: 'release.deployed',
        resource: 'release',
        organizationId: release.organizationId,
        projectIds: release.projects.map(({ id }) => id),
        at: Number(row.created_at),
        actor: null,
        data: { ...releaseData(release, context.url), ...deployData(deploy) },
      },
    ];
  });
}

async function ofFeedback(context: Context, ids: readonly number[]): Promise<Happening[]> {
  const rows = await context.state.db
    .selectFrom('feedback')
    .innerJoin('project', 'project.id', 'feedback.project_id')
    .selectAll('feedback')
    .select(['project.organization_id as organizationId'])
    .where('feedback.id', 'in', ids)
    .orderBy('feedback.id')
    .execute();
  const projects = await projectsById(
    context.state,
    rows.map((row) => row.project_id),
  );
  return rows.flatMap((row): Happening[] => {
    const project = projects.get(row.project_id);
    if (!project) return [];
    const { id, message, name, email, url, release, environment } = row;
    const feedback = {
      id,
      message,
      name,
      email,
      url,
      release,
      environment,
      project,
      feedbackId: row.feedback_id,
      eventId: row.event_id,
      createdAt: Number(row.created_at),
    };
    return [
      {
        cause: `feedback:${id}`,
        event: 'feedback.created',
        resource: 'feedback',
        organizationId: row.organizationId,
        projectIds: [project.id],
        at: Number(row.received_at),
        actor: null,
        data: feedbackData(feedback, context.url),
      },
    ];
  });
}

async function projectsById(state: State, ids: readonly number[]): Promise<Map<number, ToldProject>> {
  const found = new Map<number, ToldProject>();
  for (const chunk of chunksOf([...new Set(ids)])) {
    const rows = await state.db
      .selectFrom('project')
      .select(['id', 'slug', 'name', 'platform'])
      .where('id', 'in', chunk)
      .execute();
    for (const { platform, ...row } of rows) found.set(row.id, { ...row, platform: platform || null });
  }
  return found;
}

/** By the id that was asked for; one that was merged is told as it is. */
async function issuesOf(
  context: Context,
  ids: readonly number[],
): Promise<Map<number, { readonly issue: ToldIssue; readonly organizationId: string }>> {
  if (!ids.length) return new Map();
  const { state, signal } = context;
  const rows = await state.db
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .leftJoin('user', 'user.id', 'issue.assignee_user_id')
    .leftJoin('team', 'team.id', 'issue.assignee_team_id')
    .selectAll('issue')
    .select([
      'project.slug as projectSlug',
      'project.name as projectName',
      'project.platform as projectPlatform',
      'project.short_id_prefix as prefix',
      'project.organization_id as organizationId',
      'user.name as userName',
      'team.slug as teamSlug',
    ])
    .where('issue.id', 'in', ids)
    .where('issue.status', '!=', 'deleting')
    .execute();
  const asked = await issuesById(state, ids);
  // Events of what was just made may not be stored yet, and the events store may be away: that holds nothing up.
  const lives = await livesOf(context, [...new Set(asked.values())], signal).catch(() => undefined);
  return new Map(
    rows.map((row) => {
      const life = lives?.get(row.id);
      const issue: ToldIssue = {
        id: row.id,
        shortId: `${row.prefix}-${row.number}`,
        title: row.title,
        culprit: row.culprit,
        level: row.level,
        platform: row.platform,
        type: row.type,
        status: row.status,
        substatus: row.substatus,
        priority: row.priority,
        metadata: JSON.parse(row.metadata) as Readonly<Record<string, unknown>>,
        count: Math.max(1, life?.count ?? 0),
        userCount: life?.userCount ?? 0,
        firstSeen: Number(row.first_seen),
        lastSeen: Number(row.last_seen),
        firstRelease: row.first_release,
        lastRelease: row.last_release,
        assignedTo: assignee(row),
        project: {
          id: row.project_id,
          slug: row.projectSlug,
          name: row.projectName,
          platform: row.projectPlatform || null,
        },
      };
      return [row.id, { issue, organizationId: row.organizationId }];
    }),
  );
}

function assignee(row: {
  readonly assignee_user_id: string | null;
  readonly assignee_team_id: number | null;
  readonly userName: string | null;
  readonly teamSlug: string | null;
}): (Person & { readonly type: 'user' | 'team' }) | null {
  if (row.assignee_user_id !== null) return { type: 'user', id: row.assignee_user_id, name: row.userName ?? '' };
  if (row.assignee_team_id !== null) {
    return { type: 'team', id: String(row.assignee_team_id), name: row.teamSlug ?? '' };
  }
  return null;
}

async function releasesById(state: State, ids: readonly number[]) {
  const wanted = [...new Set(ids)];
  if (!wanted.length) return new Map<number, never>();
  const rows = await state.db.selectFrom('release').selectAll().where('id', 'in', wanted).orderBy('id').execute();
  const pairs = await state.db
    .selectFrom('release_project')
    .innerJoin('project', 'project.id', 'release_project.project_id')
    .select(['release_id', 'project.id', 'slug', 'name', 'platform'])
    .where('release_id', 'in', wanted)
    .execute();
  const byRelease = Map.groupBy(pairs, (row) => row.release_id);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        organizationId: row.organization_id,
        version: row.version,
        ref: row.ref,
        url: row.url,
        dateCreated: Number(row.created_at),
        dateReleased: row.date_released === null ? null : Number(row.date_released),
        projects: (byRelease.get(row.id) ?? []).map(({ id, slug, name, platform }) => ({
          id,
          slug,
          name,
          platform: platform || null,
        })),
      },
    ]),
  );
}
