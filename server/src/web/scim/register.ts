/** SCIM 2.0: a directory writes the people and groups of one organisation, by a token that does nothing else. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sourceOf } from '../../api/shared/deed.ts';
import { CodedError } from '../../base/errors.ts';
import type { Live } from '../../base/live.ts';
import type { Failures } from '../../base/self/index.ts';
import { scim as texts } from '../../base/texts/provisioning.ts';
import { allowsAddress } from '../../domains/accounts/index.ts';
import type { Audit } from '../../domains/audit/index.ts';
import { takeOffIssues } from '../../domains/issues/index.ts';
import * as provisioning from '../../domains/provisioning/index.ts';
import type { OpenVisitors } from '../../ingest/index.ts';
import type { State } from '../../ports/state/state.ts';
import { discoveryRoutes } from './discovery.ts';
import { contentType, sendError } from './error.ts';
import { groupRoutes } from './groups.ts';
import { bodyOf, maxBody, type Scim } from './shared.ts';
import { userRoutes } from './users.ts';

export interface ScimOptions {
  readonly state: State;
  readonly audit: Audit;
  readonly live: Live;
  readonly failures: Failures;
  readonly getUrl: () => string;
  readonly openVisitors: OpenVisitors;
}

export const scimPrefix = '/scim/v2';
const directories = new WeakMap<FastifyRequest, provisioning.Directory>();

export function registerScim(app: FastifyInstance, options: ScimOptions): void {
  const { state, audit, live, failures, getUrl, openVisitors } = options;
  const rate = openVisitors('scim', { burst: 300, perSecond: 30 });
  const strangers = openVisitors('scim-strangers', { burst: 30, perSecond: 1 });
  const base = (): string => `${getUrl()}${scimPrefix}`;

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/(?:scim\+)?json(?:;|$)/i,
    { parseAs: 'string', bodyLimit: maxBody },
    (_request, body, done) => done(null, body),
  );
  app.setErrorHandler((error, request, reply) => sendError(failures, error, request, reply));
  app.setNotFoundHandler(async (request, reply) =>
    sendError(
      failures,
      new provisioning.ScimError(404, texts.notFound(request.url.split('?', 1)[0] ?? '')),
      request,
      reply,
    ),
  );
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('content-type', contentType).header('cache-control', 'no-store');
    const directory = await identified(request);
    const { allowedAddresses } = directory.switches;
    if (!allowsAddress(allowedAddresses, request.ip)) throw new CodedError('ADDRESS_NOT_ALLOWED', [request.ip]);
    refuseMany(rate.take(`token ${directory.token.id}`));
    directories.set(request, directory);
  });

  const refuseMany = (seconds: number): void => {
    if (seconds > 0) throw new provisioning.ScimError(429, texts.rate(seconds), undefined, seconds);
  };

  async function identified(request: FastifyRequest): Promise<provisioning.Directory> {
    const token = /^bearer +(\S{1,200}) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    try {
      return await provisioning.directoryOf(state, token, Date.now());
    } catch (error) {
      if (error instanceof provisioning.ScimError) refuseMany(strangers.take(request.ip));
      throw error;
    }
  }

  const directoryOf = (request: FastifyRequest): provisioning.Directory => {
    const directory = directories.get(request);
    if (!directory) throw new provisioning.ScimError(401, texts.token);
    return directory;
  };

  const scim: Scim = {
    route: (method, url, answer) => void app.route({ method, url, handler: answer }),
    state,
    base,
    organizationOf: (request) => directoryOf(request).organizationId,
    bodyOf,
    async changing(request, work) {
      const { organizationId, token } = directoryOf(request);
      const actor = { type: 'token', name: 'SCIM', token } as const;
      const [touched, gone] = [new Set<string>(), new Set<string>()];
      const result = await audit.recorded({ organizationId, actor, source: sourceOf(request) }, (inside, note) =>
        work({ inside, note, organizationId, now: Date.now(), touched, gone }),
      );
      for (const userId of touched) live.publish({ type: 'access', userId });
      for (const id of gone) {
        await takeOffIssues({ state, live }, { kind: 'user', id }, { organizationId, byUserId: id });
      }
      return result;
    },
  };
  discoveryRoutes(scim);
  userRoutes(scim);
  groupRoutes(scim);
}
