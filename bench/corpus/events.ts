/** One event of a bug, in the shape in which the SDKs (version 11) of Node and of the browser send it. */
import type { Bug, BugFrame } from './bugs.ts';
import type { Random } from './random.ts';
import { functionName, nounName } from './source.ts';

export interface EventIdentity {
  readonly eventId: string;
  readonly traceId: string;
  /** ms since the epoch. */
  readonly atMs: number;
  readonly bug: Bug;
  readonly random: Random;
}

type Json = Record<string, unknown>;

const contextLines = 5;
const sdkVersion = '11.12.0';
const environments = ['production', 'production', 'production', 'staging'] as const;
const regions = ['eu-west-1', 'eu-central-1', 'us-east-1', 'ap-south-1'] as const;
const plans = ['free', 'pro', 'enterprise'] as const;
const agents = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
] as const;
const nodeIntegrations =
  'EventFilters FunctionToString LinkedErrors Dedupe RequestData NodeSystemError ConversationId Console Http NodeFetch OnUncaughtException OnUnhandledRejection ContextLines LocalVariablesAsync Context ChildProcess ProcessSession Modules Express Fastify Graphql Mongo Redis Postgres Prisma SpanStreaming'.split(
    ' ',
  );
const browserIntegrations =
  'EventFilters FunctionToString ConversationId BrowserApiErrors Breadcrumbs Console GlobalHandlers LinkedErrors Dedupe HttpContext CultureContext BrowserSession BrowserTracing SpanStreaming WebVitals'.split(
    ' ',
  );

export function createEvent(identity: EventIdentity): Json {
  const { bug, random, eventId, atMs } = identity;
  const node = bug.kind === 'node';
  const environment = random.pick(environments);
  const release = `shop@5.${random.zipf(12)}.${node ? 0 : 1}`;
  const userId = random.zipf(20_000);
  return {
    exception: { values: exceptions(identity) },
    event_id: eventId,
    level: 'error',
    platform: node ? 'node' : 'javascript',
    timestamp: atMs / 1000,
    environment,
    release,
    dist: '42',
    transaction: bug.transaction,
    contexts: node ? nodeContexts(identity) : browserContexts(identity),
    ...(node ? { server_name: `shop-api-${random.integer(1, 8)}`, modules: modulesOf() } : {}),
    sdk: {
      integrations: node ? nodeIntegrations : browserIntegrations,
      name: node ? 'sentry.javascript.node' : 'sentry.javascript.react',
      version: sdkVersion,
      packages: [{ name: `npm:@sentry/${node ? 'node' : 'react'}`, version: sdkVersion }],
      settings: { infer_ip: node ? 'never' : 'auto' },
    },
    tags: {
      tenant: `tenant-${random.zipf(400)}`,
      region: random.pick(regions),
      plan: random.pick(plans),
      feature: nounName(random),
    },
    user: { id: `u-${userId}`, email: `user${userId}@example.com`, ip_address: `203.0.113.${userId % 250}` },
    extra: { attempt: random.integer(1, 5), cartId: random.hex(12), cart: cart(random) },
    breadcrumbs: breadcrumbs(identity),
    request: node ? nodeRequest(identity) : browserRequest(identity),
    ...(node ? {} : { debug_meta: { images: images(bug) } }),
  };
}

function exceptions({ bug, random }: EventIdentity): Json[] {
  const chained = bug.causeFrames.length > 0;
  const mechanism = {
    type: bug.kind === 'node' ? 'auto.http.express' : 'auto.browser.global_handlers.onerror',
    handled: bug.handled,
  };
  const thrown: Json = {
    type: bug.type,
    value: bug.message.replace('#', String(random.integer(1000, 99_999))),
    stacktrace: { frames: bug.frames.map(frame) },
    mechanism: chained ? { ...mechanism, exception_id: 0 } : mechanism,
  };
  if (!chained) return [thrown];
  const cause: Json = {
    type: 'Error',
    value: `connection to 10.0.0.${random.integer(1, 30)}:5432 was reset`,
    stacktrace: { frames: bug.causeFrames.map(frame) },
    mechanism: { type: 'chained', source: 'cause', handled: true, exception_id: 1, parent_id: 0 },
  };
  return [cause, thrown];
}

function frame(at: BugFrame): Json {
  const { path, inApp, lines } = at.file;
  const place = { filename: path, function: at.function, in_app: inApp, lineno: at.line, colno: at.column };
  if (path.startsWith('https:')) return place;
  const module = path.slice(path.lastIndexOf('/') + 1).replace('.js', '');
  if (!lines.length) return { ...place, module };
  const index = at.line - 1;
  return {
    ...place,
    module,
    pre_context: lines.slice(Math.max(0, index - contextLines), index),
    context_line: lines[index],
    post_context: lines.slice(index + 1, index + 1 + contextLines),
  };
}

function nodeContexts({ traceId, random, atMs }: EventIdentity): Json {
  const freeMemory = random.integer(1, 8) * 2 ** 30 + random.integer(0, 2 ** 20) * 1024;
  return {
    trace: { trace_id: traceId, span_id: random.hex(16), parent_span_id: random.hex(16) },
    runtime: { name: 'node', version: 'v24.21.0' },
    app: {
      app_start_time: new Date(atMs - random.integer(60_000, 9_000_000)).toISOString(),
      app_memory: random.integer(90, 400) * 2 ** 20,
      free_memory: freeMemory,
    },
    os: { kernel_version: '6.12.0-generic', name: 'Debian', version: '12.11' },
    device: {
      boot_time: new Date(atMs - 9e8).toISOString(),
      arch: 'x64',
      memory_size: 2 ** 34,
      free_memory: freeMemory,
      processor_count: 4,
      cpu_description: 'AMD EPYC',
      processor_frequency: 2450,
    },
    culture: { locale: 'en-US', timezone: 'UTC' },
    cloud_resource: {},
  };
}

function browserContexts({ traceId, random }: EventIdentity): Json {
  return {
    trace: { trace_id: traceId, span_id: random.hex(16) },
    react: { version: '19.3.1' },
    culture: {
      locale: random.pick(['en-US', 'de-DE', 'fr-FR', 'ja-JP']),
      timezone: random.pick(['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']),
      calendar: 'gregory',
    },
  };
}

function breadcrumbs({ random, atMs, bug }: EventIdentity): Json[] {
  return Array.from({ length: random.integer(8, 20) }, (_, index): Json => {
    const timestamp = (atMs - 30_000 + index * 1_000 + random.integer(0, 999)) / 1000;
    switch (random.integer(0, 3)) {
      case 0:
        return {
          timestamp,
          category: 'console',
          level: 'log',
          message: `${functionName(random)} ${random.hex(8)}`,
          data: { arguments: [`${functionName(random)} ${random.hex(8)}`], logger: 'console' },
        };
      case 1:
        return bug.kind === 'node'
          ? {
              timestamp,
              category: 'query',
              message: `SELECT * FROM ${nounName(random)}s WHERE id = $1 AND tenant = $2`,
              data: { 'db.system': 'postgresql', rows: random.integer(0, 40) },
            }
          : {
              timestamp,
              category: 'ui.click',
              message: `body > div#root > main > section.${nounName(random)} > button#${functionName(random)}`,
            };
      default:
        return {
          timestamp,
          type: 'http',
          category: bug.kind === 'node' ? 'http' : 'fetch',
          data: {
            method: 'GET',
            url: `/api/${nounName(random)}s/${random.integer(1, 99_999)}?include=${nounName(random)}`,
            __span: random.hex(16),
            status_code: random.next() < 0.9 ? 200 : 502,
          },
        };
    }
  });
}

/** State of the shop as its code attaches it: what compresses worst in an event. */
function cart(random: Random): Json[] {
  return Array.from({ length: random.integer(3, 11) }, () => ({
    sku: `${random.hex(4)}-${random.hex(6)}`.toUpperCase(),
    quantity: random.integer(1, 9),
    cents: random.integer(99, 99_999),
    offer: random.hex(16),
  }));
}

function nodeRequest({ random, bug, traceId }: EventIdentity): Json {
  const path = bug.transaction.split(' ')[1]?.replace(':id', String(random.integer(1, 99_999))) ?? '/';
  return {
    method: bug.transaction.startsWith('POST') ? 'POST' : 'GET',
    url: `https://api.shop.example.com${path}?page=${random.integer(1, 40)}`,
    query_string: `page=${random.integer(1, 40)}`,
    headers: {
      host: 'api.shop.example.com',
      'user-agent': random.pick(agents),
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'accept-language': 'en-US,en;q=0.9',
      'content-type': 'application/json',
      'x-request-id': random.hex(32),
      'sentry-trace': `${traceId}-${random.hex(16)}-1`,
      baggage: `sentry-environment=production,sentry-release=shop%405.0.0,sentry-trace_id=${traceId},sentry-sampled=true`,
    },
    cookies: { session: '[Filtered]', locale: 'en' },
  };
}

function browserRequest({ random, bug }: EventIdentity): Json {
  return {
    url: `https://shop.example.com${bug.transaction.replace('[id]', String(random.integer(1, 99_999)))}?ref=${random.hex(6)}`,
    headers: { 'User-Agent': random.pick(agents), Referer: 'https://shop.example.com/' },
  };
}

function images(bug: Bug): Json[] {
  const paths = new Set(bug.frames.map((at) => at.file.path));
  return [...paths].map((path) => {
    const hash = path.slice(-11, -3);
    return { type: 'sourcemap', code_file: path, debug_id: `${hash}-8957-5767-b6df-00a5${hash}` };
  });
}

let modules: Json | undefined;

/** About as many packages as a small service has; the same in every event of it. */
function modulesOf(): Json {
  modules ??= Object.fromEntries(
    'express fastify undici pg ioredis zod pino ajv semver qs accepts body-parser bytes cookie debug depd ee-first encodeurl escape-html etag finalhandler fresh http-errors iconv-lite inherits ipaddr.js media-typer merge-descriptors methods mime ms negotiator on-finished parseurl path-to-regexp proxy-addr range-parser raw-body safe-buffer send serve-static setprototypeof statuses toidentifier type-is unpipe utils-merge vary'
      .split(' ')
      .map((name, index) => [name, `${(index * 7) % 9}.${(index * 5) % 13}.${(index * 3) % 11}`]),
  );
  return modules;
}
