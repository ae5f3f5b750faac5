/** Hands `/api/auth/*` to the accounts module, which speaks in web requests and responses. */
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { CodedError } from '../base/errors.ts';
import { tellOfPerson } from '../domains/accounts/index.ts';
import { requests } from '../base/texts/requests.ts';
import { actorOf, sourceOf } from './shared/deed.ts';
import { ownHosts, toHeaders } from './shared/access.ts';
import type { ApiDeps } from './shared/deps.ts';
import { checkHost } from './shared/hosts.ts';

export async function authRoute(app: FastifyInstance, deps: ApiDeps): Promise<void> {
  const { accounts, audit, live, state } = deps;
  app.addHook('onRequest', async (request) => checkHost(request, ownHosts(deps)));
  // Bodies go on as they came; the accounts module checks them.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    async handler(request, reply) {
      const { body } = request;
      const url = `${request.protocol}://${request.host || 'localhost'}${request.url}`;
      if (!URL.canParse(url)) throw new CodedError('INPUT_INVALID', [requests.host]);
      const headers = toHeaders(request.headers);
      const leaving = new URL(url).pathname === '/api/auth/sign-out' ? await accounts.identify(headers) : undefined;
      const answer = await accounts.handler(
        new Request(url, {
          method: request.method,
          headers,
          ...(Buffer.isBuffer(body) ? { body: new Uint8Array(body) } : {}),
        }),
        request.ip,
      );
      // What went wrong inside is thrown; a failure that comes as an answer has nothing to say either.
      if (answer.status >= 500) throw new Error(`sign-in responded with ${answer.status}`);
      if (leaving) {
        const ids = leaving.memberships.map(({ organizationId }) => organizationId);
        const deed = { action: 'sign_out', actor: actorOf(leaving), source: sourceOf(request) } as const;
        await tellOfPerson(state, audit, ids, deed);
        live.publish({ type: 'access', userId: leaving.userId });
      }
      void reply.code(answer.status);
      for (const [name, value] of answer.headers) if (name !== 'set-cookie') void reply.header(name, value);
      const cookies = answer.headers.getSetCookie();
      if (cookies.length) void reply.header('set-cookie', cookies);
      void reply.header('cache-control', 'no-store');
      return reply.send(answer.body ? Readable.from(answer.body) : undefined);
    },
  });
}
