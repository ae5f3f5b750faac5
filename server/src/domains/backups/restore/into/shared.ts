/** What a project shares with its organisation: what is there already is taken, by its name; what is not is made. */
import { sql } from 'kysely';
import type { State, StateTransaction } from '../../../../ports/state/state.ts';
import { addRow, addRows, allRowsOf } from './rows.ts';
import { changedActor, type Ids, type Row } from './tables.ts';

export interface Sides {
  readonly from: State['db'];
  readonly to: StateTransaction;
  readonly fromOrganization: string;
  readonly toOrganization: string;
}

/** Those who are members here, by address. */
export async function mapPeople({ from, to, toOrganization }: Sides, ids: Ids): Promise<void> {
  const members = await to
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['user.id', 'user.email'])
    .where('member.organizationId', '=', toOrganization)
    .execute();
  const byAddress = new Map(members.map(({ id, email }) => [email.toLowerCase(), id]));
  for (const { id, email } of await from.selectFrom('user').select(['id', 'email']).execute()) {
    const here = byAddress.get(email.toLowerCase());
    if (here !== undefined) ids.user.set(id, here);
  }
}

/** Resolves to the rows that were made, by the ids that they had. */
async function takeOrMake(
  { to }: Sides,
  table: string,
  rows: readonly Row[],
  { ids, key, change }: { ids: Map<unknown, unknown>; key: readonly string[]; change: (row: Row) => Row | undefined },
): Promise<Map<unknown, unknown>> {
  const made = new Map<unknown, unknown>();
  for (const row of rows) {
    const changed = change(row);
    if (!changed) continue;
    const conditions = key.map((column) => sql`${sql.ref(column)} = ${changed[column]}`);
    const { rows: found } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where ${sql.join(conditions, sql` and `)} limit 1
    `.execute(to);
    const id = found[0]?.id ?? (await addRow(to, table, changed));
    if (!found[0]) made.set(row['id'], id);
    ids.set(row['id'], id);
  }
  return made;
}

/** Teams that work on the project or have issues of it. */
export async function mapTeams(sides: Sides, ids: Ids, projectId: number): Promise<void> {
  const { from, to, toOrganization } = sides;
  const { rows } = await sql<Row>`
    select * from team where id in (select team_id from team_project where project_id = ${projectId}
      union select assignee_team_id from issue where project_id = ${projectId}) order by id
  `.execute(from);
  const made = await takeOrMake(sides, 'team', rows, {
    ids: ids.team,
    key: ['organization_id', 'slug'],
    change: (row) => ({ ...row, organization_id: toOrganization }),
  });
  const members = await allRowsOf(from, 'team_member', 'team_id', made.keys());
  await addRows(
    to,
    'team_member',
    members.flatMap((row) => {
      const user = ids.user.get(row['user_id']);
      return user === undefined ? [] : [{ ...row, team_id: made.get(row['team_id']), user_id: user }];
    }),
  );
}

/** Releases of the project with their commits and deploys; commits that resolve its issues; their repositories. */
export async function mapReleases(sides: Sides, ids: Ids, projectId: number): Promise<void> {
  const { from, to, toOrganization } = sides;
  const own = (row: Row): Row => ({ ...row, organization_id: toOrganization });
  const { rows: releases } = await sql<Row>`
    select * from release where id in (select release_id from release_project where project_id = ${projectId}
      union select release_id from release_environment where project_id = ${projectId}) order by id
  `.execute(from);
  const made = await takeOrMake(sides, 'release', releases, {
    ids: ids.release,
    key: ['organization_id', 'version'],
    change: own,
  });
  const heads = await allRowsOf(from, 'release_head', 'release_id', made.keys());
  const placed = await allRowsOf(from, 'release_commit', 'release_id', made.keys());
  const { rows: resolving } = await sql<{ id: number }>`
    select distinct commit_id as id from issue_commit join issue on issue.id = issue_id where project_id = ${projectId}
  `.execute(from);
  const commits = await allRowsOf(
    from,
    'commit',
    'id',
    new Set([...placed.map((row) => row['commit_id']), ...resolving.map(({ id }) => id)]),
  );
  const { rows: used } = await sql<{ id: number }>`
    select repository_id as id from code_mapping where project_id = ${projectId}
    union select repository_id from codeowners where project_id = ${projectId} and repository_id is not null
  `.execute(from);
  const repositories = new Set([
    ...used.map(({ id }): unknown => id),
    ...[...commits, ...heads].map((row) => row['repository_id']),
  ]);
  await takeOrMake(sides, 'repository', await allRowsOf(from, 'repository', 'id', repositories), {
    ids: ids.repository,
    key: ['organization_id', 'name'],
    change: own,
  });
  const toRepository = (row: Row): Row => ({ ...row, repository_id: ids.repository.get(row['repository_id']) });
  const madeCommits = await takeOrMake(sides, 'commit', commits, {
    ids: ids.commit,
    key: ['repository_id', 'sha'],
    change: toRepository,
  });
  const toRelease = (row: Row): Row => ({ ...row, release_id: made.get(row['release_id']) });
  const toCommit = (row: Row): Row => ({ ...row, commit_id: ids.commit.get(row['commit_id']) });
  await addRows(
    to,
    'commit_file',
    (await allRowsOf(from, 'commit_file', 'commit_id', madeCommits.keys())).map(toCommit),
  );
  await addRows(to, 'release_commit', placed.map(toRelease).map(toCommit));
  await addRows(to, 'release_head', heads.map(toRelease).map(toRepository));
  for (const row of await allRowsOf(from, 'deploy', 'release_id', made.keys()))
    await addRow(to, 'deploy', toRelease(row));
}

/** Rules that name the project, for it alone; channels stay behind with their secrets, and are found by type and name. */
export async function bringRules(sides: Sides, ids: Ids, projectId: number): Promise<number> {
  const { from, to, fromOrganization, toOrganization } = sides;
  const channels = await to
    .selectFrom('channel')
    .select(['id', 'type', 'name'])
    .where('organization_id', '=', toOrganization)
    .execute();
  const named = new Map(channels.map(({ id, type, name }) => [`${type} ${name}`, id]));
  const theirs = await from.selectFrom('channel').select(['id', 'type', 'name']).execute();
  const channelHere = new Map(theirs.map(({ id, type, name }) => [id, named.get(`${type} ${name}`)]));
  const rules = (await allRowsOf(from, 'alert_rule', 'organization_id', [fromOrganization])).filter((row) =>
    (JSON.parse(String(row['project_ids'])) as number[]).includes(projectId),
  );
  for (const rule of rules) {
    const here = (JSON.parse(String(rule['channel_ids'])) as number[]).flatMap((id) => channelHere.get(id) ?? []);
    const id = await addRow(to, 'alert_rule', {
      ...rule,
      organization_id: toOrganization,
      project_ids: JSON.stringify([...ids.project.values()]),
      channel_ids: JSON.stringify(here),
      owner: typeof rule['owner'] === 'string' ? (changedActor(rule['owner'], ids) ?? null) : null,
      created_by: ids.user.get(rule['created_by']) ?? null,
    });
    const mutes = await allRowsOf(from, 'alert_rule_mute', 'rule_id', [rule['id']]);
    await addRows(
      to,
      'alert_rule_mute',
      mutes.flatMap((row) => {
        const user = ids.user.get(row['user_id']);
        return user === undefined ? [] : [{ ...row, rule_id: id, user_id: user }];
      }),
    );
  }
  return rules.length;
}

/** Those of people who are members here; one that is there already, with the same name and text, is enough. */
export async function bringSearches(sides: Sides, ids: Ids): Promise<number> {
  const { from, fromOrganization, toOrganization } = sides;
  const searches = await allRowsOf(from, 'saved_search', 'organization_id', [fromOrganization]);
  const made = await takeOrMake(sides, 'saved_search', searches, {
    ids: new Map(),
    key: ['organization_id', 'user_id', 'type', 'name', 'query'],
    change: (row) => {
      const user = ids.user.get(row['user_id']);
      return user === undefined ? undefined : { ...row, organization_id: toOrganization, user_id: user };
    },
  });
  const pins = await allRowsOf(from, 'saved_search_pin', 'saved_search_id', made.keys());
  await addRows(
    sides.to,
    'saved_search_pin',
    pins.flatMap((row) => {
      const user = ids.user.get(row['user_id']);
      return user === undefined ? [] : [{ ...row, saved_search_id: made.get(row['saved_search_id']), user_id: user }];
    }),
  );
  return made.size;
}
