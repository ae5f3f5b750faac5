/** Happenings of changes that are noted because what they changed has no history of its own. */
import type { Selectable } from 'kysely';
import type { ChangeNoteTable } from '../../ports/state/webhook-tables.ts';
import { commentData, feedbackData, type Happening, releaseData, type ToldFeedback } from './bodies.ts';
import { type Context, feedbackById, issuesOf, personOf, releasesById } from './lookups.ts';

type Row = Selectable<ChangeNoteTable> & { readonly userName: string | null };

export async function ofChanges(context: Context, ids: readonly number[]): Promise<Happening[]> {
  const rows = await context.state.db
    .selectFrom('change_note')
    .leftJoin('user', 'user.id', 'change_note.user_id')
    .selectAll('change_note')
    .select(['user.name as userName'])
    .where('change_note.id', 'in', ids)
    .orderBy('change_note.id')
    .execute();
  const told = new Map([
    ...(await ofComments(context, of(rows, 'comment'))),
    ...(await ofFeedback(context, of(rows, 'feedback'))),
    ...(await ofReleases(context, of(rows, 'release'))),
  ]);
  return rows.flatMap((row) => told.get(row.id) ?? []);
}

const of = (rows: readonly Row[], thing: string): Row[] => rows.filter(({ what }) => what.startsWith(`${thing}.`));

const commonOf = (row: Row) => ({
  cause: `change:${row.id}`,
  at: Number(row.at),
  actor: personOf({ userId: row.user_id, userName: row.userName }),
});

/** By the id of the note. What is gone altogether is told of to nobody. */
type Told = Map<number, Happening>;

async function ofComments(context: Context, rows: readonly Row[]): Promise<Told> {
  const told: Told = new Map();
  if (!rows.length) return told;
  const comments = await context.state.db
    .selectFrom('issue_activity')
    .select(['id', 'issue_id as issueId', 'data'])
    .where(
      'id',
      'in',
      rows.map((row) => row.target_id),
    )
    .execute();
  const byId = new Map(comments.map((comment) => [comment.id, comment]));
  const issues = await issuesOf(context, [...new Set(comments.map(({ issueId }) => issueId))]);
  for (const row of rows) {
    const comment = byId.get(row.target_id);
    const found = comment && issues.get(comment.issueId);
    if (!found) continue;
    const { issue, organizationId } = found;
    const { text = '' } = JSON.parse(comment.data) as { readonly text?: string };
    const { at, ...common } = commonOf(row);
    told.set(row.id, {
      ...common,
      at,
      // Whoever keeps comments has it again.
      event: row.what === 'comment.restored' ? 'comment.created' : (row.what as Happening['event']),
      resource: 'comment',
      organizationId,
      projectIds: [issue.project.id],
      data: commentData({ id: comment.id, text, issueId: issue.id, projectSlug: issue.project.slug, at }),
    });
  }
  return told;
}

async function ofFeedback({ state, url }: Context, rows: readonly Row[]): Promise<Told> {
  const all = await feedbackById(
    state,
    rows.map((row) => row.target_id),
  );
  return new Map(
    rows.flatMap((row) => {
      const found = all.get(row.target_id);
      if (!found) return [];
      // What it became then: it may be another one by now.
      const { status } = JSON.parse(row.data) as Pick<ToldFeedback, 'status'>;
      const happening: Happening = {
        ...commonOf(row),
        event: 'feedback.updated',
        resource: 'feedback',
        organizationId: found.organizationId,
        projectIds: [found.feedback.project.id],
        data: feedbackData({ ...found.feedback, status }, url),
      };
      return [[row.id, happening] as const];
    }),
  );
}

async function ofReleases({ state, url }: Context, rows: readonly Row[]): Promise<Told> {
  const all = await releasesById(
    state,
    rows.map((row) => row.target_id),
  );
  return new Map(
    rows.flatMap((row) => {
      const release = all.get(row.target_id);
      if (!release) return [];
      const happening: Happening = {
        ...commonOf(row),
        event: row.what as Happening['event'],
        resource: 'release',
        organizationId: release.organizationId,
        projectIds: release.projects.map(({ id }) => id),
        data: releaseData(release, url),
      };
      return [[row.id, happening] as const];
    }),
  );
}
