/** What measurements of one step of the pipeline share: computing all steps of a corpus, and how time grows with length. */
import { parseEnvelope } from '@culprit/envelope';
import type { LogRecord } from '../server/src/ports/queue/log.ts';
import { encodeReceived } from '../server/src/ports/queue/received.ts';
import { computeBatch, type SliceInput } from '../server/src/pipeline/compute.ts';
import type { Computed } from '../server/src/pipeline/computed.ts';
import { defaultProjectSettings } from '../server/src/process/types.ts';
import { createCorpus } from './corpus.ts';
import { atMost, type Finding, finding } from './report.ts';

const receivedAt = Date.UTC(2026, 10, 21);
const batchSize = 500;

/** Envelopes of one error each. */
export const createBodies = (count: number, nowMs = receivedAt): Buffer[] =>
  [...createCorpus({ seed: 1, count, encoding: 'identity', nowMs })].map(({ body }) => body);

/** Of the only item of an envelope. */
export const payloadOf = (body: Uint8Array): string =>
  Buffer.from(parseEnvelope(body).items[0]?.payload ?? new Uint8Array()).toString();

export const computeAll = (bodies: readonly Uint8Array[]): void => computeRecords(recordsOf(bodies));

/** In batches, as the pipeline takes them from the log. */
export function recordsOf(bodies: readonly Uint8Array[], size = batchSize): LogRecord[][] {
  const head = { kind: 'envelope', projectId: 1, keyId: 1, receivedAt, encoding: '' } as const;
  const records = bodies.map((body, index) => ({ position: index + 1, value: encodeReceived(head, body) }));
  return Array.from({ length: Math.ceil(records.length / size) }, (_, number) =>
    records.slice(number * size, (number + 1) * size),
  );
}

export function* computeSlices(
  batches: readonly LogRecord[][],
  options: Pick<SliceInput, 'payloads'> = {},
): Generator<Computed> {
  const settings = new Map([[1, defaultProjectSettings]]);
  const input = { settings, maxEnvelopeBytes: 100 * 1024 * 1024, poisoned: new Set<number>(), ...options };
  for (const records of batches) yield* computeBatch({ records, ...input });
}

export function computeRecords(batches: readonly LogRecord[][]): void {
  for (const { events } of computeSlices(batches)) if (events.length === 0) throw new Error('a batch without events');
}

/** ms. */
export function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** The least of several runs: what the work takes when nothing else runs. */
const least = (work: () => unknown): number => Math.min(...Array.from({ length: 5 }, () => timed(work)));

export function growth(
  name: string,
  make: (length: number) => () => unknown,
  [short, long]: readonly [number, number],
): Finding {
  // Small texts many times, so that the clock can tell.
  const repeat = Math.max(1, Math.round(200_000 / short));
  const each = (length: number, times: number): number => {
    const work = make(length);
    work();
    return (
      least(() => {
        for (let turn = 0; turn < times; turn++) work();
      }) /
      times /
      length
    );
  };
  const before = each(short, repeat);
  const after = each(long, Math.max(1, Math.round(repeat / 10)));
  return finding(`growth: ${name}`, '', after / before, atMost(3));
}
