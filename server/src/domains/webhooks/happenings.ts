/** What happened, from the tables in which it is written down in the transaction that made it happen. */
import {
  commentData,
  deployData,
  eventAlertData,
  feedbackData,
  type Happening,
  issueData,
  metricAlertData,
  releaseData,
  type ToldFiring,
} from './bodies.ts';
import { ofChanges } from './changes.ts';
import { eventOfActivity } from './events.ts';
import { type Context, feedbackById, issuesOf, personOf, projectsById, releasesById } from './lookups.ts';

/** Tables that are read, each by its ids. */
export const sources = ['issue_activity', 'alert_firing', 'release', 'deploy', 'feedback', 'change_note'] as const;
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
  change_note: ofChanges,
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
      actor: personOf(row),
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
    const data = JSON.parse(row.data) as Pick<ToldFiring, 'why' | 'value' | 'estimated' | 'threshold'>;
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

async function ofFeedback({ state, url }: Context, ids: readonly number[]): Promise<Happening[]> {
  return [...(await feedbackById(state, ids)).values()].map(({ feedback, organizationId, receivedAt }) => ({
    cause: `feedback:${feedback.id}`,
    event: 'feedback.created',
    resource: 'feedback',
    organizationId,
    projectIds: [feedback.project.id],
    at: receivedAt,
    actor: null,
    data: feedbackData(feedback, url),
  }));
}
