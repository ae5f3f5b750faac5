/** Joins an endpoint of the contract with the function that answers it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { askedBy, type Asker } from '../../base/asker.ts';
import type { Deed, Note } from '../../domains/audit/index.ts';
import type { Identity, Membership } from '../../domains/accounts/index.ts';
import type { Feedback } from '../../domains/feedback/index.ts';
import type { IssueRow } from '../../domains/issues/index.ts';
import type { StateGuard } from '../../domains/nodes/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import { authorize, type Caller } from './access.ts';
import { usualAction } from './audited.ts';
import { actorOf, sourceOf } from './deed.ts';
import type { Endpoint } from './endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { apiPrefix, routeSchema } from './route-schema.ts';
import { sendUnlessUnchanged } from './unchanged.ts';

type Output<E extends Endpoint, Part extends 'params' | 'query' | 'body' | 'response'> = E extends {
  readonly [P in Part]: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

type CallerOf<E extends Endpoint> = {
  readonly identity: E['access'] extends 'public' ? Identity | undefined : Identity;
} & (Output<E, 'params'> extends { org: string } | { issue: string } ? { readonly membership: Membership } : unknown) &
  (Output<E, 'params'> extends { project: string } | { issue: string } ? { readonly project: Project } : unknown) &
  (Output<E, 'params'> extends { issue: string }
    ? E extends { readonly alsoFeedback: true }
      ? { readonly issue: IssueRow; readonly feedback?: undefined } | { readonly feedback: Feedback }
      : { readonly issue: IssueRow }
    : unknown);

export type Recorded = <T>(work: (state: State, note: Note) => Promise<T>) => Promise<T>;

export interface Call<E extends Endpoint> {
  readonly params: Output<E, 'params'>;
  readonly query: Output<E, 'query'>;
  readonly body: Output<E, 'body'>;
  readonly caller: CallerOf<E>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Who does it, for the audit log. */
  readonly deed: Deed;
  /**
   * Runs a change in one transaction with its entries in the audit log; `note` says what was done. Only what writes belongs
   * in it, with the state store that it is given.
   */
  readonly recorded: Recorded;
}

type Result<E extends Endpoint> = E['produces'] extends string
  ? void
  : E extends { readonly response: z.ZodType }
    ? Output<E, 'response'> | (E['alsoProduces'] extends string ? string : never)
    : void;

/** A change that was begun is finished, whether or not anybody waits to hear of it. */
const askerOf = ({ method }: Endpoint, request: FastifyRequest, identity: Identity | undefined): Asker => ({
  key: identity?.userId ?? request.ip,
  signal: method === 'GET' ? request.signal : undefined,
});

const unguarded: StateGuard = (_kind, work) => work();

const neverKept = 'no-store';

/** What the hook found out, for the handler of the same request. */
const callers = new WeakMap<FastifyRequest, Caller>();

export interface Api {
  readonly app: FastifyInstance;
  readonly deps: ApiDeps;
}

export function implement<const E extends Endpoint>(
  { app, deps }: Api,
  endpoint: E,
  answer: (call: Call<E>) => Promise<Result<E>>,
): void {
  // Whoever is nobody in particular has no answers of their own.
  const tagged = endpoint.method === 'GET' && endpoint.access !== 'public';
  const { guardState: guard = unguarded } = deps;
  const kind = endpoint.method === 'GET' ? 'question' : 'change';
  app.route({
    method: endpoint.method,
    url: `${apiPrefix}${endpoint.url}`,
    schema: routeSchema(endpoint),
    ...(endpoint.bodyLimit !== undefined && { bodyLimit: endpoint.bodyLimit }),
    config: { upload: endpoint.upload ?? false },
    // Before the body is read: nobody makes the server parse what they may not send.
    async onRequest(request) {
      callers.set(request, await guard('question', () => authorize(deps, endpoint, request)));
    },
    async handler(request, reply) {
      // authorize() has filled in what the path of this endpoint names, which is what the type says.
      const caller = callers.get(request) as CallerOf<E>;
      void reply.header('cache-control', neverKept);
      const { identity, membership } = callers.get(request) ?? {};
      const deed: Deed = {
        organizationId: membership?.organizationId ?? '',
        actor: actorOf(identity),
        source: sourceOf(request),
        action: usualAction(endpoint.id),
      };
      const call: Call<E> = {
        params: request.params as Output<E, 'params'>,
        query: request.query as Output<E, 'query'>,
        body: request.body as Output<E, 'body'>,
        caller,
        request,
        reply,
        deed,
        recorded: (work) => deps.audit.recorded(deed, work),
      };
      const result = await guard(kind, () => askedBy(askerOf(endpoint, request, caller.identity), () => answer(call)));
      if (endpoint.produces || reply.sent) return reply;
      // A handler may have said which kind of success it is.
      if (reply.statusCode === 200) void reply.code(endpoint.status ?? (result === undefined ? 204 : 200));
      // A handler that has said more of caching knows of a secret in its answer.
      const mayKeep = tagged && reply.statusCode === 200 && reply.getHeader('cache-control') === neverKept;
      return mayKeep ? sendUnlessUnchanged(request, reply, result) : reply.send(result);
    },
  });
}
