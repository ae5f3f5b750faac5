/** Commands for teams. */
import { CodedError } from '../../base/errors.ts';
import { slugFrom } from '../projects/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { taken, limits } from '../../base/texts/things.ts';

const maxTeams = 500;

export interface NewTeam {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly projectIds: readonly number[];
  readonly userIds: readonly string[];
}

/** Returns its id. Throws `SLUG_TAKEN`. */
export async function createTeam(state: State, organizationId: string, input: NewTeam, now: number): Promise<number> {
  const name = input.name ?? input.slug ?? '';
  const slug = input.slug ?? slugFrom(name, 'team');
  return state.transaction(async (trx) => {
    const others = await trx.selectFrom('team').select('slug').where('organization_id', '=', organizationId).execute();
    if (others.length >= maxTeams) {
      throw new CodedError('INPUT_INVALID', [limits.teams(maxTeams)]);
    }
    if (others.some((other) => other.slug === slug)) throw new CodedError('SLUG_TAKEN', [taken.team(slug)]);
    const { id } = await trx
      .insertInto('team')
      .values({ organization_id: organizationId, slug, name, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    await setProjects(trx, id, input.projectIds, now);
    if (input.userIds.length) {
      await trx
        .insertInto('team_member')
        .values([...new Set(input.userIds)].map((userId) => ({ team_id: id, user_id: userId, created_at: now })))
        .execute();
    }
    return id;
  });
}

export interface TeamChange {
  readonly name?: string | undefined;
  readonly slug?: string | undefined;
  readonly projectIds?: readonly number[] | undefined;
}

/** What is undefined stays. Throws `SLUG_TAKEN`. */
export async function updateTeam(
  state: State,
  organizationId: string,
  teamId: number,
  { name, slug, projectIds }: TeamChange,
  now: number,
): Promise<void> {
  await state.transaction(async (trx) => {
    if (slug !== undefined) {
      const other = await trx
        .selectFrom('team')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('slug', '=', slug)
        .where('id', '!=', teamId)
        .executeTakeFirst();
      if (other) throw new CodedError('SLUG_TAKEN', [taken.team(slug)]);
    }
    if (name !== undefined || slug !== undefined) {
      await trx
        .updateTable('team')
        .set({ ...(name !== undefined && { name }), ...(slug !== undefined && { slug }) })
        .where('id', '=', teamId)
        .execute();
    }
    if (projectIds) await setProjects(trx, teamId, projectIds, now);
  });
}

async function setProjects(
  trx: StateTransaction,
  teamId: number,
  projectIds: readonly number[],
  now: number,
): Promise<void> {
  await trx.deleteFrom('team_project').where('team_id', '=', teamId).execute();
  if (!projectIds.length) return;
  await trx
    .insertInto('team_project')
    .values([...new Set(projectIds)].map((id) => ({ team_id: teamId, project_id: id, created_at: now })))
    .execute();
}

/** Its issues must be unassigned before. */
export async function deleteTeam(state: State, teamId: number): Promise<void> {
  await state.db.deleteFrom('team').where('id', '=', teamId).execute();
}

export async function addToProject(state: State, teamId: number, projectId: number, now: number): Promise<void> {
  await state.db
    .insertInto('team_project')
    .values({ team_id: teamId, project_id: projectId, created_at: now })
    .onConflict((conflict) => conflict.columns(['team_id', 'project_id']).doNothing())
    .execute();
}

export async function removeFromProject(state: State, teamId: number, projectId: number): Promise<void> {
  await state.db.deleteFrom('team_project').where('team_id', '=', teamId).where('project_id', '=', projectId).execute();
}

/** In one go: in the given teams of the organisation and in no others of it. */
export async function setTeamsOf(
  trx: StateTransaction,
  { organizationId, userId, teamIds }: { organizationId: string; userId: string; teamIds: readonly number[] },
  now: number,
): Promise<void> {
  await trx
    .deleteFrom('team_member')
    .where('user_id', '=', userId)
    .where('team_id', 'in', (eb) =>
      eb.selectFrom('team').select('team.id').where('team.organization_id', '=', organizationId),
    )
    .execute();
  await addToTeams(trx, userId, teamIds, now);
}

export async function addToTeams(
  trx: StateTransaction | State['db'],
  userId: string,
  teamIds: readonly number[],
  now: number,
): Promise<void> {
  if (!teamIds.length) return;
  await trx
    .insertInto('team_member')
    .values([...new Set(teamIds)].map((id) => ({ team_id: id, user_id: userId, created_at: now })))
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doNothing())
    .execute();
}

export async function removeFromTeam(state: State, userId: string, teamId: number): Promise<void> {
  await state.db.deleteFrom('team_member').where('user_id', '=', userId).where('team_id', '=', teamId).execute();
}
