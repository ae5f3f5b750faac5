/** What Sentry's clients are to find: one installation, and all that was sent to it or set in it by name. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { envelopeUrl, newEventId, Server } from '../server/test/harness.ts';
import { sendCheckoutErrors, sendFeedback } from './full-events.ts';
import { traceId } from './traces-traffic.ts';

export interface Request {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
}

export interface Facts {
  readonly dsn: string;
  readonly issue: string;
  readonly issueId: string;
  /** The newest event of that issue. */
  readonly eventId: string;
  readonly threadsIssue: string;
  readonly threadsEventId: string;
  /** Of a request with one failing query; and of the issue's event. */
  readonly trace: string;
  readonly issueTrace: string;
  readonly span: string;
  readonly childSpan: string;
  readonly release: string;
  readonly commit: string;
  readonly issueRule: string;
  readonly metricRule: string;
  readonly channel: string;
  /** What was said about the issue, by its short ID. */
  readonly feedback: string;
  /** Of the owner. */
  readonly userId: string;
}

export interface ClientInstallation extends AsyncDisposable {
  readonly server: Server;
  readonly facts: Facts;
  /** Where clients are told that it is: what comes there is written down and handed on. */
  readonly url: string;
  readonly requests: Request[];
  /** What a client runs with; it finds no settings of whoever runs the tests. */
  readonly environment: Readonly<Record<string, string>>;
  /** What clients tried to reach elsewhere. */
  outside(): Promise<string>;
}

const preload = fileURLToPath(new URL('loopback-only.ts', import.meta.url));

export async function openClientInstallation(): Promise<ClientInstallation> {
  const home = await mkdtemp(join(tmpdir(), 'culprit-clients-'));
  const requests: Request[] = [];
  const watch = await openWatch(requests);
  const close = async (): Promise<void> => {
    await watch.server?.[Symbol.asyncDispose]();
    await watch.close();
    await rm(home, { recursive: true, force: true });
  };
  try {
    const server = await Server.create({ CULPRIT_URL: watch.url });
    watch.server = server;
    const outsideFile = join(home, 'outside');
    return {
      server,
      facts: await fill(server),
      url: watch.url,
      requests,
      environment: {
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        NO_COLOR: '1',
        NODE_OPTIONS: `--import=${preload}`,
        CULPRIT_TEST_OUTSIDE: outsideFile,
      },
      outside: () => readFile(outsideFile, 'utf8').catch(() => ''),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Hands requests to a server, and writes down what came and how it was answered. */
async function openWatch(requests: Request[]) {
  const watch: { url: string; server?: Server; close: () => Promise<void> } = { url: '', close: async () => undefined };
  const front = createServer((incoming, answer) => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const port = watch.server?.port;
    const onward = ask({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      const status = response.statusCode ?? 502;
      requests.push({ method, path: decodeURIComponent(path.split('?', 1)[0] ?? ''), status });
      answer.writeHead(status, response.headers);
      response.pipe(answer);
    });
    onward.on('error', () => answer.writeHead(502).end());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  watch.url = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  watch.close = () =>
    new Promise<void>((resolve) => {
      front.close(() => resolve());
      front.closeAllConnections();
    });
  return watch;
}

type Json = Readonly<Record<string, unknown>>;

async function fill(server: Server): Promise<Facts> {
  const { dsn } = server.installed;
  const send = <T>(method: string, path: string, body?: Json): Promise<T> =>
    server.api<T>(path, { method, ...(body && { body: JSON.stringify(body) }) });
  const eventId = await sendCheckoutErrors(dsn, 6);
  await sendFeedback(dsn, eventId);
  const [trace, span, childSpan] = ['ace'.padEnd(32, '1'), 'a1b2c3d4e5f60718', 'b1b2c3d4e5f60719'];
  await sendTransaction(dsn, trace, span, childSpan);
  await sendLog(dsn, trace, span);
  const threadsEventId = await sendThreads(dsn, trace, childSpan);

  const release = 'shop@1.2.0';
  const commit = 'c0ffee'.padEnd(40, '7');
  await send('POST', '/organizations/acme/repos/', { provider: 'github', url: 'https://github.com/acme/shop' });
  await send('POST', '/organizations/acme/releases/', {
    version: release,
    projects: ['web'],
    dateReleased: '2026-01-02T03:04:05.000Z',
    commits: [
      {
        id: commit,
        repository: 'acme/shop',
        message: 'Prices come from the new service',
        author_name: 'Kim Lee',
        author_email: 'kim.lee@example.com',
        timestamp: '2026-01-02T03:00:00.000Z',
        patch_set: [{ path: 'src/pricing/price-of.ts', type: 'M' }],
      },
    ],
  });
  const deploy = { environment: 'production', name: 'blue', dateFinished: '2026-01-02T03:10:00.000Z' };
  await send('POST', `/organizations/acme/releases/${release}/deploys/`, deploy);
  const rules = await addRules(send);
  const { id: userId } = await send<{ id: string }>('GET', '/auth/');

  await server.drained();
  const report = await server.until('feedback of the issue', async () => {
    const reports = await server.api<{ id: string; issue: object | null }[]>('/projects/acme/web/user-feedback/');
    return reports.find(({ issue }) => issue !== null);
  });
  const issueOf = async (event: string) => {
    const { groupID } = await send<{ groupID: string }>('GET', `/projects/acme/web/events/${event}/`);
    const { shortId } = await send<{ shortId: string }>('GET', `/issues/${groupID}/`);
    return { shortId, groupID };
  };
  const [checkout, threads] = [await issueOf(eventId), await issueOf(threadsEventId)];
  return {
    dsn,
    issue: checkout.shortId,
    issueId: checkout.groupID,
    eventId,
    threadsIssue: threads.shortId,
    threadsEventId,
    trace,
    issueTrace: traceId(170),
    span,
    childSpan,
    release,
    commit,
    ...rules,
    userId,
    feedback: `WEB-F${report.id}`,
  };
}

async function addRules(
  send: <T>(method: string, path: string, body?: Json) => Promise<T>,
): Promise<Pick<Facts, 'issueRule' | 'metricRule' | 'channel'>> {
  const config = { url: 'http://127.0.0.1:9/hook', secret: `whsec_${Buffer.alloc(24, 7).toString('base64')}` };
  const made = (what: string, body: Json) => send<{ id: string }>('POST', `/organizations/acme/${what}/`, body);
  const { id: channel } = await made('channels', { type: 'webhook', name: 'Deploy bot', config, enabled: false });
  const issueRule = await made('alert-rules', {
    kind: 'issue',
    name: 'New issues in production',
    environment: 'production',
    query: 'level:error',
    channelIds: [channel],
    throttleMinutes: 45,
    match: 'any',
    conditions: [{ type: 'new_issue' }, { type: 'event_frequency', count: 12, minutes: 60 }],
  });
  const metricRule = await made('alert-rules', {
    kind: 'metric',
    name: 'Error rate',
    environment: 'production',
    query: 'level:error',
    projectIds: ['1'],
    channelIds: [channel],
    metric: {
      dataset: 'errors',
      aggregate: 'count()',
      minutes: 30,
      comparison: { type: 'static' },
      direction: 'above',
      warning: 500,
      critical: 2000,
      resolve: 400,
      noData: 'ok',
    },
  });
  return { issueRule: issueRule.id, metricRule: metricRule.id, channel };
}

async function post(dsn: string, header: Json, items: readonly (readonly [Json, Json])[]): Promise<void> {
  const lines = items.flatMap(([head, body]) => [JSON.stringify(head), JSON.stringify(body)]);
  const body = `${[JSON.stringify(header), ...lines].join('\n')}\n`;
  const response = await fetch(envelopeUrl(dsn), { method: 'POST', body });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
}

/** A request of 0.3 s with a query of 0.12 s in it. */
async function sendTransaction(dsn: string, trace: string, span: string, child: string): Promise<void> {
  const id = newEventId();
  const end = Date.now() / 1000 - 30;
  const transaction = {
    event_id: id,
    type: 'transaction',
    platform: 'node',
    transaction: 'POST /checkout',
    transaction_info: { source: 'route' },
    start_timestamp: end - 0.3,
    timestamp: end,
    release: 'shop@1.2.0',
    environment: 'production',
    contexts: {
      trace: {
        trace_id: trace,
        span_id: span,
        op: 'http.server',
        status: 'ok',
        data: { 'http.request.method': 'POST', 'cart.items': 3 },
      },
    },
    spans: [
      {
        trace_id: trace,
        span_id: child,
        parent_span_id: span,
        op: 'db',
        description: 'SELECT * FROM carts WHERE user_id = $1',
        start_timestamp: end - 0.2,
        timestamp: end - 0.08,
        status: 'ok',
        data: { 'db.system': 'postgresql' },
      },
    ],
  };
  await post(dsn, { event_id: id }, [[{ type: 'transaction' }, transaction]]);
}

async function sendLog(dsn: string, trace: string, span: string): Promise<void> {
  const log = {
    timestamp: Date.now() / 1000 - 20,
    trace_id: trace,
    span_id: span,
    level: 'warn',
    severity_number: 13,
    body: 'price list is empty',
    attributes: { sku: { value: 'TEA-117', type: 'string' } },
  };
  const head = { type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' };
  await post(dsn, {}, [[head, { items: [log] }]]);
}

async function sendThreads(dsn: string, trace: string, span: string): Promise<string> {
  const id = newEventId();
  const frame = (filename: string, name: string, lineno: number): Json => ({
    filename,
    function: name,
    lineno,
    in_app: true,
  });
  const stacktrace = { frames: [frame('jobs/loop.py', 'loop', 12), frame('jobs/export.py', 'write_row', 57)] };
  const event = {
    event_id: id,
    timestamp: Date.now() / 1000 - 60,
    platform: 'python',
    level: 'error',
    release: 'shop@1.2.0',
    contexts: { trace: { trace_id: trace, span_id: span } },
    exception: { values: [{ type: 'DiskFullError', value: 'no space left', thread_id: 7, stacktrace }] },
    threads: { values: [{ id: 7, name: 'exporter', crashed: true, current: true, stacktrace }] },
  };
  await post(dsn, { event_id: id }, [[{ type: 'event' }, event]]);
  return id;
}
