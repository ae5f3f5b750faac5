import { gzipSync, zstdCompressSync, deflateSync, deflateRawSync, brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeReceived, type ReceivedHead } from '../ports/queue/received.ts';
import { computeBatch, type ComputeInput } from './compute.ts';
import { groupKey } from './keep.ts';
import { defaultProjectSettings } from '../process/types.ts';

const receivedAt = 1_763_700_030_000;
const head: ReceivedHead = { kind: 'envelope', projectId: 1, keyId: 1, receivedAt, encoding: '' };
const envelope = (message: string): Buffer =>
  Buffer.from(
    `{"event_id":"${'a'.repeat(32)}"}\n{"type":"event"}\n${JSON.stringify({ message })}\n{"type":"profile"}\n{}\n`,
  );

const inputOf = (records: readonly Uint8Array[], overrides: Partial<ComputeInput> = {}): ComputeInput => ({
  records: records.map((value, index) => ({ position: index + 1, value })),
  settings: new Map([[1, defaultProjectSettings]]),
  maxEnvelopeBytes: 1024 * 1024,
  poisoned: new Set(),
  ...overrides,
});

function compute(records: readonly Uint8Array[], overrides: Partial<ComputeInput> = {}) {
  const [computed, ...more] = computeBatch(inputOf(records, overrides));
  if (!computed || more.length > 0) throw new Error('expected one slice');
  return {
    ...computed,
    counts: computed.outcomes.rows().map((row) => [row.category, row.outcome, row.reason, row.quantity]),
  };
}

test('items of an envelope end in one outcome each', () => {
  const { events, items, counts } = compute([
    encodeReceived(head, envelope('one')),
    encodeReceived(head, envelope('two')),
  ]);
  expect(events.map((event) => event.seed.title)).toEqual(['one', 'two']);
  expect(items.map((item) => item.item_type)).toEqual(['profile', 'profile']);
  expect(counts).toContainEqual(['error', 'accepted', '', 2]);
});

describe('bodies as they came', () => {
  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('%s', (encoding, pack) => {
    const { events } = compute([encodeReceived({ ...head, encoding }, pack(envelope('packed')))]);
    expect(events[0]?.seed.title).toBe('packed');
  });
});

test('outcomes that ingestion counted are added up', () => {
  const counted = {
    projectId: 1,
    minuteMs: 60_000,
    category: 'error',
    outcome: 'rate_limited',
    reason: 'key',
    quantity: 3,
  };
  const record = encodeReceived({ kind: 'outcomes', receivedAt, counts: [counted] });
  expect(compute([record, record]).counts).toEqual([['error', 'rate_limited', 'key', 6]]);
});

describe('what an import brings', () => {
  const day = 86_400_000;
  const imported = { keepFrom: receivedAt - 90 * day };
  const from = (days: number): Buffer =>
    Buffer.from(
      `{"event_id":"${'b'.repeat(32)}"}\n{"type":"event"}\n${JSON.stringify({ message: 'old', timestamp: (receivedAt - days * day) / 1000 })}\n`,
    );

  test('keeps its time and id, however old it is, and is marked', () => {
    const { events, counts } = compute([encodeReceived({ ...head, imported }, from(60))]);
    expect(events).toMatchObject([
      { imported: true, row: { timestamp: receivedAt - 60 * day, event_id: 'b'.repeat(32) } },
    ]);
    expect(counts).toEqual([['error', 'accepted', '', 1]]);
  });

  test('what is past its retention is counted and not stored', () => {
    const { events, counts } = compute([encodeReceived({ ...head, imported }, from(91))]);
    expect(events).toEqual([]);
    expect(counts).toEqual([['error', 'invalid', 'too_old', 1]]);
  });

  test('the same from a client is moved to when it came', () => {
    const { events } = compute([encodeReceived(head, from(60))]);
    expect(events).toMatchObject([{ imported: false, row: { timestamp: receivedAt } }]);
  });
});

describe('what cannot be processed is kept with its reason, and the others are processed', () => {
  const good = encodeReceived(head, envelope('good'));
  test.each([
    ['damaged compression', encodeReceived({ ...head, encoding: 'gzip' }, Buffer.from('no gzip')), 'decompression'],
    ['a damaged envelope', encodeReceived(head, Buffer.from('nonsense')), 'malformed_envelope'],
  ])('%s', (_what, bad, reason) => {
    const { events, items, counts } = compute([bad, good]);
    expect(events).toHaveLength(1);
    expect(items[0]).toMatchObject({ item_type: 'envelope', outcome: 'invalid', reason });
    expect(counts).toContainEqual(['default', 'invalid', reason, 1]);
  });

  test('a record that stopped a thread before is not looked into again', () => {
    const seen: number[] = [];
    const { events, items } = compute([good, good], {
      poisoned: new Set([1]),
      onRecord: (position) => seen.push(position),
    });
    expect(events).toHaveLength(1);
    expect(items.filter((item) => item.reason === 'processing_crash')).toHaveLength(1);
    expect(seen).toEqual([1, 2]);
  });

  test('a project that was deleted meanwhile', () => {
    const { events, counts } = compute([good], { settings: new Map() });
    expect(events).toEqual([]);
    expect(counts).toEqual([['default', 'invalid', 'project_deleted', 1]]);
  });
});

test('large or binary payloads become blobs whose key follows from the position', () => {
  const bytes = Buffer.alloc(100_000, 0xff);
  const body = Buffer.concat([
    Buffer.from(
      `{"event_id":"${'b'.repeat(32)}"}\n{"type":"attachment","length":${bytes.length},"filename":"x.bin"}\n`,
    ),
    bytes,
  ]);
  const once = compute([encodeReceived(head, body)]);
  const again = compute([encodeReceived(head, body)]);
  expect(once.blobs).toHaveLength(1);
  expect(once.blobs[0]?.value).toHaveLength(bytes.length);
  expect(again.blobs[0]?.key).toBe(once.blobs[0]?.key);
  expect(once.items[0]?.blob_key).toBe(once.blobs[0]?.key);
});

describe('a batch that decompresses to far more than was sent', () => {
  const bytes = 6 * 1024 * 1024;
  const attachment = Buffer.concat([
    Buffer.from(`{"event_id":"${'a'.repeat(32)}"}\n{"type":"attachment","length":${bytes}}\n`),
    Buffer.alloc(bytes),
  ]);
  const bomb = encodeReceived({ ...head, encoding: 'zstd' }, zstdCompressSync(attachment));
  const input = inputOf(Array<Uint8Array>(9).fill(bomb), { maxEnvelopeBytes: 2 * bytes });
  const blobsOf = (input: ComputeInput): string[][] =>
    [...computeBatch(input)].map((slice) => slice.blobs.map((blob) => blob.key.split('/').at(-1) ?? ''));

  test('comes in slices that are computed one after the other', () => {
    const begun: number[] = [];
    const slices = computeBatch({ ...input, onRecord: (position) => begun.push(position) });
    expect(slices.next().value?.blobs).toHaveLength(6);
    expect(begun).toEqual([1, 2, 3, 4, 5, 6]);
    expect(slices.next().value?.blobs).toHaveLength(3);
    expect(slices.next().done).toBe(true);
  });

  test('has the same slices when it is run again, also up to a record that is kept aside then', () => {
    const first = blobsOf(input);
    expect(blobsOf(input)).toEqual(first);
    expect(blobsOf({ ...input, poisoned: new Set([8]) })[0]).toEqual(first[0]);
  });
});

test('many small items weigh, too', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `{"type":"x${index}"}\n1\n`).join('');
  const records = Array.from({ length: 35 }, () => encodeReceived(head, Buffer.from(`{}\n${lines}`)));
  expect([...computeBatch(inputOf(records))].map((slice) => slice.items.length)).toEqual([33_000, 2_000]);
});

describe('spans', () => {
  const started = receivedAt / 1000 - 5;
  const transaction = (spans: number, release = 'shop@1'): Buffer =>
    Buffer.from(
      `{}\n{"type":"transaction"}\n${JSON.stringify({
        release,
        start_timestamp: started,
        timestamp: started + 1,
        contexts: { trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) } },
        spans: Array.from({ length: spans }, (_, index) => ({
          span_id: (index + 1).toString(16).padStart(16, '0'),
          start_timestamp: started,
          timestamp: started,
        })),
      })}\n`,
    );

  test('are encoded as they come, and their releases are noted', () => {
    const computed = compute([
      encodeReceived(head, transaction(2)),
      encodeReceived(head, transaction(0)),
      encodeReceived(head, transaction(0, 'shop@2')),
      encodeReceived(head, transaction(0, '')),
    ]);
    expect(computed.rows.spans.rows).toBe(6);
    expect([...computed.otherReleases.values()]).toEqual(
      ['shop@1', 'shop@2'].map((release) => ({
        projectId: 1,
        release,
        environment: '',
        firstSeen: started * 1000,
        lastSeen: started * 1000,
      })),
    );
    expect(computed.counts).toContainEqual(['transaction', 'accepted', '', 4]);
    expect(computed.counts).toContainEqual(['span', 'accepted', '', 6]);
  });

  test('weigh what their rows weigh', () => {
    const records = Array.from({ length: 40 }, () => encodeReceived(head, transaction(5000)));
    const slices = [...computeBatch(inputOf(records))].map(({ rows }) => rows.spans.rows);
    expect(slices.length).toBeGreaterThan(1);
    expect(slices.reduce((sum, length) => sum + length, 0)).toBe(40 * 5001);
    expect([...computeBatch(inputOf(records))].map(({ rows }) => rows.spans.rows)).toEqual(slices);
  });
});

test('the hashes of before an upgrade are worked out once for a group that nobody knows, and for no other', () => {
  const grouping = { ...defaultProjectSettings.grouping, version: 'culprit:3', previousVersion: 'culprit:2' };
  const overrides = { settings: new Map([[1, { ...defaultProjectSettings, grouping }]]) };
  const bodies = ['one', 'one', 'two'].map((message) => encodeReceived(head, envelope(message)));
  const { events } = compute(bodies, overrides);
  expect(events.map((event) => event.grouping.previous?.length)).toEqual([1, undefined, 1]);
  const explained = new Set(events.slice(0, 1).map(groupKey));
  expect(compute(bodies, { ...overrides, explained }).events.map((event) => event.grouping.previous?.length)).toEqual([
    undefined,
    undefined,
    1,
  ]);
});
