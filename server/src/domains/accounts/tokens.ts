/** API tokens. The token itself is shown once; what is kept is its SHA-256, which for 256 random bits is as good as a slow hash. */
import { createHash, randomBytes } from 'node:crypto';
import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import { checked } from '../projects/index.ts';
import type { ApiTokenTable, StateSchema } from '../../ports/state/schema.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { buildIdentity, identityOf, membershipsOf, organizationOf, serviceIdentity } from './identity.ts';
import type { Identity } from './identity.ts';
import { newToken } from './input.ts';
import { isRole, type Role, scopesOfRole } from './roles.ts';
import { expandScopes } from './scopes.ts';
import type { Scope } from './scopes.ts';
import { scopesIn } from './switches.ts';
import { type Expiry, expiryOf } from './token-expiry.ts';

// The forms that Sentry's clients check. They read URL and organisation from the second.
const tokenForm = /^(?:sntryu_[0-9a-f]{64}|sntrys_[A-Za-z0-9+/]{8,2048}={0,2}_[A-Za-z0-9+/]{43})$/;
/** What a token of an organisation may do: upload from a build. */
const organizationScopes = ['org:ci'] as const satisfies readonly Scope[];
const usedEveryMs = 60_000;

/**
 * A user's own token; one of the organisation for its builds, which may be kept when its maker leaves; or a service
 * account of it, with a role.
 */
export type TokenKind = 'user' | 'organization' | 'service';

export interface ApiToken {
  readonly id: number;
  readonly kind: TokenKind;
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  /** As given, without those they include; of a service account, those of its role. */
  readonly scopes: readonly Scope[];
  /** Of a service account. */
  readonly role: Role | undefined;
  /** Last four characters. */
  readonly hint: string;
  /** ms since the epoch. */
  readonly createdAt: number;
  /** Within a minute; null when never used. */
  readonly lastUsedAt: number | null;
  readonly expiresAt: Expiry;
  /** Who made it; one of an organisation may outlast their membership. '' for who is gone. */
  readonly maker: { readonly name: string; readonly email: string; readonly isMember: boolean };
  /** Whether a person granted it to a program, which renews it. */
  readonly isGranted: boolean;
}

/** A token that makes another one: that ends with it. */
export interface ParentToken {
  readonly id: number;
  readonly expiresAt: Expiry;
}

export interface NewToken {
  readonly organizationId: string;
  readonly userId: string;
  readonly name: string;
  /** A user's unless given. */
  readonly kind?: Exclude<TokenKind, 'service'> | undefined;
  /** Of a user's token; those of an organisation's are always the same. */
  readonly scopes?: readonly Scope[] | undefined;
  /** After a year unless given. */
  readonly expiresAt?: Expiry | undefined;
  /** Where a token makes it, not a person. */
  readonly parent?: ParentToken | undefined;
}

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/**
 * Makes a token for one organisation. `token` is the only time that it can be seen; `url` is the public address, which
 * stands in a token of an organisation. Throws `SCOPE_MISSING` where a scope goes beyond the user's role,
 * `PERMISSION_DENIED` for who is no member, `INPUT_INVALID` for an end that cannot be.
 */
export async function createToken(
  state: State,
  input: NewToken,
  url: string,
): Promise<ApiToken & { readonly token: string }> {
  const { organizationId, userId, kind = 'user' } = input;
  const asked = kind === 'organization' ? organizationScopes : (input.scopes ?? []);
  const { name, scopes } = checked(newToken, { name: input.name, scopes: [...asked] });
  const [membership] = await membershipsOf(state, userId, organizationId);
  if (!membership) throw new CodedError('PERMISSION_DENIED');
  const allowed = new Set(scopesIn(membership.role, membership.switches));
  const beyond = expandScopes(scopes).find((scope) => !allowed.has(scope));
  if (beyond !== undefined) throw new CodedError('SCOPE_MISSING', [beyond]);

  const now = Date.now();
  const expiresAt = expiryOf(input.expiresAt, input.parent?.expiresAt ?? null, now);
  const token = kind === 'organization' ? organizationToken(url, membership.slug, now) : userToken();
  const { id } = await state.db
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
      expires_at: expiresAt,
      parent_id: input.parent?.id ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...(await findApiToken(state, id)), token };
}

export const findApiToken = async (state: State, id: number): Promise<ApiToken> =>
  toToken(await withMakers(state.db).where('api_token.id', '=', id).executeTakeFirstOrThrow());

export const userToken = (): string => `sntryu_${randomBytes(32).toString('hex')}`;

/** Clients upload with it alone: address and organisation are in it. */
function organizationToken(url: string, organization: string, now: number): string {
  const facts = JSON.stringify({ iat: now / 1000, url, region_url: url, org: organization });
  const secret = randomBytes(32).toString('base64').replace('=', '');
  return `sntrys_${Buffer.from(facts).toString('base64')}_${secret}`;
}

/**
 * Whose tokens: all of the organisation; those of one user, with the organisation's own where `shared`; or, with `id`,
 * that one of these.
 */
export interface TokenOwner {
  readonly organizationId: string;
  readonly id?: number | undefined;
  readonly userId?: string | undefined;
  readonly shared?: boolean | undefined;
}

/** The newest first. */
export async function listTokens(state: State, owner: TokenOwner): Promise<ApiToken[]> {
  const rows = await withMakers(state.db)
    .where((token) => ownedBy(token, owner))
    .orderBy('api_token.id', 'desc')
    .execute();
  return rows.map(toToken);
}

/** Undefined when there is no such token. */
export async function deleteToken(
  state: State,
  owner: TokenOwner & { readonly id: number },
): Promise<Pick<ApiToken, 'id' | 'name' | 'kind' | 'userId'> | undefined> {
  return state.db
    .deleteFrom('api_token')
    .where((token) => ownedBy(token, owner))
    .returning(['id', 'name', 'kind', 'user_id as userId'])
    .executeTakeFirst();
}

/** How many tokens somebody has made that still work: their own, and for builds of their organisations. */
export async function countTokensOf(
  db: State['db'] | StateTransaction,
  userId: string,
  now = Date.now(),
): Promise<Readonly<Record<Exclude<TokenKind, 'service'>, number>>> {
  const rows = await db
    .selectFrom('api_token')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('n')])
    .where('user_id', '=', userId)
    .where((token) => token.or([token('expires_at', 'is', null), token('expires_at', '>', now)]))
    .groupBy('kind')
    .execute();
  const count = (kind: TokenKind): number => Number(rows.find((row) => row.kind === kind)?.n ?? 0);
  return { user: count('user'), organization: count('organization') };
}

export interface EndedGrant {
  readonly id: number;
  readonly name: string;
  readonly organizationId: string;
  readonly userId: string;
}

/** A token that was granted to a program ends. Undefined when there is no such token any more. */
export async function deleteGrant(db: State['db'] | StateTransaction, id: number): Promise<EndedGrant | undefined> {
  return db
    .deleteFrom('api_token')
    .where('id', '=', id)
    .returning(['id', 'name', 'organization_id as organizationId', 'user_id as userId'])
    .executeTakeFirst();
}

/** Another token in the place of one that was granted to a program. Undefined when there is no such token any more. */
export async function renewToken(
  state: State,
  id: number,
  expiresAt: number,
  now: number,
): Promise<{ readonly accessToken: string; readonly token: ApiToken } | undefined> {
  const accessToken = userToken();
  const renewed = await state.db
    .updateTable('api_token')
    .set({ token_hash: hashOf(accessToken), token_hint: accessToken.slice(-4), expires_at: expiresAt })
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  return renewed && { accessToken, token: await findApiToken(state, id) };
}

interface RevokedTokens {
  readonly userId: string;
  /** All unless given. */
  readonly organizationId?: string;
  /** Those for builds that they made, too, which are the organisation's. */
  readonly buildTokens?: boolean;
}

/** Somebody's own tokens end, and with them those that they made. */
export async function revokeTokensOf(
  db: State['db'] | StateTransaction,
  { userId, organizationId, buildTokens = false }: RevokedTokens,
): Promise<void> {
  let query = db.deleteFrom('api_token').where('user_id', '=', userId);
  if (!buildTokens) query = query.where('kind', '=', 'user');
  if (organizationId !== undefined) query = query.where('organization_id', '=', organizationId);
  await query.execute();
}

function ownedBy(token: ExpressionBuilder<StateSchema, 'api_token'>, owner: TokenOwner) {
  const { organizationId, userId, shared, id } = owner;
  const conditions = [token('api_token.organization_id', '=', organizationId)];
  if (id !== undefined) conditions.push(token('api_token.id', '=', id));
  if (userId !== undefined) {
    const own = token.and([token('api_token.user_id', '=', userId), token('api_token.kind', '=', 'user')]);
    conditions.push(shared ? token.or([own, token('api_token.kind', '!=', 'user')]) : own);
  }
  return token.and(conditions);
}

/**
 * Whose token it is; undefined for one that is none, was deleted, or is of a user who has left the organisation. One of
 * an organisation stands for whoever made it, with what a build may do; a service account for itself. Throws
 * `TOKEN_EXPIRED`.
 */
export async function identifyToken(state: State, token: string, now = Date.now()): Promise<Identity | undefined> {
  if (!tokenForm.test(token)) return undefined;
  const row = await state.db
    .selectFrom('api_token')
    .innerJoin('user', 'user.id', 'api_token.user_id')
    .leftJoin('oauth_grant', 'oauth_grant.token_id', 'api_token.id')
    .select([
      'oauth_grant.access_expires_at as accessExpiresAt',
      'api_token.id as tokenId',
      'api_token.name as tokenName',
      'api_token.organization_id as organizationId',
      'api_token.scopes as scopes',
      'api_token.kind as kind',
      'api_token.role as role',
      'api_token.last_used_at as lastUsedAt',
      'api_token.expires_at as expiresAt',
      'user.id as id',
      'user.email as email',
      'user.name as name',
    ])
    .where('api_token.token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!row) return undefined;
  const user = { id: row.id, email: row.email, name: row.name };
  const { tokenId: id, tokenName: name, expiresAt } = row;
  const granted = { id, name, expiresAt, scopes: JSON.parse(row.scopes) as string[] };
  const identity =
    row.kind === 'service'
      ? serviceIdentity(user, await organizationOf(state, row.organizationId), granted, row.role ?? '')
      : row.kind === 'organization'
        ? buildIdentity(user, await organizationOf(state, row.organizationId), granted)
        : identityOf(user, await membershipsOf(state, row.id, row.organizationId), granted);
  if (identity.memberships.length === 0) return undefined;
  if (expiresAt !== null && expiresAt <= now) {
    throw new CodedError('TOKEN_EXPIRED', [new Date(expiresAt).toISOString().slice(0, 10)]);
  }
  // A program renews it by itself.
  if (row.accessExpiresAt !== null && row.accessExpiresAt <= now) throw new CodedError('ACCESS_EXPIRED');
  if (row.lastUsedAt === null || now - row.lastUsedAt >= usedEveryMs) {
    await state.db.updateTable('api_token').set({ last_used_at: now }).where('id', '=', id).execute();
  }
  return identity;
}

const withMakers = (db: State['db']) =>
  db
    .selectFrom('api_token')
    // Who made it: of a service account that is not whom it stands for, and may be gone.
    .leftJoin('user', (join) =>
      join.on(
        'user.id',
        '=',
        sql<string>`case when api_token.kind = 'service' then api_token.maker_id else api_token.user_id end`,
      ),
    )
    .leftJoin('member', (join) =>
      join.onRef('member.userId', '=', 'user.id').onRef('member.organizationId', '=', 'api_token.organization_id'),
    )
    .leftJoin('oauth_grant', 'oauth_grant.token_id', 'api_token.id')
    .selectAll('api_token')
    .select(['user.name as makerName', 'user.email as makerEmail', 'member.id as memberId', 'oauth_grant.client_id']);

type TokenRow = Selectable<ApiTokenTable> & {
  readonly makerName: string | null;
  readonly makerEmail: string | null;
  readonly memberId: string | null;
  readonly client_id: string | null;
};

const toToken = (row: TokenRow): ApiToken => ({
  id: row.id,
  kind: row.kind,
  organizationId: row.organization_id,
  userId: row.user_id,
  name: row.name,
  scopes: row.role === null ? (JSON.parse(row.scopes) as Scope[]) : scopesOfRole(row.role),
  role: row.role !== null && isRole(row.role) ? row.role : undefined,
  hint: row.token_hint,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
  maker: { name: row.makerName ?? '', email: row.makerEmail ?? '', isMember: row.memberId !== null },
  isGranted: row.client_id !== null,
});
