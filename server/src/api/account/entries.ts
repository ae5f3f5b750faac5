/** Entries of the audit log about an account: the same in the log of each organisation of the person. */
import type { Identity, User } from '../../domains/accounts/index.ts';
import type { Action, Audit, Deed, Note, Told } from '../../domains/audit/index.ts';
import type { StateTransaction } from '../../ports/state/state.ts';

/** Of who is signed in. */
export function noteOwn(
  note: Note,
  { user, memberships }: Identity,
  told: Told & { readonly action?: Action } = {},
): void {
  for (const { organizationId } of memberships) note({ id: user.id, name: user.email }, { ...told, organizationId });
}

/** Of anybody. */
export async function recordPerson(
  audit: Audit,
  trx: StateTransaction,
  {
    deed: { action, actor, source },
    user,
    ...told
  }: Told & { readonly deed: Deed; readonly user: Pick<User, 'id' | 'email'> },
): Promise<void> {
  if (action === undefined) throw new Error('nothing says what was done');
  const target = { id: user.id, name: user.email };
  const members = await trx.selectFrom('member').select('organizationId').where('userId', '=', user.id).execute();
  await audit.record(
    trx,
    members.map(({ organizationId }) => ({ ...told, organizationId, action, actor, source, target })),
  );
}
