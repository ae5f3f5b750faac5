/**
 * Envelopes of spans as the SDKs of Node send them: a transaction with its spans (up to version 10), or a container of
 * spans (from version 11 on). Each is one request to a shop: a segment, middleware, queries, a cache, a call of another service.
 */
import { gzipSync } from 'node:zlib';
import type { CorpusEnvelope, CorpusOptions } from '../corpus.ts';
import { createRandom, type Random } from './random.ts';
import { nounName } from './source.ts';

/** Spans of one envelope, its segment among them. */
export const spansEach = 25;

const gzipLevel = 6;
const routes = 120;
const sdk = (version: string) => ({ name: 'sentry.javascript.node', version });

export interface Step {
  readonly id: string;
  readonly parentId: string;
  readonly op: string;
  readonly origin: string;
  readonly description: string;
  /** Seconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly data: Readonly<Record<string, string | number>>;
}

export interface Request {
  readonly eventId: string;
  readonly traceId: string;
  readonly segment: Step;
  readonly steps: readonly Step[];
  readonly userId: string;
  readonly server: string;
  readonly release: string;
}

/** `slow`: with a query for each of a list, as detectors look for. */
function createRequest(random: Random, atMs: number, slow: boolean): Request {
  const table = `${nounName(random)}s`;
  const route = `/api/${table}/${random.zipf(routes)}/:id`;
  const path = route.replace(':id', String(random.integer(1, 99_999)));
  const start = atMs / 1000;
  const segmentId = random.hex(16);
  const steps: Step[] = [];
  let now = start;
  for (let index = 1; index < spansEach; index++) {
    const seconds = random.integer(1, 40) / 4000;
    const id = random.hex(16);
    const parentId = index % 6 === 0 && !slow ? (steps.at(-1)?.id ?? segmentId) : segmentId;
    steps.push({
      id,
      parentId,
      start: now,
      end: now + seconds,
      ...(slow && index > 4 ? queryOf(random, table) : stepOf(random, index)),
    });
    now += seconds;
  }
  return {
    eventId: random.hex(32),
    traceId: random.hex(32),
    userId: `u-${random.zipf(20_000)}`,
    server: `shop-api-${random.integer(1, 8)}`,
    release: `shop@5.${random.zipf(12)}.0`,
    steps,
    segment: {
      id: segmentId,
      parentId: '',
      op: 'http.server',
      origin: 'auto.http.otel.http',
      description: `GET ${route}`,
      start,
      end: now + 0.002,
      data: {
        'http.request.method': 'GET',
        'http.route': route,
        'url.full': `https://api.shop.example.com${path}?page=${random.integer(1, 40)}`,
        'url.path': path,
        'http.response.status_code': random.next() < 0.97 ? 200 : 500,
        'user_agent.original': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36',
        'server.address': 'api.shop.example.com',
        'network.protocol.version': '1.1',
      },
    },
  };
}

function stepOf(random: Random, index: number): Pick<Step, 'op' | 'origin' | 'description' | 'data'> {
  const noun = nounName(random);
  switch (index % 4) {
    case 0:
      return {
        op: 'middleware.express',
        origin: 'auto.http.otel.express',
        description: `check${noun}`,
        data: { 'express.name': `check${noun}`, 'express.type': 'middleware' },
      };
    case 1: {
      const url = `https://billing.internal/v2/${noun}s/${random.integer(1, 99_999)}`;
      return {
        op: 'http.client',
        origin: 'auto.http.otel.node_fetch',
        description: `GET ${url}`,
        data: { 'http.request.method': 'GET', 'url.full': url, 'http.response.status_code': 200 },
      };
    }
    default:
      return queryOf(random, `${noun}s`);
  }
}

function queryOf(random: Random, table: string): Pick<Step, 'op' | 'origin' | 'description' | 'data'> {
  const query = `SELECT id, name, price FROM ${table} WHERE id = $1 AND tenant = ${random.integer(1, 400)}`;
  return {
    op: 'db',
    origin: 'auto.db.otel.postgres',
    description: query,
    data: { 'db.system.name': 'postgresql', 'db.namespace': 'shop', 'db.query.text': query, 'db.user': 'shop' },
  };
}

export function* createRequests(
  { seed, count, nowMs }: Omit<CorpusOptions, 'encoding'>,
  slow = false,
): Generator<Request> {
  const random = createRandom(seed);
  for (let index = 0; index < count; index++) yield createRequest(random, nowMs - random.integer(0, 59_999), slow);
}

function envelope(
  { eventId, traceId, segment, release }: Request,
  version: string,
  itemHeader: object,
  item: object,
  { encoding, nowMs }: CorpusOptions,
): CorpusEnvelope {
  const header = {
    event_id: eventId,
    sent_at: new Date(nowMs).toISOString(),
    sdk: sdk(version),
    trace: {
      environment: 'production',
      release,
      trace_id: traceId,
      transaction: segment.description,
      sampled: 'true',
      sample_rate: '1',
    },
  };
  const plain = Buffer.from(`${JSON.stringify(header)}\n${JSON.stringify(itemHeader)}\n${JSON.stringify(item)}`);
  const body = encoding === 'gzip' ? gzipSync(plain, { level: gzipLevel }) : plain;
  return { eventId, body, sizeBytes: plain.length };
}

export const createSlowTransactions = (options: CorpusOptions): Generator<CorpusEnvelope> =>
  createTransactions(options, true);

export function* createTransactions(options: CorpusOptions, slow = false): Generator<CorpusEnvelope> {
  const version = '10.78.0';
  for (const request of createRequests(options, slow)) {
    const { eventId, traceId, segment, steps, release, server, userId } = request;
    const item = {
      event_id: eventId,
      type: 'transaction',
      transaction: segment.description,
      transaction_info: { source: 'route' },
      platform: 'node',
      server_name: server,
      environment: 'production',
      release,
      sdk: sdk(version),
      user: { id: userId },
      start_timestamp: segment.start,
      timestamp: segment.end,
      contexts: {
        trace: {
          trace_id: traceId,
          span_id: segment.id,
          op: segment.op,
          origin: segment.origin,
          status: 'ok',
          data: { ...segment.data, 'sentry.source': 'route', 'sentry.sample_rate': 1 },
        },
        runtime: { name: 'node', version: 'v24.21.0' },
        os: { name: 'Debian', version: '12.11', kernel_version: '6.12.0-generic' },
      },
      spans: steps.map((step) => ({
        trace_id: traceId,
        span_id: step.id,
        parent_span_id: step.parentId,
        op: step.op,
        origin: step.origin,
        description: step.description,
        status: 'ok',
        start_timestamp: step.start,
        timestamp: step.end,
        data: { ...step.data, 'sentry.op': step.op, 'sentry.origin': step.origin },
      })),
    };
    yield envelope(request, version, { type: 'transaction' }, item, options);
  }
}

export const typed = (
  value: string | number | boolean,
): { readonly value: string | number | boolean; readonly type: string } => ({
  value,
  type: typeof value === 'number' ? 'integer' : typeof value,
});

export function* createContainers(options: CorpusOptions): Generator<CorpusEnvelope> {
  const version = '11.12.0';
  for (const request of createRequests(options)) {
    const { traceId, segment, steps, release, server, userId } = request;
    const items = [segment, ...steps].map((step) => {
      const attributes = {
        ...step.data,
        'sentry.op': step.op,
        'sentry.origin': step.origin,
        'sentry.segment.id': segment.id,
        'sentry.segment.name': segment.description,
        'sentry.segment.name.source': 'route',
        'sentry.trace_lifecycle': 'stream',
        'sentry.release': release,
        'sentry.environment': 'production',
        'sentry.sdk.name': 'sentry.javascript.node',
        'sentry.sdk.version': version,
        'server.name': server,
        'user.id': userId,
      };
      return {
        trace_id: traceId,
        span_id: step.id,
        ...(step.parentId && { parent_span_id: step.parentId }),
        name: step.description,
        status: 'ok',
        is_segment: step === segment,
        start_timestamp: step.start,
        end_timestamp: step.end,
        attributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, typed(value)])),
      };
    });
    const itemHeader = {
      type: 'span',
      item_count: items.length,
      content_type: 'application/vnd.sentry.items.span.v2+json',
    };
    yield envelope(request, version, itemHeader, { version: 2, items }, options);
  }
}
