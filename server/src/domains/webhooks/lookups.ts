/** What happenings are about, as receivers are told of it. */
import { chunksOf } from '../../base/chunks.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { estimatesOf, issuesById, livesOf } from '../issues/index.ts';
import type { Person, ToldFeedback, ToldIssue, ToldProject } from './bodies.ts';

export interface Stores {
  readonly state: State;
  /** Asked for numbers of events; where it does not answer, they are those that are known for sure. */
  readonly events: Events;
}

export interface Context extends Stores {
  /** Of the console, without a trailing slash. */
  readonly url: string;
  readonly signal: AbortSignal;
}

/** Null where nobody did it. */
export const personOf = ({
  userId,
  userName,
}: {
  readonly userId: string | null;
  readonly userName: string | null;
}): Person | null => (userId === null ? null : { id: userId, name: userName ?? '' });

export async function projectsById(state: State, ids: readonly number[]): Promise<Map<number, ToldProject>> {
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
export async function issuesOf(
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
      'project.sampled_until as sampledUntil',
      'user.name as userName',
      'team.slug as teamSlug',
    ])
    .where('issue.id', 'in', ids)
    .where('issue.status', '!=', 'deleting')
    .execute();
  const asked = await issuesById(state, ids);
  // Events of what was just made may not be stored yet, and the events store may be away: that holds nothing up.
  const lives = await livesOf(context, [...new Set(asked.values())], signal).catch(() => undefined);
  const estimates = await estimatesOf(
    state,
    rows.map(({ id, project_id: projectId }) => ({ id, projectId, count: lives?.get(id)?.count ?? 0 })),
    { sampledUntil: new Map(rows.map((row) => [row.project_id, row.sampledUntil])) },
  );
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
        estimated: estimates.get(row.id) ?? null,
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

export async function releasesById(state: State, ids: readonly number[]) {
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

interface FoundFeedback {
  readonly feedback: ToldFeedback;
  readonly organizationId: string;
  /** ms since the epoch. */
  readonly receivedAt: number;
}

export async function feedbackById(state: State, ids: readonly number[]): Promise<Map<number, FoundFeedback>> {
  if (!ids.length) return new Map();
  const rows = await state.db
    .selectFrom('feedback')
    .innerJoin('project', 'project.id', 'feedback.project_id')
    .selectAll('feedback')
    .select(['project.organization_id as organizationId'])
    .where('feedback.id', 'in', ids)
    .orderBy('feedback.id')
    .execute();
  const projects = await projectsById(
    state,
    rows.map((row) => row.project_id),
  );
  return new Map(
    rows.flatMap((row) => {
      const project = projects.get(row.project_id);
      if (!project) return [];
      const { id, message, name, email, url, release, environment, status } = row;
      const feedback: ToldFeedback = {
        id,
        message,
        name,
        email,
        url,
        release,
        environment,
        status,
        project,
        feedbackId: row.feedback_id,
        eventId: row.event_id,
        createdAt: Number(row.created_at),
      };
      const { organizationId } = row;
      return [[id, { feedback, organizationId, receivedAt: Number(row.received_at) }] as const];
    }),
  );
}
