/** What there is to say of the work on issues beside their rows: for a page of a list, or for one. */
import { chunksOf } from '../../../base/chunks.ts';
import type { State } from '../../../ports/state/state.ts';
import type { SubscriptionReason } from '../../../ports/state/work-tables.ts';
import type { IssueRow } from '../types.ts';

export interface PersonRef {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export type AssigneeRef =
  | ({ readonly kind: 'user' } & PersonRef)
  /** `name` is the slug. */
  | { readonly kind: 'team'; readonly id: number; readonly name: string };

/** As one person sees it. */
export interface IssueWork {
  readonly assignee: AssigneeRef | null;
  /** Who has brought it to its status. */
  readonly statusBy: PersonRef | null;
  readonly isBookmarked: boolean;
  /** Null: nothing was ever said or done. */
  readonly subscription: { readonly isActive: boolean; readonly reason: SubscriptionReason } | null;
  readonly hasSeen: boolean;
  readonly comments: number;
  readonly shareId: string | null;
}

type Worked = Pick<
  IssueRow,
  'id' | 'assigneeUserId' | 'assigneeTeamId' | 'status' | 'substatus' | 'statusChangedAt' | 'statusDetails'
>;

/** By id of the issue. `userId` null: of nobody in particular. */
export async function workOf(
  state: State,
  issues: readonly Worked[],
  userId: string | null,
): Promise<ReadonlyMap<number, IssueWork>> {
  const work = new Map<number, IssueWork>();
  for (const chunk of chunksOf(issues, 500)) {
    const ids = chunk.map(({ id }) => id);
    const people = await peopleById(
      state,
      new Set(chunk.flatMap((issue) => [issue.assigneeUserId ?? [], issue.statusDetails.by ?? []].flat())),
    );
    const teams = await teamsById(state, new Set(chunk.flatMap((issue) => issue.assigneeTeamId ?? [])));
    const own = userId === null ? nothingOwn : await ownMarks(state, ids, userId);
    const comments = new Map(
      (
        await state.db
          .selectFrom('issue_activity')
          .select((eb) => ['issue_id', eb.fn.countAll<number | string>().as('n')])
          .where('issue_id', 'in', ids)
          .where('type', '=', 'note')
          .groupBy('issue_id')
          .execute()
      ).map((row) => [row.issue_id, Number(row.n)]),
    );
    const shares = new Map(
      (
        await state.db.selectFrom('issue_share').select(['issue_id', 'share_id']).where('issue_id', 'in', ids).execute()
      ).map((row) => [row.issue_id, row.share_id]),
    );
    for (const issue of chunk) {
      const person = issue.assigneeUserId === null ? undefined : people.get(issue.assigneeUserId);
      const team = issue.assigneeTeamId === null ? undefined : teams.get(issue.assigneeTeamId);
      const seenAt = own.seen.get(issue.id);
      work.set(issue.id, {
        statusBy: people.get(issue.statusDetails.by ?? '') ?? null,
        assignee: person ? { kind: 'user', ...person } : (team ?? null),
        isBookmarked: own.bookmarks.has(issue.id),
        subscription: own.subscriptions.get(issue.id) ?? null,
        hasSeen: seenAt !== undefined && seenAt >= unseenSince(issue),
        comments: comments.get(issue.id) ?? 0,
        shareId: shares.get(issue.id) ?? null,
      });
    }
  }
  return work;
}

interface OwnMarks {
  readonly bookmarks: ReadonlySet<number>;
  readonly subscriptions: ReadonlyMap<number, NonNullable<IssueWork['subscription']>>;
  readonly seen: ReadonlyMap<number, number>;
}

const nothingOwn: OwnMarks = { bookmarks: new Set(), subscriptions: new Map(), seen: new Map() };

async function ownMarks(state: State, ids: readonly number[], userId: string): Promise<OwnMarks> {
  const bookmarks = await state.db
    .selectFrom('issue_bookmark')
    .select('issue_id')
    .where('issue_id', 'in', ids)
    .where('user_id', '=', userId)
    .execute();
  const subscriptions = await state.db
    .selectFrom('issue_subscription')
    .select(['issue_id', 'is_active', 'reason'])
    .where('issue_id', 'in', ids)
    .where('user_id', '=', userId)
    .execute();
  const seen = await state.db
    .selectFrom('issue_seen')
    .select(['issue_id', 'seen_at'])
    .where('issue_id', 'in', ids)
    .where('user_id', '=', userId)
    .execute();
  return {
    bookmarks: new Set(bookmarks.map((row) => row.issue_id)),
    subscriptions: new Map(
      subscriptions.map((row) => [row.issue_id, { isActive: row.is_active === 1, reason: row.reason }]),
    ),
    seen: new Map(seen.map((row) => [row.issue_id, row.seen_at])),
  };
}

/** What came back or grew has to be seen again. */
const unseenSince = ({ status, substatus, statusChangedAt }: Worked): number =>
  status === 'unresolved' && (substatus === 'regressed' || substatus === 'escalating') ? (statusChangedAt ?? 0) : 0;

async function peopleById(state: State, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, PersonRef>> {
  if (!ids.size) return new Map();
  const rows = await state.db
    .selectFrom('user')
    .select(['id', 'name', 'email'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function teamsById(
  state: State,
  ids: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Extract<AssigneeRef, { kind: 'team' }>>> {
  if (!ids.size) return new Map();
  const rows = await state.db
    .selectFrom('team')
    .select(['id', 'slug'])
    .where('id', 'in', [...ids])
    .execute();
  return new Map(rows.map(({ id, slug }) => [id, { kind: 'team', id, name: slug }]));
}

const maxPeople = 50;

/** Who has opened it, the last first. */
export async function seenBy(state: State, issueId: number): Promise<(PersonRef & { readonly seenAt: number })[]> {
  const rows = await state.db
    .selectFrom('issue_seen')
    .innerJoin('user', 'user.id', 'issue_seen.user_id')
    .select(['user.id', 'user.name', 'user.email', 'seen_at'])
    .where('issue_id', '=', issueId)
    .orderBy('seen_at', 'desc')
    .limit(maxPeople)
    .execute();
  return rows.map(({ id, name, email, seen_at }) => ({ id, name, email, seenAt: seen_at }));
}

/** Who is told of it. */
export async function participants(state: State, issueId: number): Promise<PersonRef[]> {
  return state.db
    .selectFrom('issue_subscription')
    .innerJoin('user', 'user.id', 'issue_subscription.user_id')
    .select(['user.id', 'user.name', 'user.email'])
    .where('issue_id', '=', issueId)
    .where('is_active', '=', 1)
    .orderBy('issue_subscription.created_at')
    .limit(maxPeople)
    .execute();
}

const maxMarked = 10_000;

/** Issues of the projects that one of the people has bookmarked or follows, the newest marks first; undefined: anybody. At most 10,000. */
export async function markedIssues(
  state: State,
  by: 'bookmarks' | 'subscribed',
  userIds: readonly string[] | undefined,
  projectIds: readonly number[],
): Promise<number[]> {
  if (userIds?.length === 0 || !projectIds.length) return [];
  const marks =
    by === 'bookmarks'
      ? state.db.selectFrom('issue_bookmark').select(['issue_id', 'user_id', 'created_at'])
      : state.db
          .selectFrom('issue_subscription')
          .select(['issue_id', 'user_id', 'created_at'])
          .where('is_active', '=', 1);
  let query = state.db
    .selectFrom(marks.as('mark'))
    .innerJoin('issue', 'issue.id', 'mark.issue_id')
    .select((eb) => ['mark.issue_id as id', eb.fn.max('mark.created_at').as('at')])
    .where('issue.project_id', 'in', projectIds)
    .groupBy('mark.issue_id')
    .orderBy('at', 'desc')
    .limit(maxMarked);
  if (userIds) query = query.where('mark.user_id', 'in', userIds);
  return (await query.execute()).map((row) => row.id);
}
