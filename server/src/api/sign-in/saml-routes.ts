/**
 * What a SAML provider fetches and posts. A post comes from the provider's own site, so that no check of origins can hold
 * for it, and no cookie comes along: it gives nobody a session. It leaves what the provider said, and sends the browser on
 * to the callback, where it must be the one that began (`flow-routes.ts`).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as providers from '../../domains/providers/index.ts';
import { CodedError } from '../../base/errors.ts';
import { type Api, implement } from '../shared/implement.ts';
import * as contract from './contract.ts';

export interface Replies {
  readonly base: string;
  readonly onRequest: (request: FastifyRequest) => Promise<void>;
  leadOn(reply: FastifyReply, received: providers.Received): Promise<void>;
  refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<void>;
  isLimited(request: FastifyRequest): boolean;
}

const idOf = ({ params }: FastifyRequest): string => (params as { readonly provider: string }).provider.slice(0, 32);

export function samlRoutes(api: Api, replies: Replies): void {
  const { app, deps } = api;
  const { state, signIns } = deps;
  const { base, onRequest } = replies;

  implement(api, contract.readSamlMetadata, async ({ body }) => providers.findMetadata(body));

  app.route({
    method: 'GET',
    url: `${base}/saml/metadata`,
    exposeHeadRoute: false,
    onRequest,
    async handler(request, reply) {
      const provider = await providers.findProvider({ db: state.db, box: signIns.box }, idOf(request));
      if (provider?.kind !== 'saml') throw new CodedError('NOT_FOUND', ['provider']);
      const xml = await providers.samlMetadata(provider, signIns.callbackOf(provider.id));
      return reply.type('application/samlmetadata+xml').header('cache-control', 'no-store').send(xml);
    },
  });

  void app.register(async (own: FastifyInstance) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    );
    own.route({
      method: 'POST',
      url: `${base}/saml/acs`,
      bodyLimit: providers.maxFormBytes,
      onRequest,
      async handler(request, reply) {
        const form = request.body;
        try {
          if (replies.isLimited(request)) throw new providers.SignInRefused('limited');
          // What RelayState says is followed nowhere: where somebody wanted to go is kept here.
          const responses = form instanceof URLSearchParams ? form.getAll('SAMLResponse') : [];
          const [response, ...more] = responses;
          if (response === undefined || more.length) throw new providers.SignInRefused('flow_over');
          await replies.leadOn(reply, await signIns.receive(idOf(request), response));
        } catch (error) {
          await replies.refuse(request, reply, error);
        }
      },
    });
  });
}
