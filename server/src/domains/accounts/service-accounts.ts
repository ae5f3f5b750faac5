/**
 * Service accounts: tokens of an organisation with a role and a name of their own, for programs that are nobody's. What
 * they do stands under that name, so each has a user, who has no way to sign in and is no member. They stay when their
 * maker leaves, and see all projects.
 */
import { CodedError } from '../../base/errors.ts';
import { checked } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import { limits } from '../../base/texts/things.ts';
import { newServiceAccount } from './input.ts';
import type { Role } from './roles.ts';
import { type ApiToken, findApiToken, hashOf, type ParentToken, userToken } from './tokens.ts';
import { type Expiry, expiryOf } from './token-expiry.ts';
import { newId } from './users.ts';

export interface NewServiceAccount {
  readonly organizationId: string;
  readonly name: string;
  readonly role: Role;
  /** Who makes it; undefined on the host itself. */
  readonly makerId: string | undefined;
  /** After a year unless given. */
  readonly expiresAt?: Expiry | undefined;
  /** Where a token makes it, not a person. */
  readonly parent?: ParentToken | undefined;
}

const maxServiceAccounts = 200;

/** `token` is the only time that it can be seen. Whoever calls has checked that the maker may give the role. */
export async function createServiceAccount(
  state: State,
  { organizationId, role, makerId, ...input }: NewServiceAccount,
): Promise<ApiToken & { readonly token: string }> {
  const { name } = checked(newServiceAccount, { name: input.name });
  const now = Date.now();
  const expires_at = expiryOf(input.expiresAt, input.parent?.expiresAt ?? null, now);
  const token = userToken();
  const id = await state.transaction(async (trx) => {
    const { n } = await trx
      .selectFrom('api_token')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('organization_id', '=', organizationId)
      .where('kind', '=', 'service')
      .executeTakeFirstOrThrow();
    if (Number(n) >= maxServiceAccounts) {
      throw new CodedError('INPUT_INVALID', [limits.serviceAccounts(maxServiceAccounts)]);
    }
    const userId = newId();
    const at = new Date(now);
    // A domain that nobody can have (RFC 6761), so that no mail and no invitation reaches it.
    const email = `${userId.toLowerCase()}@service.invalid`;
    await trx
      .insertInto('user')
      .values({ id: userId, name, email, emailVerified: false, image: null, createdAt: at, updatedAt: at })
      .execute();
    const made = await trx
      .insertInto('api_token')
      .values({
        organization_id: organizationId,
        user_id: userId,
        name,
        token_hash: hashOf(token),
        token_hint: token.slice(-4),
        scopes: '[]',
        kind: 'service',
        role,
        maker_id: makerId ?? null,
        created_at: now,
        last_used_at: null,
        expires_at,
        parent_id: input.parent?.id ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return made.id;
  });
  return { ...(await findApiToken(state, id)), token };
}
