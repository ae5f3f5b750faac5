/** API tokens. The token itself is shown once; what is kept is its SHA-256, which for 256 random bits is as good as a slow hash. */
import { createHash, randomBytes } from 'node:crypto';
import { CodedError } from '../errors.ts';
import { checked } from '../projects/index.ts';
import type { State } from '../state/state.ts';
import { identityOf, membershipsOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { newToken } from './input.ts';
import { expandScopes, scopesOfRole } from './scopes.ts';
import type { Scope } from './scopes.ts';

// The forms that Sentry's clients check. Tokens of an organisation, `sntrys_`, will be the second.
const userTokenForm = /^sntryu_[0-9a-f]{64}$/;
const usedEveryMs = 60_000;

export interface ApiToken {
  readonly id: number;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  /** As given, without those they include. */
  readonly scopes: readonly Scope[];
  /** Last four characters. */
  readonly hint: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Within a minute; null when never used. */
  readonly lastUsedAt: number | null;
}

export interface NewToken {
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Makes a token of a user for one organisation. `token` is the only time that it can be seen. Throws
 * `SCOPE_MISSING` where a scope goes beyond the user's role, `PERMISSION_DENIED` for who is no member.
 */
export async function createToken(state: State, given: NewToken): Promise<ApiToken & { readonly token: string }> {
  const { organizationId, userId } = given;
  const { name, scopes } = checked(newToken, { name: given.name, scopes: [...given.scopes] });
  const [membership] = await membershipsOf(state, userId, organizationId);
  if (!membership) throw new CodedError('PERMISSION_DENIED');
  const allowed = new Set(scopesOfRole(membership.role));
  const beyond = expandScopes(scopes).find((scope) => !allowed.has(scope));
  if (beyond !== undefined) throw new CodedError('SCOPE_MISSING', [beyond]);

  const token = `sntryu_${randomBytes(32).toString('hex')}`;
  const row = await state.db
    .insertInto('api_token')
    .values({
      organization_id: organizationId,
      user_id: userId,
      name,
      token_hash: hashOf(token),
      token_hint: token.slice(-4),
      scopes: JSON.stringify([...new Set(scopes)]),
      created_at: Date.now(),
      last_used_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...toToken(row), token };
}

/** Tokens of an organisation, of one user where given; the newest first. */
export async function listTokens(state: State, organizationId: string, userId?: string): Promise<ApiToken[]> {
  let query = state.db.selectFrom('api_token').selectAll().where('organization_id', '=', organizationId);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  return (await query.orderBy('id', 'desc').execute()).map(toToken);
}

/** False when the organisation, or the user where given, has no such token. */
export async function deleteToken(
  state: State,
  { organizationId, userId, id }: { organizationId: string; userId?: string; id: number },
): Promise<boolean> {
  let query = state.db.deleteFrom('api_token').where('organization_id', '=', organizationId).where('id', '=', id);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  return (await query.returning('id').executeTakeFirst()) !== undefined;
}

/** Whose token it is; undefined for one that is none, was deleted, or whose owner has left the organisation. */
export async function identifyToken(state: State, token: string, now = Date.now()): Promise<Identity | undefined> {
  if (!userTokenForm.test(token)) return undefined;
  const row = await state.db
    .selectFrom('api_token')
    .innerJoin('user', 'user.id', 'api_token.user_id')
    .select([
      'api_token.id as tokenId',
      'api_token.organization_id as organizationId',
      'api_token.scopes as scopes',
      'api_token.last_used_at as lastUsedAt',
      'user.id as id',
      'user.email as email',
      'user.name as name',
    ])
    .where('api_token.token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!row) return undefined;
  const memberships = await membershipsOf(state, row.id, row.organizationId);
  if (memberships.length === 0) return undefined;
  if (row.lastUsedAt === null || now - row.lastUsedAt >= usedEveryMs) {
    await state.db.updateTable('api_token').set({ last_used_at: now }).where('id', '=', row.tokenId).execute();
  }
  return identityOf({ id: row.id, email: row.email, name: row.name }, memberships, JSON.parse(row.scopes) as string[]);
}

interface TokenRow {
  readonly id: number;
  readonly organization_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly token_hint: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

const toToken = (row: TokenRow): ApiToken => ({
  id: row.id,
  organizationId: row.organization_id,
  userId: row.user_id,
  name: row.name,
  scopes: JSON.parse(row.scopes) as Scope[],
  hint: row.token_hint,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});
