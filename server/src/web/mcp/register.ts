/**
 * The MCP server at `/mcp`, Streamable HTTP: agents call tools, which the API answers as it answers any client with that
 * token. Nothing here reads a store.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { checkDemands, isSameOrigin } from '../../api/shared/access.ts';
import { actorOf, sourceOf } from '../../api/shared/deed.ts';
import { createOnce } from '../../api/shared/once.ts';
import { apiPrefix } from '../../api/shared/route-schema.ts';
import { CodedError } from '../../base/errors.ts';
import { type Failures, requestFacts } from '../../base/self/index.ts';
import { type Accounts, type Identity, type Membership, seenFrom } from '../../domains/accounts/index.ts';
import type { Audit } from '../../domains/audit/index.ts';
import type { OpenVisitors } from '../../ingest/index.ts';
import { challenge } from '../oauth/metadata.ts';
import { askApi } from './ask.ts';
import type { ToolContext } from './tool.ts';

export interface McpOptions {
  readonly accounts: Pick<Accounts, 'identify'>;
  readonly audit: Audit;
  readonly failures: Failures;
  readonly getUrl: () => string;
  readonly openVisitors: OpenVisitors;
}

export const mcpPath = '/mcp';

/** Who uses it again within an hour has been told of. */
const toldEveryMs = 3_600_000;
const maxBody = 256 * 1024;

interface Agent {
  readonly identity: Identity;
  readonly membership: Membership;
  /** As it was sent. */
  readonly authorization: string;
}

export function registerMcp(app: FastifyInstance, options: McpOptions): void {
  const { accounts, audit, failures, getUrl, openVisitors } = options;
  const rate = openVisitors('mcp', { burst: 60, perSecond: 5 });
  const strangers = openVisitors('mcp-strangers', { burst: 30, perSecond: 1 });
  const isTold = createOnce(toldEveryMs);
  const agents = new WeakMap<FastifyRequest, Agent>();

  const limited = (seconds: number): void => {
    if (seconds > 0) throw new CodedError('MCP_LIMITED', [seconds], { retryAfter: seconds });
  };

  const identified = async (request: FastifyRequest): Promise<Agent> => {
    // A page of another site that a browser shows may not speak to it, whatever it knows.
    if (request.headers.origin !== undefined && isSameOrigin(request, getUrl()) !== true)
      throw new CodedError('ORIGIN_MISMATCH');
    const { authorization = '' } = request.headers;
    // A cookie is no token: what a browser sends by itself counts for nothing.
    const found = authorization === '' ? undefined : await tokenOf(authorization, request.ip);
    const [membership] = found?.memberships ?? [];
    if (!found?.token || !membership) throw new CodedError('AUTH_REQUIRED');
    const identity = seenFrom(found, request.ip);
    const [shown = membership] = identity.memberships;
    checkDemands(shown);
    limited(rate.take(`token ${found.token.id}`));
    if (!shown.scopes.includes('event:read')) throw new CodedError('SCOPE_MISSING', ['event:read']);
    return { identity, membership: shown, authorization };
  };

  const tokenOf = async (authorization: string, address: string): Promise<Identity | undefined> => {
    try {
      return await accounts.identify(new Headers({ authorization }));
    } catch (error) {
      limited(strangers.take(address));
      throw error;
    }
  };

  const deedOf = (request: FastifyRequest, { identity, membership }: Agent) => ({
    organizationId: membership.organizationId,
    actor: actorOf(identity),
    source: sourceOf(request),
  });

  const tellOfUse = async (request: FastifyRequest, agent: Agent): Promise<void> => {
    const { token } = agent.identity;
    if (!token || isTold(`${token.id} ${request.ip}`)) return;
    await audit.recorded({ ...deedOf(request, agent), action: 'token.use_mcp' }, async (_inside, note) =>
      note({ id: token.id, name: token.name }),
    );
  };

  const contextOf = (request: FastifyRequest, agent: Agent): ToolContext => ({
    organization: agent.membership.slug,
    ask: askApi(app, apiPrefix, request, agent.authorization),
    noteChange: (tool, issue) =>
      audit.recorded({ ...deedOf(request, agent), action: 'issue.change_by_mcp' }, async (_inside, note) =>
        note({ id: issue, name: issue }, { details: { tool } }),
      ),
    noteFailure: (error) => failures.note(error, { request: requestFacts(request), log: request.log }).digest,
  });

  app.addHook('onRequest', async (request, reply) => {
    try {
      agents.set(request, await identified(request));
    } catch (error) {
      // A client that has no token, or none that is good, learns where to ask for one.
      if (error instanceof CodedError && error.status === 401)
        void reply.header('www-authenticate', challenge(getUrl()));
      throw error;
    }
  });

  app.post(mcpPath, { bodyLimit: maxBody }, async (request, reply) => {
    const agent = agents.get(request);
    if (!agent) throw new CodedError('AUTH_REQUIRED');
    const { answerMessage, createMcpServer } = await import('./protocol.ts');
    await tellOfUse(request, agent);
    const server = createMcpServer(contextOf(request, agent), agent.membership.scopes.includes('event:write'));
    return sendWeb(reply, await answerMessage(server, webRequest(request, getUrl()), request.body));
  });

  // There is no stream to listen to and no session to end: each message is answered by itself.
  app.route({
    method: ['GET', 'DELETE'],
    url: mcpPath,
    handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
  });
}

function webRequest(request: FastifyRequest, baseUrl: string): Request {
  const headers = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id', 'last-event-id']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request(new URL(mcpPath, baseUrl || 'http://localhost'), { method: 'POST', headers });
}

async function sendWeb(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const type = answer.headers.get('content-type');
  void reply.code(answer.status).header('cache-control', 'no-store');
  if (type !== null) void reply.type(type);
  return reply.send(Buffer.from(await answer.arrayBuffer()));
}
