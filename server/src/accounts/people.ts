/** Who may be named in an organisation. */
import type { State } from '../state/state.ts';

/** Addresses and names of its members, in lower case. */
export async function namesOfMembers(state: State, organizationId: string): Promise<ReadonlySet<string>> {
  const members = await state.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['user.email', 'user.name'])
    .where('member.organizationId', '=', organizationId)
    .execute();
  return new Set(members.flatMap(({ email, name }) => [email, name]).map((name) => name.toLowerCase()));
}
