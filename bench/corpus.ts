/**
 * The corpus of the benchmarks: envelopes with one error each, the same for the same seed and start.
 *
 * 40 frames on average, source lines in those of Node, breadcrumbs, contexts, tags and users; 60 different bugs, the
 * k-th about 1/k as frequent as the first; 16 kB of JSON on average. Every event differs, so that what a store
 * compresses is what it would have to compress in use.
 */
import { gzipSync } from 'node:zlib';
import { createBugs } from './corpus/bugs.ts';
import { createEvent } from './corpus/events.ts';
import { createRandom } from './corpus/random.ts';

export type Encoding = 'identity' | 'gzip';

export interface CorpusOptions {
  readonly seed: number;
  readonly count: number;
  readonly encoding: Encoding;
  /** ms since the epoch; events lie in the minute before it. */
  readonly nowMs: number;
  /** Each of so many projects, which are sent to in turn, has one bug: after some thousand events no issue is new. */
  readonly projects?: number;
}

export interface CorpusEnvelope {
  /** 32 hex digits. */
  readonly eventId: string;
  /** As it goes over the wire. */
  readonly body: Buffer;
  /** Before compression. */
  readonly sizeBytes: number;
}

/** The bugs are the same for every seed, so that several corpora fall into the same issues. */
const bugSeed = 60;
/** SDKs use their platform's default level. */
const gzipLevel = 6;

export function* createCorpus({
  seed,
  count,
  encoding,
  nowMs,
  projects = 0,
}: CorpusOptions): Generator<CorpusEnvelope> {
  const bugs = createBugs(createRandom(bugSeed));
  const bugOfProject = Array.from({ length: projects }, (_, project) => createRandom(project + 1).zipf(bugs.length));
  const random = createRandom(seed);
  for (let index = 0; index < count; index++) {
    const bug = bugs[bugOfProject[index % projects] ?? random.zipf(bugs.length)] ?? bugs[0];
    const eventId = random.hex(32);
    const traceId = random.hex(32);
    const atMs = nowMs - random.integer(0, 59_999);
    const event = createEvent({ eventId, traceId, atMs, bug, random });
    const header = {
      event_id: eventId,
      sent_at: new Date(atMs).toISOString(),
      sdk: { name: bug.kind === 'node' ? 'sentry.javascript.node' : 'sentry.javascript.react', version: '11.12.0' },
      trace: {
        environment: 'production',
        release: 'shop@5.0.0',
        trace_id: traceId,
        transaction: bug.transaction,
        sampled: 'true',
        sample_rate: '1',
      },
    };
    const plain = Buffer.from(`${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}`);
    yield {
      eventId,
      body: encoding === 'gzip' ? gzipSync(plain, { level: gzipLevel }) : plain,
      sizeBytes: plain.length,
    };
  }
}
