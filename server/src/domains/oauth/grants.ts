/**
 * Tokens of programs. Each is an API token of the person who granted it, listed and revoked with the others, which a
 * refresh token renews (RFC 6749, 6): in place, so that one grant stays one line. A refresh token that comes a second time
 * was stolen, from whom nobody can tell: the grant ends (RFC 9700, 4.14).
 */
import { createHash, randomBytes } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { oauth as texts } from '../../base/texts/oauth.ts';
import type { State } from '../../ports/state/state.ts';
import { within } from '../../ports/state/within.ts';
import {
  type ApiToken,
  createToken,
  deleteGrant,
  type EndedGrant,
  renewToken,
  type Scope,
  type User,
} from '../accounts/index.ts';

export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

const dayMs = 86_400_000;
/** Of an access token. */
export const accessForMs = 8 * 3_600_000;
/** From its last renewal. */
const unusedForMs = 90 * dayMs;
/** Two processes of a program renew at the same time, and one of them comes with the token of a moment ago. */
const bothForMs = 60_000;

const refreshForm = /^sntryr_[0-9a-f]{64}$/;
const newRefreshToken = (): string => `sntryr_${randomBytes(32).toString('hex')}`;

export interface Granted {
  readonly clientId: string;
  readonly clientName: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
}

/** What a program is given. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
  readonly token: ApiToken;
}

/** Throws `PERMISSION_DENIED` and `SCOPE_MISSING` where who granted it may no longer do so. */
export async function grantToken(state: State, granted: Granted, url: string, now: number): Promise<TokenPair> {
  const { clientId, clientName, userId, organizationId, scopes } = granted;
  const expiresAt = now + unusedForMs;
  const { token: accessToken, ...token } = await createToken(
    state,
    { organizationId, userId, name: clientName, scopes, expiresAt },
    url,
  );
  const refreshToken = newRefreshToken();
  const accessExpiresAt = now + accessForMs;
  await state.db
    .insertInto('oauth_grant')
    .values({
      token_id: token.id,
      client_id: clientId,
      refresh_hash: hashOf(refreshToken),
      refreshed_at: now,
      access_expires_at: accessExpiresAt,
    })
    .execute();
  return { accessToken, refreshToken, expiresAt: accessExpiresAt, token: { ...token, isGranted: true } };
}

/** Told of what ended because it was shown a second time. */
export type OnReplay = (ended: EndedGrant) => Promise<void>;

/** Throws `OAUTH_GRANT_GONE`. The former access token ends. */
export async function refreshGrant(
  state: State,
  { refreshToken, clientId }: { readonly refreshToken: string; readonly clientId: string },
  now: number,
  onReplay: OnReplay,
): Promise<TokenPair> {
  if (!refreshForm.test(refreshToken)) throw new CodedError('OAUTH_GRANT_GONE', [texts.refreshToken]);
  const hash = hashOf(refreshToken);
  const pair = await state.transaction(async (trx) => {
    const inside = within(state, trx);
    const grant = await trx
      .selectFrom('oauth_grant')
      .select(['token_id', 'client_id', 'refresh_hash', 'former_hash', 'refreshed_at'])
      .where(({ or, eb }) => or([eb('refresh_hash', '=', hash), eb('former_hash', '=', hash)]))
      .executeTakeFirst();
    if (!grant || grant.client_id !== clientId) return undefined;
    if (grant.refresh_hash !== hash && now - Number(grant.refreshed_at) > bothForMs) {
      return { ended: await deleteGrant(trx, grant.token_id) };
    }
    const next = newRefreshToken();
    const accessExpiresAt = now + accessForMs;
    await trx
      .updateTable('oauth_grant')
      .set({
        refresh_hash: hashOf(next),
        former_hash: hash,
        refreshed_at: now,
        access_expires_at: accessExpiresAt,
      })
      .where('token_id', '=', grant.token_id)
      .execute();
    const renewed = await renewToken(inside, grant.token_id, now + unusedForMs, now);
    if (!renewed) return undefined;
    const { accessToken, token } = renewed;
    return { accessToken, refreshToken: next, expiresAt: accessExpiresAt, token };
  });
  if (pair && !('ended' in pair)) return pair;
  if (pair?.ended) await onReplay(pair.ended);
  throw new CodedError('OAUTH_GRANT_GONE', [texts.refreshToken]);
}

/** What either token is of (RFC 7009); undefined where there is nothing to end. */
export async function grantOf(
  { db }: State,
  { token, clientId }: { readonly token: string; readonly clientId: string },
): Promise<
  { readonly id: number; readonly name: string; readonly organizationId: string; readonly user: User } | undefined
> {
  const hash = hashOf(token);
  const row = await db
    .selectFrom('oauth_grant')
    .innerJoin('api_token', 'api_token.id', 'oauth_grant.token_id')
    .innerJoin('user', 'user.id', 'api_token.user_id')
    .select(['api_token.id', 'api_token.name', 'api_token.organization_id as organizationId'])
    .select(['user.id as userId', 'user.name as userName', 'user.email'])
    .where('oauth_grant.client_id', '=', clientId)
    .where(({ or, eb }) => or([eb('oauth_grant.refresh_hash', '=', hash), eb('api_token.token_hash', '=', hash)]))
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, name, organizationId, userId, userName, email } = row;
  return { id, name, organizationId, user: { id: userId, name: userName, email } };
}
