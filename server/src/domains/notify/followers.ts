/**
 * Tells people what happened to the issues that they have or follow. The activity of issues is read by id; what is read
 * again after a restart is enqueued under the same key.
 */
import { sightIn } from '../accounts/index.ts';
import { chunksOf } from '../../base/chunks.ts';
import { Reader } from '../../ports/state/reader.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { enqueue } from './enqueue.ts';
import { reachIn, readSettings, type PersonalSettings, wants } from './settings.ts';
import { cut, oneLine } from './text.ts';
import type { Notification } from './types.ts';
import * as texts from '../../base/texts/notifications.ts';

/** How far the activity of issues has been read. */
export const activityBookmark = 'notify_followers';
/**
 * Activity entries that one transaction tells of: short, so that nothing else waits for the write lock, and so that it
 * comes to its end on PostgreSQL beside those that deliver, from which it reads what waits.
 */
const toldAtOnce = 10;
/** What happened longer ago is no news; such entries are left after the server stood still. */
const newsMs = 3_600_000;
/** Between writes of the place. */
const writeEveryMs = 5_000;
/** What comes within it is one mail. */
const batch = { name: 'updates', waitMs: 5 * 60_000 };

type Kind = 'state' | 'comment' | 'assigned';

const kinds: Readonly<Record<keyof typeof texts.activity, Kind>> = {
  set_resolved: 'state',
  set_resolved_in_release: 'state',
  set_resolved_by_commit: 'state',
  set_unresolved: 'state',
  set_archived: 'state',
  set_regression: 'state',
  set_escalating: 'state',
  archived_condition_met: 'state',
  note: 'comment',
  assigned: 'assigned',
};

const isKnown = (type: string): type is keyof typeof kinds => Object.hasOwn(kinds, type);

/** With who did it where a person did. */
export function titleOf(type: string, shortId: string, actor: string | undefined): string {
  if (!isKnown(type)) return '';
  const { passive, active } = texts.activity[type];
  return (actor === undefined ? passive : `${actor} ${active}`).replace('%', shortId);
}

interface Entry {
  readonly id: number;
  readonly type: string;
  readonly data: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly at: number;
  readonly issueId: number;
  readonly number: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly release: string | null;
  readonly assigneeUserId: string | null;
  readonly assigneeTeamId: number | null;
  readonly projectId: number;
  readonly projectSlug: string;
  readonly projectName: string;
  readonly prefix: string;
  readonly organizationId: string;
}

export interface Followers {
  /** Enqueues for what happened since the last round. */
  round(): Promise<void>;
}

export function createFollowers({
  state,
  getUrl,
}: {
  readonly state: State;
  readonly getUrl: () => string;
}): Followers {
  let reader: Reader<Entry> | undefined;
  let written = 0;
  let writtenAt = 0;

  async function readPlace(): Promise<number> {
    const row = await state.db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', activityBookmark)
      .executeTakeFirst();
    if (row) return Number(JSON.parse(row.value));
    const last = await state.db
      .selectFrom('issue_activity')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst();
    const start = Number(last?.id ?? 0);
    await writePlace(start);
    return start;
  }

  async function writePlace(id: number): Promise<void> {
    const value = JSON.stringify(id);
    await state.db
      .insertInto('setting')
      .values({ name: activityBookmark, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }

  async function take(entries: readonly Entry[]): Promise<void> {
    const nowMs = Date.now();
    const news = entries.filter(({ type, at }) => isKnown(type) && nowMs - at < newsMs);
    for (const part of chunksOf(news, toldAtOnce)) await state.transaction((trx) => tell(trx, part, getUrl()));
  }

  async function open(): Promise<Reader<Entry>> {
    written = await readPlace();
    return new Reader<Entry>(written, {
      after: (id, limit) =>
        entriesOf(state).where('issue_activity.id', '>', id).orderBy('issue_activity.id').limit(limit).execute(),
      among: (ids) => entriesOf(state).where('issue_activity.id', 'in', ids).orderBy('issue_activity.id').execute(),
    });
  }

  async function round(): Promise<void> {
    reader ??= await open();
    while (await reader.next(take)) await new Promise((resolve) => setImmediate(resolve));
    await moveOn(reader.place);
  }

  async function moveOn(place: number): Promise<void> {
    const nowMs = Date.now();
    if (place === written || Math.abs(nowMs - writtenAt) < writeEveryMs) return;
    await writePlace(place);
    written = place;
    writtenAt = nowMs;
  }

  return { round };
}

const entriesOf = (state: State) =>
  state.db
    .selectFrom('issue_activity')
    .innerJoin('issue', 'issue.id', 'issue_activity.issue_id')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .leftJoin('user', 'user.id', 'issue_activity.user_id')
    .select([
      'issue_activity.id as id',
      'issue_activity.type as type',
      'issue_activity.data as data',
      'issue_activity.user_id as actorId',
      'user.name as actorName',
      'issue_activity.created_at as at',
      'issue.id as issueId',
      'issue.number as number',
      'issue.title as title',
      'issue.culprit as culprit',
      'issue.level as level',
      'issue.last_release as release',
      'issue.assignee_user_id as assigneeUserId',
      'issue.assignee_team_id as assigneeTeamId',
      'project.id as projectId',
      'project.slug as projectSlug',
      'project.name as projectName',
      'project.short_id_prefix as prefix',
      'project.organization_id as organizationId',
    ]);

async function tell(trx: StateTransaction, entries: readonly Entry[], consoleUrl: string): Promise<void> {
  const organizationIds = [...new Set(entries.map(({ organizationId }) => organizationId))];
  const members = await membersOf(trx, organizationIds);
  const sees = await sightIn(trx, organizationIds);
  const issueIds = [...new Set(entries.map(({ issueId }) => issueId))];
  const subscriptions = Map.groupBy(
    await trx
      .selectFrom('issue_subscription')
      .select(['issue_id', 'user_id', 'is_active'])
      .where('issue_id', 'in', issueIds)
      .execute(),
    (row) => row.issue_id,
  );
  const teams = Map.groupBy(
    await trx
      .selectFrom('team_member')
      .innerJoin('team', 'team.id', 'team_member.team_id')
      .select(['team_member.team_id as teamId', 'team_member.user_id as userId'])
      .where('team.organization_id', 'in', [...members.keys()])
      .execute(),
    ({ teamId }) => teamId,
  );
  for (const entry of entries) {
    const rows = subscriptions.get(entry.issueId) ?? [];
    const left = new Set(rows.filter((row) => row.is_active === 0).map((row) => row.user_id));
    const mine = new Set(rows.filter((row) => row.is_active === 1).map((row) => row.user_id));
    if (entry.assigneeUserId !== null) mine.add(entry.assigneeUserId);
    if (entry.assigneeTeamId !== null) {
      for (const { userId } of teams.get(entry.assigneeTeamId) ?? []) mine.add(userId);
    }
    const mentioned = mentionedIn(entry, (teamId) => (teams.get(teamId) ?? []).map(({ userId }) => userId));
    const kind = isKnown(entry.type) ? kinds[entry.type] : 'state';
    const assignees = assignedIn(entry, (teamId) => teams.get(teamId) ?? []);
    for (const { userId, settings } of members.get(entry.organizationId) ?? []) {
      // Who did it knows; who is named in a comment is told of that.
      if (userId === entry.actorId || mentioned.has(userId)) continue;
      if (!sees(entry.organizationId, userId, entry.projectId)) continue;
      if (kind === 'assigned') {
        if (!assignees.has(userId) || !wants(settings, kind, entry.projectId)) continue;
      } else {
        const reach = left.has(userId) ? 'none' : reachIn(settings, kind, entry.projectId);
        if (reach === 'none' || (reach === 'mine' && !mine.has(userId))) continue;
      }
      await enqueue(trx, {
        key: `activity:${entry.id}:${userId}`,
        organizationId: entry.organizationId,
        to: { userId },
        notification: notificationOf(entry, kind, consoleUrl),
        batch,
      });
    }
  }
}

async function membersOf(
  trx: StateTransaction,
  organizationIds: readonly string[],
): Promise<Map<string, { readonly userId: string; readonly settings: PersonalSettings }[]>> {
  const rows = await trx
    .selectFrom('member')
    .leftJoin('notification_setting', (join) =>
      join
        .onRef('notification_setting.user_id', '=', 'member.userId')
        .onRef('notification_setting.organization_id', '=', 'member.organizationId'),
    )
    .select(['member.organizationId as organizationId', 'member.userId as userId', 'notification_setting.settings'])
    .where('member.organizationId', 'in', organizationIds)
    .execute();
  return Map.groupBy(
    rows.map(({ settings, ...row }) => ({ ...row, settings: readSettings(settings) })),
    ({ organizationId }) => organizationId,
  );
}

/** Whom an issue was given to. Of a change of very many who has it is told in one message, by the change. */
function assignedIn(
  { type, data }: Entry,
  membersOfTeam: (teamId: number) => readonly { readonly userId: string }[],
): Set<string> {
  if (type !== 'assigned') return new Set();
  const { assigneeType, assignee, many } = JSON.parse(data) as Readonly<Record<string, unknown>>;
  if (many === true) return new Set();
  if (assigneeType === 'user') return new Set([String(assignee)]);
  return new Set(membersOfTeam(Number(assignee)).map(({ userId }) => userId));
}

/** People that a comment names, themselves or as members of a team. */
function mentionedIn({ type, data }: Entry, membersOfTeam: (teamId: number) => readonly string[]): Set<string> {
  if (type !== 'note') return new Set();
  const { mentions = [] } = JSON.parse(data) as { readonly mentions?: readonly unknown[] };
  return new Set(
    mentions.flatMap((mention) => {
      if (typeof mention !== 'object' || mention === null || !('type' in mention) || !('id' in mention)) return [];
      const { type: kind, id } = mention;
      return kind === 'user' ? [String(id)] : kind === 'team' ? membersOfTeam(Number(id)) : [];
    }),
  );
}

function notificationOf(entry: Entry, kind: Kind, consoleUrl: string): Notification {
  const shortId = `${entry.prefix}-${entry.number}`;
  const { text = '' } = kind === 'comment' ? (JSON.parse(entry.data) as { readonly text?: string }) : {};
  const { release, projectId, projectSlug, projectName, issueId, title, culprit, level } = entry;
  return {
    kind,
    severity: 'info',
    title: titleOf(entry.type, shortId, entry.actorName ? oneLine(entry.actorName) : undefined),
    text: cut(text, 2000),
    url: `${consoleUrl}/issues/${shortId}`,
    project: { id: projectId, slug: projectSlug, name: projectName },
    // How often it happened stands on the page; what a mail said would be old when it is read.
    issue: {
      id: issueId,
      shortId,
      title,
      culprit,
      level,
      count: 0,
      userCount: 0,
      release: release ?? '',
      environment: '',
    },
    fields: [],
    groupKey: `issue:${issueId}`,
  };
}
