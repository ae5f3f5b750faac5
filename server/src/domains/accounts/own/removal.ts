/**
 * The end of an account. What somebody wrote and did stays, by "Deleted user": a row without name, address and password
 * keeps its place. All that was theirs alone goes: sessions, tokens, memberships, settings, what they followed.
 */
import { randomUUID } from 'node:crypto';
import { CodedError } from '../../../base/errors.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { deletedUser } from '../../../base/texts/mail.ts';

/** Returns the organisations that they were in. Throws `ACCOUNT_LAST_OWNER`. */
export async function removeAccount(state: State, userId: string): Promise<readonly string[]> {
  return state.transaction(async (trx) => {
    const memberships = await trx
      .selectFrom('member')
      .innerJoin('organization', 'organization.id', 'member.organizationId')
      .select(['organization.id', 'organization.name', 'member.role'])
      .where('member.userId', '=', userId)
      .orderBy('organization.name')
      .execute();
    const owned = memberships.filter(({ role }) => role === 'owner');
    const alone: string[] = [];
    for (const { id, name } of owned) if ((await ownersOf(trx, id)) === 1) alone.push(name);
    if (alone.length) throw new CodedError('ACCOUNT_LAST_OWNER', [alone.join(', ')]);

    for (const table of ['session', 'account', 'member', 'twoFactor', 'passkey'] as const) {
      await trx.deleteFrom(table).where('userId', '=', userId).execute();
    }
    for (const table of own) await trx.deleteFrom(table).where('user_id', '=', userId).execute();
    await trx.deleteFrom('saved_search').where('user_id', '=', userId).where('visibility', '=', 'owner').execute();
    await trx.deleteFrom('invite').where('inviter_id', '=', userId).execute();
    await trx
      .updateTable('user')
      .set({
        name: deletedUser,
        // The domain that can never be one.
        email: `deleted-${randomUUID()}@deleted.invalid`,
        emailVerified: false,
        image: null,
        twoFactorEnabled: false,
        updatedAt: new Date(),
      })
      .where('id', '=', userId)
      .execute();
    return memberships.map(({ id }) => id);
  });
}

const own = [
  'api_token',
  'installation_owner',
  'team_member',
  'scim_user',
  'account_link',
  'sign_in_identity',
  'user_preference',
  'notification_setting',
  'digest_watch',
  'issue_bookmark',
  'issue_subscription',
  'issue_seen',
  'saved_search_pin',
  'recent_search',
] as const;

async function ownersOf(trx: StateTransaction, organizationId: string): Promise<number> {
  const { n } = await trx
    .selectFrom('member')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  return Number(n);
}
