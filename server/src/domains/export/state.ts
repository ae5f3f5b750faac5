/**
 * What lies in the state store, kind by kind. Columns are named one by one, so that nothing leaves that nobody meant to:
 * hashes of passwords and tokens, secrets of providers and settings of channels stand in no list here.
 */
import { issues } from './issues.ts';
import { byId, groupedBy, idsOf, isSet, once, type Read } from './read.ts';
import { isoOf, jsonOf } from './records.ts';

const organizations: Read = ({ db }, { organizationId }) =>
  once(
    db
      .selectFrom('organization')
      .select(['id', 'slug', 'name', 'createdAt'])
      .where('id', '=', organizationId)
      .execute()
      .then((rows) => rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt).toISOString() }))),
  );

const members: Read = ({ db }, { organizationId }) =>
  once(
    db
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .select(['user.id', 'user.email', 'user.name', 'member.role', 'member.createdAt'])
      .where('member.organizationId', '=', organizationId)
      .orderBy('user.email')
      .execute()
      .then((rows) => rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt).toISOString() }))),
  );

const teams: Read = async function* ({ db }, { organizationId, projects }) {
  const rows = await db.selectFrom('team').selectAll().where('organization_id', '=', organizationId).execute();
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  const people = await db
    .selectFrom('team_member')
    .innerJoin('user', 'user.id', 'team_member.user_id')
    .select(['team_id', 'email'])
    .where('team_id', 'in', ids)
    .execute();
  const theirs = await db
    .selectFrom('team_project')
    .select(['team_id', 'project_id'])
    .where('team_id', 'in', ids)
    .execute();
  yield rows.map(({ id, slug, name, created_at }) => ({
    id,
    slug,
    name,
    members: people.filter((one) => one.team_id === id).map(({ email }) => email),
    projects: theirs.flatMap((one) => (one.team_id === id ? (projects.get(one.project_id) ?? []) : [])),
    createdAt: isoOf(created_at),
  }));
};

const projects: Read = async function* ({ db }, scope) {
  const ids = idsOf(scope);
  const rows = await db.selectFrom('project').selectAll().where('id', 'in', ids).orderBy('id').execute();
  const keys = groupedBy(
    await db.selectFrom('project_key').selectAll().where('project_id', 'in', ids).orderBy('id').execute(),
    (key) => key.project_id,
  );
  const aliases = groupedBy(
    await db.selectFrom('project_alias').selectAll().where('project_id', 'in', ids).orderBy('id').execute(),
    (alias) => alias.project_id,
  );
  const rules = groupedBy(
    await db.selectFrom('ownership').selectAll().where('project_id', 'in', ids).execute(),
    (one) => one.project_id,
  );
  const files = groupedBy(
    await db.selectFrom('codeowners').selectAll().where('project_id', 'in', ids).orderBy('id').execute(),
    (one) => one.project_id,
  );
  const mappings = groupedBy(
    await db.selectFrom('code_mapping').selectAll().where('project_id', 'in', ids).orderBy('id').execute(),
    (one) => one.project_id,
  );
  yield rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    platform: row.platform,
    shortIdPrefix: row.short_id_prefix,
    settings: jsonOf(row.settings),
    createdAt: isoOf(row.created_at),
    firstEventAt: isoOf(row.first_event_at),
    aliases: aliases(row.id).map(({ alias }) => alias),
    keys: keys(row.id).map((key) => ({
      id: key.id,
      publicKey: key.public_key,
      label: key.label,
      isActive: isSet(key.is_active),
      rateLimit:
        key.rate_limit_count === null
          ? null
          : { count: key.rate_limit_count, windowSeconds: key.rate_limit_window_seconds },
      blobBytesPerDay: key.blob_bytes_per_day,
      createdAt: isoOf(key.created_at),
    })),
    ownership: rules(row.id).map(({ raw, auto_assignment: autoAssignment }) => ({ raw, autoAssignment }))[0] ?? null,
    codeowners: files(row.id).map(({ raw, repository_id: repositoryId, names }) => ({
      raw,
      repositoryId,
      names: jsonOf(names),
    })),
    codeMappings: mappings(row.id).map((one) => ({
      repositoryId: one.repository_id,
      stackRoot: one.stack_root,
      sourceRoot: one.source_root,
      branch: one.branch,
    })),
  }));
};

const repositories: Read = ({ db }, { organizationId }) =>
  once(
    db
      .selectFrom('repository')
      .select(['id', 'name', 'provider', 'url', 'link_template as linkTemplate', 'default_branch as defaultBranch'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute(),
  );

const releases: Read = async function* ({ db }, scope) {
  const pages = byId((afterId, limit) =>
    db
      .selectFrom('release')
      .selectAll()
      .where('organization_id', '=', scope.organizationId)
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const page of pages) {
    const ids = page.map(({ id }) => id);
    const used = groupedBy(
      await db.selectFrom('release_project').selectAll().where('release_id', 'in', ids).execute(),
      (one) => one.release_id,
    );
    const commits = groupedBy(
      await db
        .selectFrom('release_commit')
        .innerJoin('commit', 'commit.id', 'release_commit.commit_id')
        .select(['release_id', 'repository_id', 'sha', 'message', 'author_name', 'author_email', 'committed_at'])
        .where('release_id', 'in', ids)
        .orderBy('position')
        .execute(),
      (one) => one.release_id,
    );
    const deploys = groupedBy(
      await db.selectFrom('deploy').selectAll().where('release_id', 'in', ids).orderBy('id').execute(),
      (one) => one.release_id,
    );
    const rows = page.map((row) => ({
      id: row.id,
      version: row.version,
      status: row.status,
      ref: row.ref,
      url: row.url,
      createdAt: isoOf(row.created_at),
      startedAt: isoOf(row.date_started),
      releasedAt: isoOf(row.date_released),
      projects: used(row.id).flatMap(({ project_id, first_seen, last_seen }) => {
        const project = scope.projects.get(project_id);
        return project ? [{ project, firstSeen: isoOf(first_seen), lastSeen: isoOf(last_seen) }] : [];
      }),
      commits: commits(row.id).map((one) => ({
        repositoryId: one.repository_id,
        sha: one.sha,
        message: one.message,
        authorName: one.author_name,
        authorEmail: one.author_email,
        committedAt: isoOf(one.committed_at),
      })),
      deploys: deploys(row.id).map((one) => ({
        environment: one.environment,
        name: one.name,
        url: one.url,
        startedAt: isoOf(one.date_started),
        finishedAt: isoOf(one.date_finished),
      })),
    }));
    // Of some projects, those that they use.
    yield scope.isPart ? rows.filter((row) => row.projects.length > 0) : rows;
  }
};

const discarded: Read = async function* ({ db }, scope) {
  const rows = await db.selectFrom('tombstone').selectAll().where('project_id', 'in', idsOf(scope)).execute();
  const hashes = groupedBy(
    await db.selectFrom('discarded_hash').selectAll().where('project_id', 'in', idsOf(scope)).execute(),
    (one) => one.tombstone_id,
  );
  yield rows.map((row) => ({
    project: scope.projects.get(row.project_id) ?? null,
    title: row.title,
    culprit: row.culprit,
    level: row.level,
    type: row.type,
    hashes: hashes(row.id).map(({ hash }) => hash),
    createdAt: isoOf(row.created_at),
  }));
};

const alertRules: Read = async function* ({ db }, scope) {
  const rows = await db
    .selectFrom('alert_rule')
    .selectAll()
    .where('organization_id', '=', scope.organizationId)
    .orderBy('id')
    .execute();
  yield rows.flatMap((row) => {
    const ids = jsonOf(row.project_ids) as readonly number[];
    const slugs = ids.flatMap((id) => scope.projects.get(id) ?? []);
    // Of all projects, or of one that was asked for.
    if (ids.length > 0 && slugs.length === 0) return [];
    return {
      id: row.id,
      kind: row.kind,
      name: row.name,
      enabled: isSet(row.enabled),
      projects: slugs,
      environment: row.environment,
      query: row.query,
      definition: jsonOf(row.definition),
      throttleMinutes: row.throttle_minutes,
      digestMinutes: row.digest_minutes,
      channelIds: jsonOf(row.channel_ids),
      owner: row.owner,
      mutedUntil: isoOf(row.muted_until),
      createdAt: isoOf(row.created_at),
    };
  });
};

/** Without their settings, which hold addresses and secrets. */
const channels: Read = ({ db }, { organizationId }) =>
  once(
    db
      .selectFrom('channel')
      .select(['id', 'type', 'name', 'enabled'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
      .then((rows) => rows.map((row) => ({ ...row, enabled: isSet(row.enabled) }))),
  );

const savedSearches: Read = ({ db }, { organizationId }) =>
  once(
    db
      .selectFrom('saved_search')
      .innerJoin('user', 'user.id', 'saved_search.user_id')
      .selectAll('saved_search')
      .select('user.email')
      .where('organization_id', '=', organizationId)
      .orderBy('saved_search.id')
      .execute()
      .then((rows) =>
        rows.map((row) => ({
          type: row.type,
          name: row.name,
          query: row.query,
          sort: row.sort,
          visibility: row.visibility,
          state: jsonOf(row.state),
          owner: row.email,
          createdAt: isoOf(row.created_at),
        })),
      ),
  );

const feedback: Read = async function* ({ db }, scope) {
  const pages = byId((afterId, limit) =>
    db
      .selectFrom('feedback')
      .selectAll()
      .where('project_id', 'in', idsOf(scope))
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const page of pages) {
    yield page.map((row) => ({
      id: row.feedback_id,
      project: scope.projects.get(row.project_id) ?? null,
      kind: row.kind,
      status: row.status,
      message: row.message,
      name: row.name,
      email: row.email,
      url: row.url,
      source: row.source,
      eventId: row.event_id,
      release: row.release,
      environment: row.environment,
      details: jsonOf(row.details),
      createdAt: isoOf(row.created_at),
    }));
  }
};

/** In the order of the files. */
export const stateKinds = {
  organizations,
  members,
  teams,
  projects,
  repositories,
  releases,
  issues,
  discarded,
  'alert-rules': alertRules,
  channels,
  'saved-searches': savedSearches,
  feedback,
} as const satisfies Record<string, Read>;
