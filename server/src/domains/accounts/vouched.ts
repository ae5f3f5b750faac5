/** A member whom another service vouches for, by their address: what they may do there is what they may do here. */
import type { State } from '../../ports/state/state.ts';
import { seenFrom } from './allowed-addresses.ts';
import { identityOf, type Membership, membershipsOf } from './identity.ts';
import type { User } from './users.ts';

export interface Vouched {
  readonly user: User;
  readonly membership: Membership;
}

/**
 * Undefined where no member has the address. `from`: where the service calls from. A second factor and the like are
 * demanded of sessions; whoever connected the service has shown them.
 */
export async function memberByEmail(
  state: State,
  { organizationId, email, from }: { readonly organizationId: string; readonly email: string; readonly from: string },
): Promise<Vouched | undefined> {
  const user = await state.db
    .selectFrom('user')
    .innerJoin('member', 'member.userId', 'user.id')
    .select(['user.id', 'user.name', 'user.email'])
    .where('user.email', '=', email.trim().toLowerCase())
    .where('member.organizationId', '=', organizationId)
    .executeTakeFirst();
  if (!user) return undefined;
  const identity = seenFrom(identityOf(user, await membershipsOf(state, user.id, organizationId)), from);
  const [membership] = identity.memberships;
  return membership && { user, membership };
}
