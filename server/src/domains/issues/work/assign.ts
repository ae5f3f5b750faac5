/** Who has an issue. */
import { chunksOf } from '../../../base/chunks.ts';
import type { Live } from '../../../base/live.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { sightIn } from '../../accounts/index.ts';
import { noteActivity } from '../activity.ts';
import { follow } from './marks.ts';
import { announce } from './announce.ts';
import type { AssigneeBefore, AssignedTo, Assignment } from './types.ts';

interface Named {
  readonly name: string;
  readonly email?: string;
}

/** Gives the issues to a person, a team or nobody; what they were before, of those that are different now. Who is gone gets none, and nobody gets what they cannot see. */
export async function assignIn(
  trx: StateTransaction,
  { issueIds, to, byUserId, why, onlyFree = false, many = false, nowMs }: Assignment,
): Promise<Map<number, AssigneeBefore>> {
  const changed = new Map<number, AssigneeBefore>();
  const next = columnsOf(to);
  const named = to && (await nameOf(trx, to));
  if (to && !named) return changed;
  for (const chunk of chunksOf(issueIds, 500)) {
    const rows = await trx
      .selectFrom('issue')
      .innerJoin('project', 'project.id', 'issue.project_id')
      .select(['issue.id', 'assignee_user_id', 'assignee_team_id', 'project_id', 'organization_id'])
      .where('issue.id', 'in', chunk)
      .where('merged_into', 'is', null)
      .execute();
    const sees = await sightOf(trx, to, rows);
    const others = rows.filter(
      (row) =>
        sees(row) &&
        (row.assignee_user_id !== next.assignee_user_id || row.assignee_team_id !== next.assignee_team_id) &&
        (!onlyFree || (row.assignee_user_id === null && row.assignee_team_id === null)),
    );
    if (!others.length) continue;
    const ids = others.map(({ id }) => id);
    await trx.updateTable('issue').set(next).where('id', 'in', ids).execute();
    const data = {
      ...(to && { assignee: String(to.id), assigneeType: to.kind, assigneeName: named?.name ?? '' }),
      ...(named?.email && { assigneeEmail: named.email }),
      why,
      ...(many && { many }),
    };
    await noteActivity(
      trx,
      ids.map((issueId) => ({ issueId, type: to ? 'assigned' : 'unassigned', userId: byUserId, data, at: nowMs })),
    );
    if (to?.kind === 'user') await follow(trx, { issueIds: ids, userId: to.id, nowMs }, 'assigned');
    for (const row of others) {
      changed.set(row.id, { userId: row.assignee_user_id, teamId: row.assignee_team_id });
    }
  }
  return changed;
}

/** The same in a transaction of its own, told to open screens. Ids of the issues that are different now. */
export async function assign({ state, live }: { state: State; live: Live }, asked: Assignment): Promise<number[]> {
  const changed = await state.transaction((trx) => assignIn(trx, asked));
  await announce({ state, live }, [...changed.keys()]);
  return [...changed.keys()];
}

/** Whether the one who is to have issues sees them. What a team has, those of it see who see the project. */
async function sightOf(
  trx: StateTransaction,
  to: AssignedTo | null,
  rows: readonly { readonly organization_id: string }[],
): Promise<(row: { readonly organization_id: string; readonly project_id: number }) => boolean> {
  if (to?.kind !== 'user') return () => true;
  const sees = await sightIn(trx, [...new Set(rows.map((row) => row.organization_id))]);
  return (row) => sees(row.organization_id, to.id, row.project_id);
}

const columnsOf = (to: AssignedTo | null) => ({
  assignee_user_id: to?.kind === 'user' ? to.id : null,
  assignee_team_id: to?.kind === 'team' ? to.id : null,
});

async function nameOf(trx: StateTransaction, to: AssignedTo): Promise<Named | undefined> {
  if (to.kind === 'user') {
    return trx.selectFrom('user').select(['name', 'email']).where('id', '=', to.id).executeTakeFirst();
  }
  return trx.selectFrom('team').select('slug as name').where('id', '=', to.id).executeTakeFirst();
}

/** Back to who had them, where `to` has them still. */
export async function unassignIn(
  trx: StateTransaction,
  before: ReadonlyMap<number, AssigneeBefore>,
  { to, byUserId, nowMs }: Pick<Assignment, 'to' | 'byUserId' | 'nowMs'>,
): Promise<number[]> {
  const set = columnsOf(to);
  const restored: number[] = [];
  const groups = Map.groupBy(before, ([, { userId, teamId }]) => `${userId ?? ''} ${teamId ?? ''}`);
  for (const same of groups.values()) {
    const [, former] = same[0] ?? [];
    if (!former) continue;
    const ids = same.map(([id]) => id);
    const still = await trx
      .selectFrom('issue')
      .select('id')
      .where('id', 'in', ids)
      .where('assignee_user_id', set.assignee_user_id === null ? 'is' : '=', set.assignee_user_id)
      .where('assignee_team_id', set.assignee_team_id === null ? 'is' : '=', set.assignee_team_id)
      .execute();
    const issueIds = still.map(({ id }) => id);
    const [one] = issueIds;
    if (one === undefined) continue;
    const assignment = { issueIds, to: await stillThere(trx, former, one), byUserId, nowMs };
    restored.push(...(await assignIn(trx, { ...assignment, why: 'user', many: true })).keys());
  }
  return restored;
}

/** Who is gone since, or has left the issue's organisation, is nobody. */
async function stillThere(
  trx: StateTransaction,
  { userId, teamId }: AssigneeBefore,
  issueId: number,
): Promise<AssignedTo | null> {
  if (userId === null) {
    const team: AssignedTo | null = teamId === null ? null : { kind: 'team', id: teamId };
    return team && (await nameOf(trx, team)) ? team : null;
  }
  const member = await trx
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .innerJoin('member', 'member.organizationId', 'project.organization_id')
    .select('member.id')
    .where('issue.id', '=', issueId)
    .where('member.userId', '=', userId)
    .executeTakeFirst();
  return member ? { kind: 'user', id: userId } : null;
}
