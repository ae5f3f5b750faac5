/** API tokens. The token itself is shown once; what is kept is its SHA-256, which for 256 random bits is as good as a slow hash. */
import { createHash, randomBytes } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { CodedError } from '../errors.ts';
import { checked } from '../projects/index.ts';
import type { StateSchema } from '../state/schema.ts';
import type { State } from '../state/state.ts';
import { buildIdentity, identityOf, membershipsOf, organizationOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { newToken } from './input.ts';
import { expandScopes, scopesOfRole } from './scopes.ts';
import type { Scope } from './scopes.ts';

// The forms that Sentry's clients check. They read URL and organisation from the second.
const tokenForm = /^(?:sntryu_[0-9a-f]{64}|sntrys_[A-Za-z0-9+/]{8,2048}={0,2}_[A-Za-z0-9+/]{43})$/;
/** What a token of an organisation may do: upload from a build. */
const organizationScopes = ['org:ci'] as const satisfies readonly Scope[];
const usedEveryMs = 60_000;

/** A user's own token; or one of the organisation for its builds, which stays when the user leaves. */
export type TokenKind = 'user' | 'organization';

export interface ApiToken {
  readonly id: number;
  readonly kind: TokenKind;
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
  /** A user's unless given. */
  readonly kind?: TokenKind | undefined;
  /** Of a user's token; those of an organisation's are always the same. */
  readonly scopes?: readonly Scope[] | undefined;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Makes a token for one organisation. `token` is the only time that it can be seen; `url` is the public address, which
 * stands in a token of an organisation. Throws `SCOPE_MISSING` where a scope goes beyond the user's role,
 * `PERMISSION_DENIED` for who is no member.
 */
export async function createToken(
  state: State,
  given: NewToken,
  url: string,
): Promise<ApiToken & { readonly token: string }> {
  const { organizationId, userId, kind = 'user' } = given;
  const asked = kind === 'organization' ? organizationScopes : (given.scopes ?? []);
  const { name, scopes } = checked(newToken, { name: given.name, scopes: [...asked] });
  const [membership] = await membershipsOf(state, userId, organizationId);
  if (!membership) throw new CodedError('PERMISSION_DENIED');
  const allowed = new Set(scopesOfRole(membership.role));
  const beyond = expandScopes(scopes).find((scope) => !allowed.has(scope));
  if (beyond !== undefined) throw new CodedError('SCOPE_MISSING', [beyond]);

  const now = Date.now();
  const token = kind === 'organization' ? organizationToken(url, membership.slug, now) : userToken();
  const row = await state.db
    .insertInto('api_token')
    .values({
      organization_id: organizationId,
      user_id: userId,
      name,
      token_hash: hashOf(token),
      token_hint: token.slice(-4),
      scopes: JSON.stringify([...new Set(scopes)]),
      kind,
      created_at: now,
      last_used_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...toToken(row), token };
}

const userToken = (): string => `sntryu_${randomBytes(32).toString('hex')}`;

/** Clients upload with it alone: address and organisation are in it. */
function organizationToken(url: string, organization: string, now: number): string {
  const facts = JSON.stringify({ iat: now / 1000, url, region_url: url, org: organization });
  const secret = randomBytes(32).toString('base64').replace('=', '');
  return `sntrys_${Buffer.from(facts).toString('base64')}_${secret}`;
}

/** Whose tokens: all of the organisation; or those of one user, with the organisation's own where `shared`. */
export interface TokenOwner {
  readonly organizationId: string;
  readonly userId?: string | undefined;
  readonly shared?: boolean | undefined;
}

/** The newest first. */
export async function listTokens(state: State, owner: TokenOwner): Promise<ApiToken[]> {
  const rows = await state.db
    .selectFrom('api_token')
    .selectAll()
    .where((token) => ownedBy(token, owner))
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toToken);
}

/** False when there is no such token. */
export async function deleteToken(state: State, { id, ...owner }: TokenOwner & { id: number }): Promise<boolean> {
  const deleted = await state.db
    .deleteFrom('api_token')
    .where('id', '=', id)
    .where((token) => ownedBy(token, owner))
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

function ownedBy(token: ExpressionBuilder<StateSchema, 'api_token'>, { organizationId, userId, shared }: TokenOwner) {
  const inOrganization = token('organization_id', '=', organizationId);
  if (userId === undefined) return inOrganization;
  const own = token.and([token('user_id', '=', userId), token('kind', '=', 'user')]);
  return token.and([inOrganization, shared ? token.or([own, token('kind', '=', 'organization')]) : own]);
}

/**
 * Whose token it is; undefined for one that is none, was deleted, or is of a user who has left the organisation. One of
 * an organisation stands for whoever made it, with what a build may do.
 */
export async function identifyToken(state: State, token: string, now = Date.now()): Promise<Identity | undefined> {
  if (!tokenForm.test(token)) return undefined;
  const row = await state.db
    .selectFrom('api_token')
    .innerJoin('user', 'user.id', 'api_token.user_id')
    .select([
      'api_token.id as tokenId',
      'api_token.organization_id as organizationId',
      'api_token.scopes as scopes',
      'api_token.kind as kind',
      'api_token.last_used_at as lastUsedAt',
      'user.id as id',
      'user.email as email',
      'user.name as name',
    ])
    .where('api_token.token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!row) return undefined;
  const user = { id: row.id, email: row.email, name: row.name };
  const granted = JSON.parse(row.scopes) as string[];
  const identity =
    row.kind === 'organization'
      ? buildIdentity(user, await organizationOf(state, row.organizationId), granted)
      : identityOf(user, await membershipsOf(state, row.id, row.organizationId), granted);
  if (identity.memberships.length === 0) return undefined;
  if (row.lastUsedAt === null || now - row.lastUsedAt >= usedEveryMs) {
    await state.db.updateTable('api_token').set({ last_used_at: now }).where('id', '=', row.tokenId).execute();
  }
  return identity;
}

interface TokenRow {
  readonly id: number;
  readonly organization_id: string;
  readonly user_id: string;
  readonly name: string;
  readonly token_hint: string;
  readonly scopes: string;
  readonly kind: TokenKind;
  readonly created_at: number;
  readonly last_used_at: number | null;
}

const toToken = (row: TokenRow): ApiToken => ({
  id: row.id,
  kind: row.kind,
  organizationId: row.organization_id,
  userId: row.user_id,
  name: row.name,
  scopes: JSON.parse(row.scopes) as Scope[],
  hint: row.token_hint,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
});
