/**
 * The load generator, a process of its own: sends a corpus file to an ingest endpoint and says in one line of JSON how
 * it went. As fast as the answers come, or at a fixed rate; then latencies count from the moment at which a request was
 * due, so that a server that stalls cannot hide it.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openConnection } from './connection.ts';
import { readCorpusFile } from './corpus-file.ts';
import { type Distribution, distribution } from './statistics.ts';

export interface LoadResult {
  readonly sent: number;
  /** Answers by status; 0: the connection broke. */
  readonly statuses: Readonly<Record<string, number>>;
  /** ms since the epoch. */
  readonly startedAtMs: number;
  readonly finishedAtMs: number;
  /** Time from sending to the answer, ms. */
  readonly ack: Distribution;
}

/** `--targets` names a file with a list of them, which take turns. */
export interface LoadTarget {
  readonly projectId: string;
  readonly key: string;
}

/** A line for every request that `--mark-every` chooses, and the last line. */
export type LoadLine =
  | { readonly kind: 'sent'; readonly eventId: string; readonly index: number; readonly atMs: number }
  | { readonly kind: 'done'; readonly result: LoadResult };

/** A benchmark that never ends helps nobody. */
const longestRunMs = 30 * 60_000;

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    url: { type: 'string' },
    key: { type: 'string', default: '0123456789abcdef0123456789abcdef' },
    encoding: { type: 'string', default: 'identity' },
    'content-type': { type: 'string', default: 'text/plain;charset=UTF-8' },
    connections: { type: 'string', default: '16' },
    rate: { type: 'string', default: '0' },
    targets: { type: 'string', default: '' },
    'mark-every': { type: 'string', default: '0' },
  },
});
if (!values.corpus || !values.url) {
  console.error(
    'usage: node bench/load.ts --corpus FILE --url http://127.0.0.1:PORT/api/1/envelope/ [--key KEY] [--encoding identity|gzip] [--connections 16] [--rate PER_SECOND]',
  );
  process.exit(2);
}
const url = new URL(values.url);
if (url.hostname !== '127.0.0.1') {
  console.error('load is for servers on 127.0.0.1 only');
  process.exit(2);
}
const rate = Number(values.rate);
const markEvery = Number(values['mark-every']);
const envelopes = readCorpusFile(values.corpus);
const say = (line: LoadLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const now = (): number => performance.timeOrigin + performance.now();

const headOf = (path: string, key: string): string =>
  `POST ${path}?sentry_version=7&sentry_key=${key}&sentry_client=sentry.javascript.node%2F11.12.0 HTTP/1.1\r\n` +
  `host: ${url.host}\r\nuser-agent: sentry.javascript.node/11.12.0\r\ncontent-type: ${values['content-type']}\r\n` +
  `${values.encoding === 'gzip' ? 'content-encoding: gzip\r\n' : ''}content-length: `;
const heads = values.targets
  ? (JSON.parse(readFileSync(values.targets, 'utf8')) as LoadTarget[]).map(({ projectId, key }) =>
      headOf(url.pathname.replace(/^\/api\/\d+/, `/api/${projectId}`), key),
    )
  : [headOf(url.pathname, values.key)];

const latencies: number[] = [];
const statuses: Record<string, number> = {};
const startedAtMs = now();
let sent = 0;

async function sendAll(): Promise<void> {
  const connection = openConnection(url.hostname, Number(url.port));
  while (now() - startedAtMs < longestRunMs) {
    const next = envelopes.next();
    if (next.done) break;
    const { eventId, body } = next.value;
    const index = sent++;
    let dueMs = now();
    if (rate > 0) {
      dueMs = startedAtMs + (index / rate) * 1000;
      const waitMs = dueMs - now();
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    if (markEvery > 0 && index % markEvery === 0) say({ kind: 'sent', eventId, index, atMs: now() });
    const status = await connection.send(`${heads[index % heads.length]}${body.length}\r\n\r\n`, body);
    latencies.push(now() - dueMs);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  connection.close();
}

process.once('disconnect', () => process.exit(1));
await Promise.all(Array.from({ length: Number(values.connections) }, sendAll));
say({
  kind: 'done',
  result: {
    sent,
    statuses,
    startedAtMs,
    finishedAtMs: now(),
    ack: distribution(latencies),
  },
});
if (process.connected) process.disconnect();
