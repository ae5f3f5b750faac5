/** The endpoints to which SDKs send. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { preflight, send, type Answer } from './answer.ts';
import { openBlobQuota } from './blob-quota.ts';
import { releaseHeld } from './body.ts';
import { type EnvelopePath, envelopePath, type TakeDirectly } from './direct.ts';
import { takeEnvelope } from './envelope.ts';
import type { Exchange, Ingest, IngestDeps } from './exchange.ts';
import { createGate } from './gate.ts';
import type { GrpcCall, GrpcListener } from './otlp/grpc.ts';
import { otlpRoutes, takeOtlp } from './otlp/index.ts';
import { openOutcomeCounter } from './outcomes.ts';
import { openQuotas } from './quotas/index.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { takeOwn } from './own.ts';
import { createRefuser } from './refuse.ts';
import { takeReportDialog } from './report-dialog.ts';
import { takeSecurityReport } from './security.ts';
import { signals } from '../base/otlp/index.ts';
import { type FailedRequest, requestFacts } from '../base/self/index.ts';
import { transportHeaders } from '../base/transport.ts';
import { createSharedLimiter } from './shared-limiter.ts';
import { createStats, increment, type IngestStats } from './stats.ts';
import type { StormGuard } from './storm/index.ts';
import { takeStore } from './store.ts';
import { openOwnVisitors } from './visitors.ts';

export { type Compression, decompressedChunks, type Encoding } from './decompress.ts';
export { takeFirst } from './direct.ts';
export type { IngestDeps } from './exchange.ts';
export type { IngestKey, KeyDirectory } from './keys.ts';
export { type MirroredHead, type MirroredKind, mirrorHeader, type Mirrors } from './mirror.ts';
export type { AddQuotaUse, KeyQuota, QuotaUse } from './quotas/index.ts';
export type { TakeShares } from './shared-limiter.ts';
export type { IngestStats } from './stats.ts';
export { openStormGuard, type ShareRates, type StormGuard, type StormStats } from './storm/index.ts';
export { openOwnVisitors, type OpenVisitors } from './visitors.ts';

type Endpoint = (ingest: Ingest, exchange: Exchange) => Promise<Answer>;

interface Route {
  readonly name: string;
  readonly paths: readonly string[];
  readonly methods: readonly ('GET' | 'POST')[];
  readonly take: Endpoint;
  /** Says a refusal again in the language of the endpoint's clients; that of SDKs unless given. */
  readonly restate?: (exchange: Exchange, answer: Answer) => Answer;
}

const envelopeRoute = {
  name: 'envelope',
  paths: ['/api/:project/envelope'],
  methods: ['POST'],
  take: takeEnvelope,
} as const satisfies Route;

const routes: readonly Route[] = [
  envelopeRoute,
  { name: 'tunnel', paths: ['/monitoring'], methods: ['POST'], take: takeEnvelope },
  { name: 'store', paths: ['/api/:project/store', '/api/store'], methods: ['POST', 'GET'], take: takeStore },
  {
    name: 'security',
    paths: ['/api/:project/security', '/api/:project/csp-report'],
    methods: ['POST'],
    take: takeSecurityReport,
  },
  {
    name: 'report-dialog',
    paths: ['/api/embed/error-page'],
    methods: ['GET', 'POST'],
    take: takeReportDialog,
  },
  ...otlpRoutes,
];

/** Bytes of bodies that are held at once, compressed; both together. */
const smallPoolBytes = 64 * 1024 * 1024;
const largePoolBytes = 192 * 1024 * 1024;
/** Of the four threads that the process has for such work and for files. */
const inflatingAtOnce = 2;
/** When the server stops, uploads have this long to become complete. */
const stopGraceMs = 3_000;

export interface RegisteredIngest {
  readonly stats: IngestStats;
  readonly storm: StormGuard | undefined;
  /** An envelope that the program itself made. Resolves when it is on disk. Throws KEY_*, LOG_FULL. */
  takeOwn(publicKey: string, envelope: Uint8Array): Promise<void>;
  /** For `takeFirst`. */
  readonly takeDirectly: TakeDirectly;
  /** Listens for OTLP over gRPC until `app` closes. Returns the port. */
  listenGrpc(host: string, port: number): Promise<number>;
}

/** What an answer is sent with. */
interface Raw {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Addresses of all endpoints, as Fastify writes them. */
export const ingestPaths: readonly string[] = routes.flatMap(({ paths }) => paths);

/**
 * Registers the endpoints on `app`, which should be a scope of its own: hooks of `app` cost every event. Where it does
 * not serve them, it takes only what the program itself made.
 */
export function registerIngest(
  app: FastifyInstance,
  deps: IngestDeps,
  { serves }: { readonly serves: boolean } = { serves: true },
): RegisteredIngest {
  const outcomes = openOutcomeCounter(deps.log, deps.logger);
  const ingest: Ingest = {
    ...deps,
    pools: { small: createGate(smallPoolBytes), large: createGate(largePoolBytes), arriving: new Set() },
    inflating: createGate(inflatingAtOnce),
    limiter: deps.takeShares ? createSharedLimiter(deps.takeShares) : createRateLimiter(),
    blobQuota: openBlobQuota(deps.addBlobBytes, deps.logger),
    quotas: openQuotas(deps.addQuotaUse, deps.logger),
    visitors: (deps.openVisitors ?? openOwnVisitors)('internal-key'),
    outcomes,
    stats: createStats(),
  };
  const refuser = createRefuser(ingest);
  const underWay = new Set<Exchange>();
  let grpc: GrpcListener | undefined;
  let isStopping = false;
  app.addHook('preClose', () => {
    isStopping = true;
    setTimeout(() => cutOff(underWay), stopGraceMs).unref();
    return grpc?.[Symbol.asyncDispose]() ?? Promise.resolve();
  });
  app.addHook('onClose', async () => {
    deps.storm?.[Symbol.dispose]();
    await outcomes.close();
    await ingest.blobQuota[Symbol.asyncDispose]();
    await ingest.quotas[Symbol.asyncDispose]();
  });
  // Nothing here logs by request.
  app.setChildLoggerFactory((logger) => logger);

  async function answerTo(
    { take, restate }: Pick<Route, 'take' | 'restate'>,
    exchange: Exchange,
  ): Promise<Answer | undefined> {
    const { stats } = ingest;
    underWay.add(exchange);
    stats.inFlight = underWay.size;
    let answer: Answer | undefined;
    try {
      answer = await take(ingest, exchange);
    } catch (error) {
      answer = refuser.refuse(exchange, error);
      if (answer && restate) answer = restate(exchange, answer);
    } finally {
      releaseHeld(ingest.pools, exchange.held);
      underWay.delete(exchange);
      stats.inFlight = underWay.size;
    }
    if (answer) increment(stats.requests, `${exchange.endpoint} ${answer.status}`);
    return answer;
  }

  async function serve(route: Route, exchange: Exchange, { request, response }: Raw): Promise<void> {
    const answer = await answerTo(route, exchange);
    if (answer) send(request, response, answer);
  }

  function start(route: Route, exchange: Exchange, raw: Raw): void {
    serve(route, exchange, raw).catch((error: unknown) => {
      deps.logger.error({ err: error }, 'could not send a response');
      raw.response.destroy();
    });
  }

  function takeDirectly(request: IncomingMessage, response: ServerResponse): boolean {
    // When it stops, Fastify tells clients to close their connections.
    const path = isStopping ? undefined : envelopePath(request);
    if (path) start(envelopeRoute, directExchange(request, path), { request, response });
    return path !== undefined;
  }

  // What comes through a proxy gets here; what does not has no https.
  const transport = new Map(Object.entries(transportHeaders(deps.config.url)));
  const secure = (response: ServerResponse): unknown => transport.size && response.setHeaders(transport);
  for (const route of serves ? routes : []) {
    for (const url of route.paths.flatMap((path) => bothSlashes(app, path))) {
      // The work is done in the first hook: Fastify would choose a parser by the content type of the body before
      // the handler runs, and refuse content types that it cannot read, while SDKs send none or any.
      app.route({
        method: [...route.methods],
        url,
        exposeHeadRoute: false,
        onRequest(request, reply) {
          reply.hijack();
          secure(reply.raw);
          start(route, exchangeOf(route.name, request), { request: request.raw, response: reply.raw });
        },
        handler: unreachable,
      });
      app.route({
        method: 'OPTIONS',
        url,
        onRequest(request, reply) {
          reply.hijack();
          secure(reply.raw);
          send(request.raw, reply.raw, preflight);
        },
        handler: unreachable,
      });
    }
  }
  async function listenGrpc(host: string, port: number): Promise<number> {
    const { listenGrpc: listen } = await import('./otlp/grpc.ts');
    const { maxBodyBytes: maxBytes, bodyTimeoutSeconds: timeoutSeconds } = deps.config;
    grpc = await listen({
      host,
      port,
      maxBytes,
      timeoutSeconds,
      take: ({ signal, ...call }) =>
        answerTo({ take: (...all) => takeOtlp(signal, ...all) }, callExchange(signals[signal].itemType, call)),
    });
    return grpc.port;
  }
  return {
    stats: ingest.stats,
    storm: deps.storm,
    takeOwn: (publicKey, envelope) => takeOwn(ingest, publicKey, envelope),
    takeDirectly,
    listenGrpc,
  };
}

/** Ends uploads that are not complete; what is complete is still written and answered. */
function cutOff(exchanges: Iterable<Exchange>): void {
  for (const { request } of exchanges) if (!request.complete) request.destroy();
}

function unreachable(): void {}

function bothSlashes(app: FastifyInstance, path: string): string[] {
  return app.initialConfig.routerOptions?.ignoreTrailingSlash ? [path] : [path, `${path}/`];
}

function exchangeOf(endpoint: string, request: FastifyRequest): Exchange {
  const { raw } = request;
  const url = raw.url ?? '';
  const mark = url.indexOf('?');
  return {
    endpoint,
    request: raw,
    remoteAddress: request.ip,
    pathProject: (request.params as { project?: string }).project,
    query: mark === -1 ? '' : url.slice(mark + 1),
    facts: () => requestFacts(request),
    ...atTheStart(),
  };
}

function directExchange(request: IncomingMessage, path: EnvelopePath): Exchange {
  return {
    endpoint: envelopeRoute.name,
    request,
    remoteAddress: request.socket.remoteAddress ?? '',
    pathProject: path.project,
    query: path.query,
    facts: () => factsOf(request),
    ...atTheStart(),
  };
}

function callExchange(endpoint: string, { path, request, remoteAddress }: Omit<GrpcCall, 'signal'>): Exchange {
  const { headers } = request;
  const { host = '' } = headers;
  const facts = { method: 'POST', url: path, headers, protocol: 'http', host, routeOptions: { url: path } } as const;
  return {
    endpoint,
    request,
    remoteAddress,
    pathProject: undefined,
    query: '',
    facts: () => requestFacts(facts),
    ...atTheStart(),
  };
}

function atTheStart(): Pick<Exchange, 'held' | 'key' | 'client' | 'isAdmitted' | 'items'> {
  return { held: { small: 0, large: 0 }, key: undefined, client: undefined, isAdmitted: false, items: [] };
}

function factsOf({ method = '', url = '', headers }: IncomingMessage): FailedRequest {
  const { host = '' } = headers;
  const [route] = envelopeRoute.paths;
  return requestFacts({ method, url, headers, protocol: 'http', host, routeOptions: { url: route } });
}
