/**
 * How far a member sees: the whole organisation, or the projects of their teams, as the organisation has set. Owners and
 * admins always see all. It is read anew with each request and each message, never kept: what ended is over at once, on
 * every node.
 */
import { type RawBuilder, sql } from 'kysely';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { seeingAll } from './roles.ts';

export type MemberAccess = 'all' | 'teams';

/** The projects that somebody sees, and the teams because of which. */
export interface Reach {
  readonly projectIds: ReadonlySet<number>;
  readonly teamIds: ReadonlySet<number>;
}

/** In a statement that has `member` and `organization_setting`: whether this member sees no more than their teams'. */
export const isNarrowed = (): RawBuilder<boolean> =>
  sql<boolean>`organization_setting.member_access = 'teams' and member.role not in (${sql.join(seeingAll)})`;

/** Pure: of rows of one membership, with a team and a project each; undefined for who sees all. */
export function reachOf(
  rows: readonly { readonly narrowed: unknown; readonly teamId: number | null; readonly projectId: number | null }[],
): Reach | undefined {
  // 1 or true, as the database says it.
  if (!rows[0]?.narrowed) return undefined;
  return {
    projectIds: new Set(rows.flatMap(({ projectId }) => projectId ?? [])),
    teamIds: new Set(rows.flatMap(({ teamId }) => teamId ?? [])),
  };
}

/** Whether a member sees a project of the organisation. */
export type Sight = (organizationId: string, userId: string, projectId: number) => boolean;

/** Of all members of the organisations, in one statement. */
export async function sightIn(db: State['db'] | StateTransaction, organizationIds: readonly string[]): Promise<Sight> {
  if (!organizationIds.length) return () => true;
  const rows = await db
    .selectFrom('organization_setting')
    .innerJoin('member', 'member.organizationId', 'organization_setting.organization_id')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('team')
          .innerJoin('team_member', 'team_member.team_id', 'team.id')
          .innerJoin('team_project', 'team_project.team_id', 'team.id')
          .select(['team.organization_id', 'team_member.user_id', 'team_project.project_id'])
          .as('seen'),
      (join) =>
        join
          .onRef('seen.organization_id', '=', 'organization_setting.organization_id')
          .onRef('seen.user_id', '=', 'member.userId'),
    )
    .select(['member.organizationId as organizationId', 'member.userId as userId', 'seen.project_id as projectId'])
    .where('organization_setting.organization_id', 'in', organizationIds)
    .where(isNarrowed())
    .execute();
  const narrowed = Map.groupBy(rows, ({ organizationId, userId }) => `${organizationId} ${userId}`);
  return (organizationId, userId, projectId) =>
    narrowed.get(`${organizationId} ${userId}`)?.some((row) => row.projectId === projectId) ?? true;
}
