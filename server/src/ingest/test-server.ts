/** For tests: the endpoints on a free port, over a real log in a directory of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { openLmdbLog } from '../ports/queue/lmdb.ts';
import type { EventLog } from '../ports/queue/log.ts';
import { readable } from '../ports/queue/testing/readable.ts';
import { decodeReceived, type EnvelopeHead, type OutcomeCount, type Received } from '../ports/queue/received.ts';
import { defaultProjectSettings } from '../process/types.ts';
import { testSecrets } from '../base/secrets/testing.ts';
import { createFailures } from '../base/self/index.ts';
import { registerIngest, takeFirst, type IngestDeps, type IngestKey, type IngestStats } from './index.ts';

export const publicKey = 'a'.repeat(32);

export function testKey(change: Partial<IngestKey> = {}): IngestKey {
  return {
    keyId: 1,
    projectId: 1,
    organizationId: 'org',
    isActive: true,
    rateLimit: null,
    blobBytesPerDay: null,
    aliases: [],
    settings: defaultProjectSettings,
    quotas: [],
    timeZone: 'UTC',
    isMirrored: false,
    ...change,
  };
}

export interface TestServer extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly log: EventLog;
  readonly keys: Map<string, IngestKey>;
  readonly stats: IngestStats;
  /** Returns the port. */
  listenGrpc(): Promise<number>;
  readonly url: string;
  readonly port: number;
  /** What the server itself reported as errors. */
  readonly errors: unknown[];
  /** All records that are in the log, in order; takes them out. */
  drain(): Promise<Received[]>;
  /** Envelope records alone. */
  drainEnvelopes(): Promise<{ head: EnvelopeHead; body: Uint8Array }[]>;
  /** Waits until all that was counted so far has reached the log, and returns it as `category outcome:reason` → quantity. */
  drainOutcomes(): Promise<Record<string, number>>;
}

export async function openTestServer(
  options: {
    config?: Partial<IngestDeps['config']>;
    limitBytes?: number;
    trustProxy?: string;
    mirrors?: IngestDeps['mirrors'];
    storm?: IngestDeps['storm'];
    addQuotaUse?: IngestDeps['addQuotaUse'];
  } = {},
): Promise<TestServer> {
  const dir = await mkdtemp(join(tmpdir(), 'culprit-ingest-'));
  const box = testSecrets.boxSetup('log record');
  const log = readable(await openLmdbLog({ dir, limitBytes: options.limitBytes ?? 2 ** 30, box }));
  const keys = new Map([[publicKey, testKey()]]);
  const errors: unknown[] = [];
  const app = fastify({
    logger: { level: 'error', stream: { write: (line: string) => void errors.push(JSON.parse(line)) } },
    ...(options.trustProxy && { trustProxy: options.trustProxy }),
  });
  const config = { maxBodyBytes: 20 * 2 ** 20, maxEnvelopeBytes: 200 * 2 ** 20, bodyTimeoutSeconds: 30, url: '' };
  const blobBytes = new Map<number, number>();
  const { stats, takeDirectly, listenGrpc } = registerIngest(app, {
    log,
    keys: { lookup: (key) => keys.get(key) },
    config: { ...config, ...options.config },
    logger: app.log,
    failures: createFailures({ logger: app.log }),
    mirrors: options.mirrors,
    storm: options.storm,
    addQuotaUse: options.addQuotaUse ?? (async (uses) => uses.map(({ added }) => added)),
    addBlobBytes: async (keyId, _day, bytes) => {
      const sum = (blobBytes.get(keyId) ?? 0) + bytes;
      blobBytes.set(keyId, sum);
      return sum;
    },
  });
  takeFirst(app.server, takeDirectly);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const port = Number(new URL(url).port);
  const waiting: OutcomeCount[] = [];

  async function drain(): Promise<Received[]> {
    const received: Received[] = [];
    for (;;) {
      const batch = await log.lease({ maxRecords: 1000, maxBytes: 2 ** 28 });
      if (!batch) break;
      for (const { value } of batch.records) received.push(decodeReceived(Uint8Array.from(value)));
      await log.acknowledge(batch);
    }
    for (const { head } of received) if (head.kind === 'outcomes') waiting.push(...head.counts);
    return received;
  }
  return {
    app,
    log,
    keys,
    stats,
    listenGrpc: () => listenGrpc('127.0.0.1', 0),
    url,
    port,
    errors,
    drain,
    async drainEnvelopes() {
      return (await drain()).flatMap(({ head, body }) => (head.kind === 'envelope' ? [{ head, body }] : []));
    },
    async drainOutcomes() {
      // Counts are written once a second; one more flush than needed tells that nothing is left.
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      await drain();
      const sums: Record<string, number> = {};
      for (const { projectId, category, outcome, reason, quantity } of waiting.splice(0)) {
        const name = `${projectId} ${category} ${outcome}:${reason}`;
        sums[name] = (sums[name] ?? 0) + quantity;
      }
      return sums;
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await log.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A connection on which a test writes what no client library would. */
export async function openRaw(port: number): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  return { socket, answer };
}
