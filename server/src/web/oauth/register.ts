/**
 * OAuth for programs without a secret: agents over `/mcp`, command lines. They register themselves, send a person to a page
 * of the console, or show a code for it, and fetch an API token here. Errors are in the form of RFC 6749.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sourceOf } from '../../api/shared/deed.ts';
import { CodedError, type ErrorCode } from '../../base/errors.ts';
import { oauth as texts } from '../../base/texts/oauth.ts';
import type { Live } from '../../base/live.ts';
import { deleteGrant } from '../../domains/accounts/index.ts';
import type { Audit } from '../../domains/audit/index.ts';
import * as oauth from '../../domains/oauth/index.ts';
import type { OpenVisitors } from '../../ingest/index.ts';
import type { State } from '../../ports/state/state.ts';
import { deviceGrant, paths, resourceMetadata, serverMetadata } from './metadata.ts';

export interface OauthOptions {
  readonly audit: Audit;
  readonly live: Pick<Live, 'publish'>;
  readonly state: State;
  readonly getUrl: () => string;
  readonly openVisitors: OpenVisitors;
}

const maxBody = 16 * 1024;
const longest = 2_000;

/** As RFC 6749, 7591 and 8628 name what is wrong. */
const names: Partial<Record<ErrorCode, string>> = {
  OAUTH_INVALID: 'invalid_request',
  OAUTH_CLIENT_UNKNOWN: 'invalid_client',
  OAUTH_GRANT_GONE: 'invalid_grant',
  OAUTH_CLIENTS_FULL: 'temporarily_unavailable',
  OAUTH_DEVICES_FULL: 'temporarily_unavailable',
  OAUTH_LIMITED: 'temporarily_unavailable',
  PERMISSION_DENIED: 'invalid_grant',
  SCOPE_MISSING: 'invalid_grant',
};

const registration = z.object({
  client_name: z.string().max(longest).optional(),
  redirect_uris: z.array(z.string().max(longest)).max(100).default([]),
});

type Form = Readonly<Record<string, string>>;

export function registerOauth(app: FastifyInstance, { audit, live, state, getUrl, openVisitors }: OauthOptions): void {
  const limits = (name: string, allowed: Parameters<OpenVisitors>[1]) => {
    const visitors = openVisitors(name, allowed);
    return async (request: FastifyRequest): Promise<void> => {
      const seconds = visitors.take(request.ip);
      if (seconds > 0) throw new CodedError('OAUTH_LIMITED', [seconds], { retryAfter: seconds });
    };
  };
  const fetching = limits('oauth', { burst: 60, perSecond: 2 });
  const starting = limits('oauth-start', { burst: 20, perSecond: 0.1 });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: maxBody }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => {
    const coded = error instanceof CodedError ? error : undefined;
    const name = coded && names[coded.code];
    // All else is a failure like any other.
    if (!coded || name === undefined) throw error;
    if (coded.retryAfter !== undefined) void reply.header('retry-after', String(coded.retryAfter));
    const status = coded.status === 429 ? 429 : name === 'invalid_client' ? 401 : 400;
    return send(reply, status, { error: name, error_description: coded.message });
  });

  /** Its owner learns why an app is out, and that somebody may have had its secret. */
  const tellReplay =
    (request: FastifyRequest): oauth.OnReplay =>
    async ({ id, name, organizationId, userId }) => {
      const deed = {
        organizationId,
        actor: { type: 'visitor' },
        source: sourceOf(request),
        action: 'token.delete',
      } as const;
      const details = { kind: 'user', owner: userId, reason: texts.usedTwice };
      await audit.recorded(deed, async (_inside, note) => note({ id, name }, { details }));
      live.publish({ type: 'access', userId });
    };

  app.get(paths.server, (_request, reply) => reply.send(serverMetadata(getUrl())));
  app.get(paths.resource, (_request, reply) => reply.send(resourceMetadata(getUrl())));
  app.get(`${paths.resource}/mcp`, (_request, reply) => reply.send(resourceMetadata(getUrl(), '/mcp')));

  app.post(paths.register, { onRequest: starting }, async (request, reply) => {
    const body = registration.safeParse(jsonIn(request.body));
    if (!body.success) throw new CodedError('OAUTH_INVALID', [texts.json]);
    const { client_name: name, redirect_uris: redirectUris } = body.data;
    const client = await oauth.registerClient(state, { name, redirectUris }, Date.now());
    return send(reply, 201, {
      client_id: client.id,
      client_id_issued_at: Math.floor((client.registeredAt ?? 0) / 1000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      // None is given a secret, whatever it asked for.
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token', deviceGrant],
      response_types: ['code'],
    });
  });

  app.post(paths.deviceCode, { onRequest: starting }, async (request, reply) => {
    const form = formIn(request);
    const started = await oauth.startDevice(
      state,
      { clientId: needed(form, 'client_id'), scope: form['scope'] },
      Date.now(),
    );
    const page = getUrl() + paths.device;
    return send(reply, 200, {
      device_code: started.deviceCode,
      user_code: started.userCode,
      verification_uri: page,
      verification_uri_complete: `${page}?user_code=${started.userCode}`,
      expires_in: started.expiresInMs / 1000,
      interval: oauth.pollEveryMs / 1000,
    });
  });

  app.post(paths.token, { onRequest: fetching }, async (request, reply) => {
    const form = formIn(request);
    const clientId = needed(form, 'client_id');
    if (!oauth.isOwnResource(form['resource'], getUrl()))
      return send(reply, 400, { error: 'invalid_target', error_description: getUrl() });
    const grant = needed(form, 'grant_type');
    if (grant === 'authorization_code') {
      const exchange = {
        clientId,
        code: needed(form, 'code'),
        redirectUri: needed(form, 'redirect_uri'),
        verifier: needed(form, 'code_verifier'),
      };
      return sendTokens(reply, await oauth.useCode(state, exchange, getUrl(), Date.now(), tellReplay(request)));
    }
    if (grant === 'refresh_token') {
      const refresh = { clientId, refreshToken: needed(form, 'refresh_token') };
      return sendTokens(reply, await oauth.refreshGrant(state, refresh, Date.now(), tellReplay(request)));
    }
    if (grant !== deviceGrant)
      return send(reply, 400, { error: 'unsupported_grant_type', error_description: texts.grantType });
    const poll = { clientId, deviceCode: needed(form, 'device_code') };
    const answer = await oauth.pollDevice(state, poll, getUrl(), Date.now());
    return typeof answer === 'string' ? send(reply, 400, { error: answer }) : sendTokens(reply, answer);
  });

  // The answer is the same whatever the token was (RFC 7009, 2.2).
  app.post(paths.revoke, { onRequest: fetching }, async (request, reply) => {
    const form = formIn(request);
    const asked = { token: needed(form, 'token'), clientId: needed(form, 'client_id') };
    const grant = await oauth.grantOf(state, asked);
    if (!grant) return send(reply, 200, {});
    const { id, name, organizationId, user } = grant;
    const actor = { type: 'token', ...user, token: { id, name } } as const;
    await audit.recorded(
      { organizationId, actor, source: sourceOf(request), action: 'token.delete' },
      async (inside, note) => {
        await deleteGrant(inside.db, id);
        note({ id, name }, { details: { kind: 'user', owner: user.id } });
      },
    );
    live.publish({ type: 'access', userId: user.id });
    return send(reply, 200, {});
  });

  const sendTokens = (reply: FastifyReply, { accessToken, refreshToken, expiresAt, token }: oauth.TokenPair) =>
    send(reply, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: Math.round((expiresAt - Date.now()) / 1000),
      expires_at: new Date(expiresAt).toISOString(),
      refresh_token: refreshToken,
      scope: token.scopes.join(' '),
      // Sentry's command line shows whom it signed in.
      user: { id: token.userId, name: token.maker.name, email: token.maker.email },
    });
}

const send = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).headers({ 'cache-control': 'no-store', pragma: 'no-cache' }).send(body);

function jsonIn(body: unknown): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}

/** Each parameter once (RFC 6749, 3.2), but for those of other standards, of which the first counts. */
function formIn({ headers, body }: FastifyRequest): Form {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  if (!isForm || typeof body !== 'string') throw new CodedError('OAUTH_INVALID', [texts.form]);
  const form: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    if (value === '') continue;
    if (Object.hasOwn(form, name) && name !== 'resource') throw new CodedError('OAUTH_INVALID', [texts.repeated(name)]);
    form[name] ??= value.slice(0, longest);
  }
  return form;
}

function needed(form: Form, name: string): string {
  const value = form[name];
  if (value === undefined) throw new CodedError('OAUTH_INVALID', [texts.missing(name)]);
  return value;
}
