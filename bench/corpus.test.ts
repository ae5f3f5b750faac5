import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createCorpus, type CorpusOptions } from './corpus.ts';
import { kinds } from './ingest-kinds.ts';

interface SentEvent {
  readonly event_id: string;
  readonly transaction: string;
  readonly exception: {
    readonly values: readonly { readonly type: string; readonly stacktrace: { readonly frames: readonly unknown[] } }[];
  };
}

const make = (options: Partial<CorpusOptions> = {}) => [
  ...createCorpus({ seed: 1, count: 1500, encoding: 'identity', nowMs: Date.UTC(2026, 10, 21), ...options }),
];

test('the same seed gives the same bytes, another one different events', () => {
  const count = 300;
  const digest = (): string =>
    createHash('sha256')
      .update(Buffer.concat(make({ count }).map(({ body }) => body)))
      .digest('hex');
  expect(digest()).toBe(digest());
  expect(new Set([...make({ count }), ...make({ count, seed: 2 })].map(({ eventId }) => eventId)).size).toBe(2 * count);
});

test('envelopes are of the promised size, with about 40 frames', () => {
  const envelopes = make({ count: 500 });
  const meanBytes = envelopes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) / envelopes.length;
  expect(meanBytes).toBeGreaterThan(14_000);
  expect(meanBytes).toBeLessThan(18_000);
  for (const { eventId, body } of envelopes) {
    const [header, item, payload, ...rest] = body.toString().split('\n');
    expect(rest).toEqual([]);
    expect(JSON.parse(header ?? '')).toMatchObject({ event_id: eventId });
    expect(item).toBe('{"type":"event"}');
    const event = JSON.parse(payload ?? '') as SentEvent;
    expect(event.event_id).toBe(eventId);
    const frames = event.exception.values.reduce((sum, { stacktrace }) => sum + stacktrace.frames.length, 0);
    expect(frames).toBeGreaterThanOrEqual(34);
    expect(frames).toBeLessThanOrEqual(46);
  }
});

test('sixty bugs, some of them much more frequent', () => {
  const counts = new Map<string, number>();
  for (const { body } of make({ count: 2000 })) {
    const event = JSON.parse(body.toString().split('\n')[2] ?? '') as SentEvent;
    const stacks = JSON.stringify(event.exception.values.map(({ type, stacktrace }) => [type, stacktrace]));
    counts.set(stacks, (counts.get(stacks) ?? 0) + 1);
  }
  expect(counts.size).toBe(60);
  expect(Math.max(...counts.values())).toBeGreaterThan(10 * Math.min(...counts.values()));
});

test('gzip holds the same event', () => {
  const [plain] = make({ count: 1 });
  const [packed] = make({ count: 1, encoding: 'gzip' });
  expect(gunzipSync(packed?.body ?? '').equals(plain?.body ?? Buffer.alloc(0))).toBe(true);
});

test.each(['transactions', 'containers'] as const)('%s hold as many spans as they say, each of its own', (kind) => {
  const { each, envelopes } = kinds[kind];
  const ids = new Set<string>();
  for (const { body } of envelopes({ seed: 3, count: 40, encoding: 'identity', nowMs: Date.UTC(2026, 10, 21) })) {
    const item = JSON.parse(body.toString().split('\n')[2] ?? '') as {
      readonly contexts?: { readonly trace: { readonly span_id: string } };
      readonly spans?: readonly { readonly span_id: string }[];
      readonly items?: readonly { readonly span_id: string }[];
    };
    for (const { span_id } of item.items ?? [item.contexts?.trace ?? { span_id: '' }, ...(item.spans ?? [])])
      ids.add(span_id);
  }
  expect(ids.size).toBe(40 * each);
});
