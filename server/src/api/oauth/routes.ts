import { type Identity, type Membership, type Scope, scopeWords } from '../../domains/accounts/index.ts';
import * as oauth from '../../domains/oauth/index.ts';
import { CodedError } from '../../base/errors.ts';
import { openOwnVisitors } from '../../ingest/index.ts';
import { sessionOf } from '../account/session-of.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso } from '../shared/read.ts';
import * as contract from './contract.ts';

/** `HOST`, or for a program on the person's machine its scheme. */
function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? host : protocol;
}

const worded = (scopes: readonly Scope[]) => scopes.map((name) => ({ name, description: scopeWords[name] }));

export function oauthRoutes(api: Api): void {
  const { state, getUrl, openVisitors = openOwnVisitors } = api.deps;
  // A code has 25 billion forms; who guesses gets nowhere.
  const guesses = openVisitors('oauth-device', { burst: 20, perSecond: 0.1 });
  const limitGuesses = ({ userId }: Identity): void => {
    const seconds = guesses.take(userId);
    if (seconds > 0) throw new CodedError('OAUTH_LIMITED', [seconds], { retryAfter: seconds });
  };

  const mayGrant = ({ scopes: own }: Membership, scopes: readonly Scope[], asked: readonly Scope[]): void => {
    const beyond = scopes.find((scope) => !own.includes(scope) || !asked.includes(scope));
    if (beyond) throw new CodedError('PERMISSION_DENIED');
  };

  implement(api, contract.getAuthorization, async ({ caller, query }) => {
    sessionOf(caller);
    const { client, scopes, refusal } = await oauth.readAuthorization(state, query, getUrl());
    return {
      client: {
        name: client.name,
        returnsTo: placeOf(query.redirectUri),
        dateRegistered: client.registeredAt === undefined ? null : iso(client.registeredAt),
      },
      scopes: worded(scopes),
      refusedUrl: oauth.returnTo(query, { error: refusal ?? 'access_denied' }, getUrl()),
      invalid: refusal !== undefined,
    };
  });

  implement(api, contract.authorize, async ({ caller, body, recorded }) => {
    sessionOf(caller);
    const { identity, membership } = caller;
    const { client, scopes: asked, refusal } = await oauth.readAuthorization(state, body, getUrl());
    if (refusal !== undefined) throw new CodedError('INPUT_INVALID', [refusal]);
    mayGrant(membership, body.scopes, asked);
    const code = await recorded(async (inside, note) => {
      note({ id: client.id, name: client.name }, { details: { scopes: body.scopes, host: placeOf(body.redirectUri) } });
      const granted = {
        clientId: client.id,
        clientName: client.name,
        userId: identity.userId,
        organizationId: membership.organizationId,
        scopes: body.scopes,
        redirectUri: body.redirectUri,
        challenge: body.challenge,
      };
      return oauth.makeCode(inside, granted, Date.now());
    });
    return { url: oauth.returnTo(body, { code }, getUrl()) };
  });

  implement(api, contract.getDevice, async ({ caller, params }) => {
    sessionOf(caller);
    limitGuesses(caller.identity);
    const { clientName: name, scopes, expiresAt } = await oauth.findDevice(state, params.code, Date.now());
    return { name, scopes: worded(scopes), expiresAt: iso(expiresAt) };
  });

  implement(api, contract.decideDevice, async ({ caller, body, recorded }) => {
    sessionOf(caller);
    limitGuesses(caller.identity);
    const { identity, membership } = caller;
    const { code: userCode, accept, scopes = [] } = body;
    if (accept && scopes.length === 0) throw new CodedError('INPUT_INVALID', ['scopes']);
    const waiting = await oauth.findDevice(state, userCode, Date.now());
    if (accept) mayGrant(membership, scopes, waiting.scopes);
    await recorded(async (inside, note) => {
      const decision = {
        userCode,
        accept,
        userId: identity.userId,
        organizationId: membership.organizationId,
        scopes: accept ? scopes : [],
      };
      const { clientId, clientName } = await oauth.decideDevice(inside, decision, Date.now());
      if (accept) note({ id: clientId, name: clientName }, { action: 'token.authorize', details: { scopes } });
    });
  });
}
