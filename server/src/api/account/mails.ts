/** Mails about an account. They go to an address, not to a member with wishes: nobody can turn them off. */
import { randomUUID } from 'node:crypto';
import type { User } from '../../domains/accounts/index.ts';
import { enqueue } from '../../domains/notify/index.ts';
import type { ApiDeps } from '../shared/deps.ts';

export interface AccountMail {
  readonly title: string;
  readonly text: string;
}

export const canMail = ({ config }: Pick<ApiDeps, 'config'>): boolean => config.smtpUrl !== '';

/** Nothing where no mail is sent, or the user is in no organisation any more, in whose name it could go out. */
export async function mailAccount(
  deps: Pick<ApiDeps, 'config' | 'state' | 'vault' | 'getUrl'>,
  user: Pick<User, 'id'>,
  { to, mail, path }: { readonly to: string; readonly mail: AccountMail; readonly path: string },
): Promise<void> {
  const { state, vault, getUrl } = deps;
  if (!canMail(deps)) return;
  const member = await state.db
    .selectFrom('member')
    .select('organizationId')
    .where('userId', '=', user.id)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst();
  if (!member) return;
  const key = `account:${randomUUID()}`;
  await enqueue(state.db, {
    key,
    organizationId: member.organizationId,
    to: { email: to },
    notification: vault.sealLink({
      kind: 'account',
      severity: 'info',
      ...mail,
      url: `${getUrl()}${path}`,
      fields: [],
      groupKey: key,
    }),
  });
}
