/** What applications send: every recorded envelope, an item of each other type, OTLP, and uploads. Harmless words only: rules that come later must change none of it. */
import { createHash } from 'node:crypto';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { listFixtures, readFixture } from '../../fixtures/index.ts';
import { makeBundle, sha1 } from '../../server/src/domains/artifacts/testing/bundle.ts';
import { envelopeUrl, type Server } from '../../server/test/harness.ts';

const hourMs = 3_600_000;

/** Ids that were made here. */
export const madeIds = new Set<string>();

/** The same each time. */
export const idOf = (text: string, length = 32): string => {
  const id = createHash('md5').update(text).digest('hex').slice(0, length);
  madeIds.add(id);
  return id;
};

type Json = Readonly<Record<string, unknown>>;
interface Item {
  readonly type: string;
  readonly header?: Json;
  readonly payload: Json | string | Uint8Array;
}

export async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<void> {
  const response = await fetch(url, { method: 'POST', body, headers });
  if (!response.ok) throw new Error(`${response.status} for ${url}: ${await response.text()}`);
}

export function envelopeOf(header: Json, items: readonly Item[]): Buffer<ArrayBuffer> {
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(header)}\n`)];
  for (const { type, header, payload } of items) {
    const isText = typeof payload === 'string' || payload instanceof Uint8Array;
    const bytes = Buffer.from(isText ? payload : JSON.stringify(payload));
    parts.push(Buffer.from(`${JSON.stringify({ type, length: bytes.length, ...header })}\n`), bytes, Buffer.from('\n'));
  }
  return Buffer.concat(parts);
}

/** Every recorded envelope, as if its program had run some hours ago. */
export async function sendRecorded(dsn: string): Promise<void> {
  for (const [index, name] of listFixtures().entries()) {
    const { meta, bytes } = readFixture(name);
    const end = bytes.indexOf(0x0a);
    const { dsn: _, ...header } = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as Record<string, string>;
    // What was sent so long after it happened, happened so long before it arrived.
    const sentAt = header.sent_at && new Date(Date.parse(header.sent_at) + (index % 30) * hourMs).toISOString();
    const body = Buffer.concat([Buffer.from(JSON.stringify({ ...header, sent_at: sentAt })), bytes.subarray(end)]);
    const agent = new Map(meta.headers).get('user-agent') ?? meta.sdk;
    if (index % 3 === 0)
      await post(envelopeUrl(dsn), gzipSync(body), { 'content-encoding': 'gzip', 'user-agent': agent });
    else await post(envelopeUrl(dsn), body, { 'user-agent': agent });
  }
}

interface ErrorOf {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly file: string;
  readonly line: number;
  readonly at: number;
  readonly more?: Json;
}

export const errorOf = ({ name, type, value, file, line, at, more }: ErrorOf): Json => ({
  event_id: idOf(name),
  timestamp: at / 1000,
  platform: 'node',
  level: 'error',
  release: 'shop@1.0.0',
  environment: 'production',
  server_name: 'web-1',
  user: { id: `u-${name.length % 5}`, email: `u${name.length % 5}@example.com` },
  tags: { region: name.length % 2 ? 'eu' : 'us' },
  exception: {
    values: [
      {
        type,
        value,
        mechanism: { type: 'generic', handled: false },
        stacktrace: {
          frames: [
            { filename: '/app/server.js', function: 'handle', lineno: 10, colno: 3, in_app: true },
            { filename: file, function: `do${type}`, lineno: line, colno: 5, in_app: true, context_line: '  go();' },
          ],
        },
      },
    ],
  },
  ...more,
});

export const sendEvent = (dsn: string, event: Json, more: readonly Item[] = []): Promise<void> =>
  post(envelopeUrl(dsn), envelopeOf({ event_id: event.event_id }, [{ type: 'event', payload: event }, ...more]));

/** Errors of nine days in so many issues; the names are those of `work.ts`. */
export async function sendErrors(dsn: string, now: number): Promise<void> {
  const kinds = [
    ['checkout', 'CheckoutError', 'The basket is empty', '/app/src/checkout.js', 12],
    ['stock', 'StockError', 'Item 4711 is not there', '/app/src/stock.js', 77],
    ['mail', 'MailError', 'The letter was refused', '/app/src/mail.js', 5],
    ['render', 'RenderError', 'No template for the page', '/app/src/render.js', 31],
    ['image', 'ImageError', 'The picture has no size', '/app/src/image.js', 8],
    ['search', 'SearchError', 'The index is stale', '/app/src/search.js', 99],
    ['noise', 'NoiseError', 'Never mind', '/app/src/noise.js', 2],
  ] as const;
  for (const [kind, type, value, file, line] of kinds) {
    for (let event = 0; event < 6; event++) {
      const at = now - (event * 36 + 2) * hourMs;
      const more = { release: event < 3 ? 'shop@1.1.0' : 'shop@1.0.0' };
      await sendEvent(dsn, errorOf({ name: `${kind} ${event}`, type, value, file, line, at, more }));
    }
  }
  const words = [
    ['hidden', { platform: 'javascript', value: 'Minified React error #441', digest: '1930860604' }],
    ['behind it', { platform: 'node', value: 'The price list is gone', digest: '1930860604' }],
  ] as const;
  for (const [name, { platform, value, digest }] of words) {
    const more = {
      platform,
      contexts: { Error: { digest } },
      sdk: { name: 'sentry.javascript.nextjs', version: '10.0.0' },
    };
    const at = now - 3 * hourMs;
    await sendEvent(dsn, errorOf({ name, type: 'Error', value, file: '/app/src/price.js', line: 3, at, more }));
  }
}

/** An event with four attachments: text, JSON, binary, and one that is larger than what stands in a row. */
export async function sendAttachments(dsn: string, now: number): Promise<void> {
  const file = (filename: string, content_type: string, payload: string | Uint8Array): Item => ({
    type: 'attachment',
    header: { filename, content_type, attachment_type: 'event.attachment' },
    payload,
  });
  const at = now - 2 * hourMs;
  const event = errorOf({
    name: 'with files',
    type: 'UploadError',
    value: 'Half a file',
    file: '/app/up.js',
    line: 9,
    at,
  });
  await sendEvent(dsn, event, [
    file('server.log', 'text/plain', 'begun\nhalf done\nended\n'),
    file('settings.json', 'application/json', JSON.stringify({ colour: 'green', size: [1, 2, 3] })),
    file(
      'core.bin',
      'application/octet-stream',
      Uint8Array.from({ length: 5000 }, (_, index) => (index * index) % 251),
    ),
    file(
      'long.log',
      'text/plain',
      Array.from({ length: 4000 }, (_, index) => `line ${index}: nothing happened`).join('\n'),
    ),
  ]);
}

/** What is kept as it came: types that no page shows, one that nobody knows, one that cannot be read. */
export async function sendKept(dsn: string, now: number): Promise<void> {
  const event_id = idOf('kept');
  const seconds = now / 1000;
  const binary = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7) % 256);
  const items: readonly Item[] = [
    {
      type: 'profile',
      payload: { version: '1', platform: 'node', event_id, profile: { samples: [], stacks: [], frames: [] } },
    },
    {
      type: 'profile_chunk',
      payload: { version: '2', platform: 'node', chunk_id: event_id, profile: { samples: [] } },
    },
    { type: 'replay_video', payload: binary },
    { type: 'statsd', payload: 'orders@none:3|c|#shop:north|T1700000000\n' },
    {
      type: 'metric_buckets',
      payload: JSON.stringify([{ name: 'c:orders@none', type: 'c', value: 3, timestamp: seconds }]),
    },
    { type: 'metric_meta', payload: { mapping: {} } },
    { type: 'otel_span', payload: { traceId: idOf('otel'), spanId: idOf('otel', 16), name: 'GET /' } },
    {
      type: 'nel',
      payload: JSON.stringify([{ age: 1, type: 'network-error', url: 'https://shop.example/', body: { type: 'dns' } }]),
    },
    { type: 'unreal_report', payload: binary },
    { type: 'form_data', payload: JSON.stringify([['colour', 'green']]) },
    { type: 'from_the_future', payload: { what: 'nobody knows' } },
  ];
  for (const item of items) await post(envelopeUrl(dsn), envelopeOf({ event_id: idOf(`kept ${item.type}`) }, [item]));
  await post(envelopeUrl(dsn), envelopeOf({ event_id: idOf('broken') }, [{ type: 'event', payload: '{"level":' }]));
  const user_report = {
    event_id: idOf('checkout 0'),
    name: 'Ann',
    email: 'ann@example.com',
    comments: 'It would not let me pay',
  };
  await post(
    envelopeUrl(dsn),
    envelopeOf({ event_id: user_report.event_id }, [{ type: 'user_report', payload: user_report }]),
  );
  const { origin, pathname, username } = new URL(dsn);
  const csp = {
    'document-uri': 'https://shop.example/',
    'blocked-uri': 'https://ads.example/a.js',
    'effective-directive': 'script-src',
  };
  await post(`${origin}/api${pathname}/security/?sentry_key=${username}`, JSON.stringify({ 'csp-report': csp }), {
    'content-type': 'application/csp-report',
  });
}

/** A transaction with a query that is slow, which becomes an issue; and three that are not. */
export async function sendTransactions(dsn: string, now: number, name = 'report'): Promise<void> {
  for (let index = 0; index < 4; index++) {
    const trace_id = idOf(`${name} ${index}`);
    const span_id = trace_id.slice(0, 16);
    const start = now / 1000 - (index + 1) * 600;
    const payload = {
      type: 'transaction',
      event_id: idOf(`event of ${name} ${index}`),
      platform: 'node',
      transaction: 'GET /reports',
      release: 'shop@1.1.0',
      environment: 'production',
      start_timestamp: start,
      timestamp: start + 2,
      contexts: { trace: { trace_id, span_id, op: 'http.server', status: 'ok' } },
      spans: [
        {
          trace_id,
          span_id: idOf(`query of ${name} ${index}`, 16),
          parent_span_id: span_id,
          op: 'db',
          description: 'SELECT * FROM sales WHERE year = $1',
          start_timestamp: start + 0.5,
          timestamp: start + (index === 0 ? 1.6 : 0.6),
        },
      ],
    };
    await post(envelopeUrl(dsn), envelopeOf({ event_id: payload.event_id }, [{ type: 'transaction', payload }]));
  }
}

export async function sendOtlp(dsn: string, now: number): Promise<void> {
  const { origin, pathname, username } = new URL(dsn);
  const headers = { 'content-type': 'application/json', 'x-sentry-auth': `sentry sentry_key=${username}` };
  const ns = (ms: number): string => `${BigInt(Math.trunc(ms)) * 1_000_000n}`;
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const resource = { attributes: [text('service.name', 'billing'), text('deployment.environment.name', 'production')] };
  const [traceId, spanId] = [idOf('otlp'), idOf('otlp', 16)];
  const [startTimeUnixNano, endTimeUnixNano] = [ns(now - 60_000), ns(now - 59_000)];
  const inner = { traceId, parentSpanId: spanId, spanId: idOf('otlp query', 16), name: 'SELECT invoices', kind: 3 };
  const spans = [
    {
      traceId,
      spanId,
      name: 'POST /invoice/:id',
      kind: 2,
      startTimeUnixNano,
      endTimeUnixNano,
      attributes: [text('http.route', '/invoice/:id')],
    },
    { ...inner, startTimeUnixNano, endTimeUnixNano, attributes: [text('db.system.name', 'postgresql')] },
  ];
  const logRecords = [
    {
      timeUnixNano: startTimeUnixNano,
      severityNumber: 13,
      severityText: 'WARN',
      body: { stringValue: 'no tax rate' },
      traceId,
      spanId,
    },
  ];
  const metrics = [
    {
      name: 'invoices',
      sum: { aggregationTemporality: 2, dataPoints: [{ timeUnixNano: endTimeUnixNano, asInt: '3' }] },
    },
  ];
  const base = `${origin}/api${pathname}/integration/otlp/v1`;
  await post(`${base}/traces`, JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }), headers);
  await post(`${base}/logs`, JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] }), headers);
  const answer = await fetch(`${base}/metrics`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] }),
  });
  await answer.body?.cancel();
}

const debugId = '5f0c2f6e-3c57-4a0e-9a3b-0d5a3c1b2e4f';

/** Uploads a build's script and map, as a bundler plugin does, and waits until they are indexed. */
export async function upload(server: Server, organization: string, project: string, token: string): Promise<void> {
  const bundle = makeBundle([{ name: 'shop.js', debugId }]);
  const checksum = sha1(bundle);
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bundle)]), checksum);
  const authorization = `Bearer ${token}`;
  const api = `${server.url}/api/0/organizations/${organization}`;
  const sent = await fetch(`${api}/chunk-upload/`, { method: 'POST', headers: { authorization }, body: form });
  if (!sent.ok) throw new Error(`${sent.status}: ${await sent.text()}`);
  await server.until('the bundle to be indexed', async () => {
    const response = await fetch(`${api}/artifactbundle/assemble/`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ checksum, chunks: [checksum], projects: [project], version: 'shop@1.1.0' }),
    });
    return ((await response.json()) as { state: string }).state === 'ok';
  });
}

/** An error in the built script. */
export const builtError = (name: string, at: number): Json =>
  errorOf({
    name,
    type: 'TypeError',
    value: 'price is not a function',
    file: 'https://shop.example/assets/shop.js',
    line: 1,
    at,
    more: {
      platform: 'javascript',
      release: 'shop@1.1.0',
      exception: {
        values: [
          {
            type: 'TypeError',
            value: 'price is not a function',
            stacktrace: {
              frames: [
                {
                  abs_path: 'https://shop.example/assets/shop.js',
                  filename: 'https://shop.example/assets/shop.js',
                  function: 'b',
                  lineno: 1,
                  colno: 3,
                },
              ],
            },
          },
        ],
      },
      debug_meta: {
        images: [{ type: 'sourcemap', code_file: 'https://shop.example/assets/shop.js', debug_id: debugId }],
      },
    },
  });

/** What is left in the log: of an issue that is there, a new one, and other types. Resolves to what it was. */
export async function sendLast(dsn: string, now: number): Promise<string[]> {
  const at = now - 30_000;
  const known = { type: 'CheckoutError', value: 'The basket is empty', file: '/app/src/checkout.js', line: 12, at };
  await sendEvent(dsn, errorOf({ name: 'last, known', ...known }));
  const fresh = errorOf({
    name: 'last, new',
    type: 'LastError',
    value: 'Nobody has seen this',
    file: '/app/last.js',
    line: 1,
    at,
  });
  const content = Uint8Array.from({ length: 2000 }, (_, index) => (index * 13) % 256);
  await sendEvent(dsn, fresh, [{ type: 'attachment', header: { filename: 'last.bin' }, payload: content }]);
  const built = builtError('last, built', at);
  const body = zstdCompressSync(envelopeOf({ event_id: built.event_id }, [{ type: 'event', payload: built }]));
  await post(envelopeUrl(dsn), Uint8Array.from(body), { 'content-encoding': 'zstd' });
  await sendTransactions(dsn, now - 3_600_000, 'last report');
  await sendOtlp(dsn, now);
  await post(
    envelopeUrl(dsn),
    envelopeOf({}, [{ type: 'from_the_future', payload: { what: 'and it was left in the log' } }]),
  );
  return [idOf('last, known'), idOf('last, new'), idOf('last, built')];
}
