/**
 * Where members see the projects of their teams only, a manager's power over people and teams ends there too: at their
 * own teams, and at who is in no other.
 */
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';

type Caller = Pick<Membership, 'within'>;

/** Throws `TEAM_NOT_YOURS` unless the caller may change all of these teams, and who is in them. */
export function checkTeams({ within }: Caller, teamIds: readonly number[]): void {
  if (within && !teamIds.every((id) => within.teamIds.has(id))) throw new CodedError('TEAM_NOT_YOURS');
}

/** Throws it unless somebody is in teams of the caller, and in these alone: who is in none is nobody's. */
export function checkPerson({ within }: Caller, teamIds: readonly number[]): void {
  if (within && !teamIds.length) throw new CodedError('TEAM_NOT_YOURS');
  checkTeams({ within }, teamIds);
}

/** Throws it unless the teams that come and go for somebody are the caller's. */
export function checkMove(caller: Caller, before: readonly number[], after: readonly number[]): void {
  const stays = new Set(before.filter((id) => after.includes(id)));
  checkTeams(
    caller,
    [...before, ...after].filter((id) => !stays.has(id)),
  );
}
