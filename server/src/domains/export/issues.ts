/** Issues with all that people did to them. */
import { byId, groupedBy, idsOf, type Read } from './read.ts';
import { isoOf, jsonOf } from './records.ts';

export const issues: Read = async function* ({ db }, scope) {
  const prefixes = new Map(
    (await db.selectFrom('project').select(['id', 'short_id_prefix']).where('id', 'in', idsOf(scope)).execute()).map(
      ({ id, short_id_prefix: prefix }) => [id, prefix],
    ),
  );
  const emails = new Map(
    (await db.selectFrom('user').select(['id', 'email']).execute()).map(({ id, email }) => [id, email]),
  );
  const slugs = new Map(
    (await db.selectFrom('team').select(['id', 'slug']).execute()).map(({ id, slug }) => [id, slug]),
  );
  const emailOf = (id: string | null): string | null => (id === null ? null : (emails.get(id) ?? null));
  const pages = byId((afterId, limit) =>
    db
      .selectFrom('issue')
      .selectAll()
      .where('project_id', 'in', idsOf(scope))
      .where('id', '>', afterId)
      .where('status', '!=', 'deleting')
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const page of pages) {
    const ids = page.map(({ id }) => id);
    const hashes = groupedBy(
      await db.selectFrom('issue_hash').selectAll().where('issue_id', 'in', ids).execute(),
      (one) => one.issue_id,
    );
    const activity = groupedBy(
      await db.selectFrom('issue_activity').selectAll().where('issue_id', 'in', ids).orderBy('id').execute(),
      (one) => one.issue_id,
    );
    const bookmarks = groupedBy(
      await db.selectFrom('issue_bookmark').selectAll().where('issue_id', 'in', ids).execute(),
      (one) => one.issue_id,
    );
    yield page.map((row) => ({
      id: row.id,
      project: scope.projects.get(row.project_id) ?? null,
      shortId: `${prefixes.get(row.project_id) ?? ''}-${row.number}`,
      title: row.title,
      culprit: row.culprit,
      level: row.level,
      platform: row.platform,
      type: row.type,
      metadata: jsonOf(row.metadata),
      status: row.status,
      substatus: row.substatus,
      statusDetails: jsonOf(row.status_details),
      statusChangedAt: isoOf(row.status_changed_at),
      priority: row.priority,
      assignee:
        row.assignee_user_id !== null
          ? { user: emailOf(row.assignee_user_id) }
          : row.assignee_team_id !== null
            ? { team: slugs.get(row.assignee_team_id) ?? null }
            : null,
      firstSeen: isoOf(row.first_seen),
      lastSeen: isoOf(row.last_seen),
      firstRelease: row.first_release,
      lastRelease: row.last_release,
      createdAt: isoOf(row.created_at),
      mergedInto: row.merged_into,
      hashes: hashes(row.id).map((one) => ({
        hash: one.hash,
        groupingVersion: one.grouping_version,
        basis: one.basis,
        via: one.via,
        mergedFrom: one.merged_from,
      })),
      bookmarkedBy: bookmarks(row.id).flatMap(({ user_id }) => emailOf(user_id) ?? []),
      // Comments are of the type note.
      activity: activity(row.id)
        .filter(({ type }) => type !== 'note_deleted')
        .map((one) => ({
          type: one.type,
          user: emailOf(one.user_id),
          data: jsonOf(one.data),
          createdAt: isoOf(one.created_at),
        })),
    }));
  }
};
