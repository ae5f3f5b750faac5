/**
 * The way over the browser (RFC 6749, 4.1): the person is sent back to the program with a code, which the program that
 * asked, and no other (PKCE, RFC 7636), turns into its token.
 */
import { createHash, randomBytes } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { oauth as texts } from '../../base/texts/oauth.ts';
import type { State } from '../../ports/state/state.ts';
import { within } from '../../ports/state/within.ts';
import { deleteGrant, type Scope } from '../accounts/index.ts';
import { type Client, findClient, mayReturnTo } from './clients.ts';
import { type Granted, grantToken, hashOf, type OnReplay, type TokenPair } from './grants.ts';
import { readScopes } from './scopes.ts';

const codeForMs = 60_000;
/** A code that comes again within this ends what it was used for. */
const rememberedForMs = 600_000;
const challengeForm = /^[\w-]{43}$/;
const verifierForm = /^[\w.~-]{43,128}$/;

/** As a program wrote it into the address of the page. */
export interface AuthorizationRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly responseType: string;
  readonly challenge: string;
  readonly challengeMethod: string;
  readonly scope?: string | undefined;
  readonly state?: string | undefined;
  /** Where the token is for (RFC 8707). */
  readonly resource?: string | undefined;
}

export interface Authorization {
  readonly client: Client;
  readonly scopes: readonly Scope[];
  /** What the program did wrong, as RFC 6749 names it: it is told so, not the person. */
  readonly refusal: string | undefined;
}

/** Throws `OAUTH_CLIENT_UNKNOWN`, `OAUTH_REDIRECT_UNKNOWN`: then the person must not be sent anywhere. */
export async function readAuthorization(
  state: State,
  request: AuthorizationRequest,
  url: string,
): Promise<Authorization> {
  const client = await findClient(state, request.clientId);
  if (!client) throw new CodedError('OAUTH_CLIENT_UNKNOWN');
  if (!mayReturnTo(client, request.redirectUri)) throw new CodedError('OAUTH_REDIRECT_UNKNOWN');
  return { client, scopes: readScopes(request.scope), refusal: refusalOf(request, url) };
}

function refusalOf({ responseType, challenge, challengeMethod, resource }: AuthorizationRequest, url: string) {
  if (responseType !== 'code') return 'unsupported_response_type';
  if (challengeMethod !== 'S256' || !challengeForm.test(challenge)) return 'invalid_request';
  return isOwnResource(resource, url) ? undefined : 'invalid_target';
}

/** Tokens are for this installation: all of it, or what of it the program has in mind. */
export const isOwnResource = (resource: string | undefined, url: string): boolean =>
  resource === undefined || resource === url || resource.startsWith(`${url}/`);

/** Where the browser goes back to, with `answer`. */
export function returnTo(
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  answer: Readonly<Record<string, string>>,
  url: string,
): string {
  const to = new URL(redirectUri);
  for (const [name, value] of Object.entries({ ...answer, ...(state !== undefined && { state }), iss: url }))
    to.searchParams.set(name, value);
  return to.href;
}

/** Returns the code, which can be seen this one time. */
export async function makeCode(
  { db }: State,
  granted: Granted & { readonly redirectUri: string; readonly challenge: string },
  now: number,
): Promise<string> {
  await db
    .deleteFrom('oauth_code')
    .where('expires_at', '<', now - rememberedForMs)
    .execute();
  const code = randomBytes(32).toString('base64url');
  await db
    .insertInto('oauth_code')
    .values({
      code_hash: hashOf(code),
      client_id: granted.clientId,
      client_name: granted.clientName,
      redirect_uri: granted.redirectUri,
      challenge: granted.challenge,
      user_id: granted.userId,
      organization_id: granted.organizationId,
      scopes: JSON.stringify(granted.scopes),
      expires_at: now + codeForMs,
    })
    .execute();
  return code;
}

export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/** Throws `OAUTH_GRANT_GONE`, also for the later one of two at once. */
export async function useCode(
  state: State,
  exchange: CodeExchange,
  url: string,
  now: number,
  onReplay: OnReplay,
): Promise<TokenPair> {
  const hash = hashOf(exchange.code);
  const pair = await state.transaction(async (trx) => {
    const row = await trx.selectFrom('oauth_code').selectAll().where('code_hash', '=', hash).executeTakeFirst();
    if (!row || row.client_id !== exchange.clientId) return undefined;
    if (row.is_used) {
      // Who has it twice is not the only one that has it (RFC 6749, 4.1.2).
      return { ended: row.token_id === null ? undefined : await deleteGrant(trx, row.token_id) };
    }
    if (Number(row.expires_at) <= now || row.redirect_uri !== exchange.redirectUri) return undefined;
    if (!proves(exchange.verifier, row.challenge)) return undefined;
    const granted = {
      clientId: row.client_id,
      clientName: row.client_name,
      userId: row.user_id,
      organizationId: row.organization_id,
      scopes: JSON.parse(row.scopes) as Scope[],
    };
    const made = await grantToken(within(state, trx), granted, url, now);
    await trx
      .updateTable('oauth_code')
      .set({ is_used: 1, token_id: made.token.id })
      .where('code_hash', '=', hash)
      .execute();
    return made;
  });
  if (pair && !('ended' in pair)) return pair;
  if (pair?.ended) await onReplay(pair.ended);
  throw new CodedError('OAUTH_GRANT_GONE', [texts.code]);
}

const proves = (verifier: string, challenge: string): boolean =>
  verifierForm.test(verifier) && createHash('sha256').update(verifier).digest('base64url') === challenge;
