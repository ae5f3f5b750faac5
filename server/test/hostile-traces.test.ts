/** Traces that mean harm, or come from broken clients, against the whole program: each is bounded and explained, and no other suffers. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { madeSpan, readStatus, toProtobuf, tracesOf } from '../src/base/otlp/made.ts';
import { lasting } from '../src/base/testing.ts';
import { envelopeUrl, errorEnvelope, newEventId, Server } from './harness.ts';

let server: Server;
/** Outcomes before the test. */
let counted = new Map<string, number>();

beforeAll(async () => {
  server = await Server.create();
});
afterAll(() => server?.[Symbol.asyncDispose]());

type Fields = Record<string, unknown>;

interface Row {
  id: string;
  parent: number;
  depth: number;
  durationUs: number;
  cycle?: true;
  orphan?: true;
  duplicates?: number;
}

interface Waterfall {
  spans: number;
  left: number;
  duplicates: number;
  durationUs: number;
  rows: Row[];
}

interface Span {
  durationUs: number;
  startUs: number;
  status: string;
  kind: string;
  attributes: Record<string, string>;
  remarks: { field: string; what: string; was?: unknown }[];
}

const newTraceId = newEventId;
const newSpanId = (): string => newEventId().slice(16);
const hex = (number: number): string => number.toString(16).padStart(16, '0');
const now = (): number => Date.now() / 1000;

/** A span as SDK 11 streams it, a second long and just ended. */
function streamed(traceId: string, fields: Fields = {}): Fields {
  return {
    trace_id: traceId,
    span_id: newSpanId(),
    name: 'step',
    start_timestamp: now() - 1,
    end_timestamp: now(),
    is_segment: false,
    status: 'ok',
    ...fields,
  };
}

function containerOf(spans: readonly Fields[]): string {
  const item = { type: 'span', item_count: spans.length, content_type: 'application/vnd.sentry.items.span.v2+json' };
  return `{}\n${JSON.stringify(item)}\n${JSON.stringify({ version: 2, items: spans })}\n`;
}

function transaction(traceId: string, fields: Fields, spans: readonly Fields[] = []): string {
  const eventId = newEventId();
  const payload = {
    event_id: eventId,
    type: 'transaction',
    transaction: 'GET /cart',
    platform: 'node',
    start_timestamp: now() - 1,
    timestamp: now(),
    contexts: { trace: { trace_id: traceId, span_id: newSpanId(), op: 'http.server' } },
    spans,
    ...fields,
  };
  return `${JSON.stringify({ event_id: eventId })}\n{"type":"transaction"}\n${JSON.stringify(payload)}\n`;
}

async function send(body: string): Promise<void> {
  const response = await fetch(envelopeUrl(server.installed.dsn), {
    method: 'POST',
    body: gzipSync(body, { level: 1 }),
    headers: { 'content-encoding': 'gzip' },
  });
  expect(response.status).toBe(200);
}

async function sendOtlp(body: Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  const authorization = `Bearer ${new URL(server.installed.dsn).username}`;
  return fetch(`${server.url}/v1/traces`, {
    method: 'POST',
    body: Buffer.from(body),
    headers: { authorization, 'content-type': 'application/x-protobuf', ...headers },
  });
}

const path = (traceId: string): string => `/organizations/${server.installed.organization}/trace/${traceId}`;
const waterfall = (traceId: string): Promise<Waterfall> => server.api(`${path(traceId)}/spans/`);
const spanOf = (traceId: string, id: unknown): Promise<Span> => server.api(`${path(traceId)}/spans/${String(id)}/`);

/** The trace once it has that many spans. */
async function stored(traceId: string, spans: number): Promise<Waterfall> {
  return server.until(`${spans} spans of ${traceId}`, async () => {
    const trace = await waterfall(traceId);
    return trace.spans === spans && trace;
  });
}

async function outcomes(): Promise<Map<string, number>> {
  const { groups } = await server.api<{
    groups: { category: string; outcome: string; reason: string; total: number }[];
  }>(`/organizations/${server.installed.organization}/outcomes/?statsPeriod=1h`);
  const kind = ({ category, outcome, reason }: (typeof groups)[number]): string =>
    `${category} ${outcome}${reason && `:${reason}`}`;
  return new Map(groups.map((group) => [kind(group), group.total]));
}

/** What happened since the last test, and nothing else. */
async function expectOutcomes(expected: Record<string, number>): Promise<void> {
  await expect
    .poll(async () => {
      const since = [...(await outcomes())].map(([kind, total]) => [kind, total - (counted.get(kind) ?? 0)] as const);
      return Object.fromEntries(since.filter(([, total]) => total > 0));
    })
    .toEqual(expected);
}

afterEach(async () => {
  const traceId = newTraceId();
  const eventId = newEventId();
  await send(containerOf([streamed(traceId)]));
  await send(errorEnvelope(eventId, { contexts: { trace: { trace_id: traceId, span_id: newSpanId() } } }));
  const good = await stored(traceId, 1);
  expect(good.rows[0]).toMatchObject({ depth: 0, parent: -1 });
  await server.until('a good event is stored', () =>
    server.api(`/projects/${server.installed.organization}/${server.installed.project}/events/${eventId}/`),
  );
  await server.drained();
  counted = await outcomes();
});

const named = (span: Span): string[] => span.remarks.map(({ field, what }) => `${field} ${what}`);

test('parents that lead in a circle: every span is shown, one of them as a root', async () => {
  const traceId = newTraceId();
  const [a, b, c, own] = [newSpanId(), newSpanId(), newSpanId(), newSpanId()];
  await send(
    containerOf([
      streamed(traceId, { span_id: a, parent_span_id: c }),
      streamed(traceId, { span_id: b, parent_span_id: a }),
      streamed(traceId, { span_id: c, parent_span_id: b }),
      streamed(traceId, { span_id: own, parent_span_id: own }),
    ]),
  );
  const { rows } = await stored(traceId, 4);
  expect(rows.map(({ depth, cycle }) => [depth, cycle]).toSorted()).toEqual([
    [0, undefined],
    [0, true],
    [1, undefined],
    [2, undefined],
  ]);
  expect(named(await spanOf(traceId, own))).toEqual(['parent_span_id parent_cycle']);

  const inside = newTraceId();
  const [d, e] = [newSpanId(), newSpanId()];
  const times = { start_timestamp: now() - 1, timestamp: now() };
  await send(
    transaction(inside, {}, [
      { ...times, trace_id: inside, span_id: d, parent_span_id: e },
      { ...times, trace_id: inside, span_id: e, parent_span_id: d },
    ]),
  );
  const tree = await stored(inside, 3);
  expect(tree.rows.map(({ depth }) => depth)).toEqual([0, 1, 2]);
  await expectOutcomes({ 'span accepted': 7, 'transaction accepted': 1 });
});

test('a chain of 10,000 spans, the last one first', async () => {
  const traceId = newTraceId();
  const spans = Array.from({ length: 10_000 }, (_, index) =>
    streamed(traceId, { span_id: hex(index + 1), ...(index > 0 && { parent_span_id: hex(index) }) }),
  );
  await send(containerOf(spans.toReversed()));
  const { rows } = await stored(traceId, 10_000);
  expect(Math.max(...rows.map(({ depth }) => depth))).toBe(9_999);
  // The answer that nests is flat from a depth on that every reader of JSON can bear.
  const nested = await server.api<{ children: unknown[] }[]>(`${path(traceId)}/`);
  expect(nested).toHaveLength(1);
});

test('a span that ends before it starts is a moment; a transaction that does is refused', async () => {
  const traceId = newTraceId();
  const span = streamed(traceId, { start_timestamp: now(), end_timestamp: now() - 5 });
  await send(containerOf([span]));
  await send(transaction(newTraceId(), { start_timestamp: now(), timestamp: now() - 5 }));
  const { rows } = await stored(traceId, 1);
  expect(rows[0]?.durationUs).toBe(0);
  expect((await spanOf(traceId, span['span_id'])).remarks).toMatchObject([
    { field: 'duration_us', what: 'negative_duration', was: expect.closeTo(-5e6, -4) as number },
  ]);
  await expectOutcomes({ 'span accepted': 1, 'transaction invalid:end_before_start': 1 });
});

test('a span of a year, and one of the year 1970', async () => {
  const traceId = newTraceId();
  const year = streamed(traceId, { start_timestamp: now() - 366 * 86_400 });
  const old = streamed(traceId, { start_timestamp: 1, end_timestamp: 2 });
  await send(containerOf([streamed(traceId), year, old]));
  const trace = await stored(traceId, 3);
  expect(trace.durationUs).toBeLessThanOrEqual(30 * 86_400_000_000 + 5_000_000);
  const cut = await spanOf(traceId, year['span_id']);
  expect(cut.durationUs / 86_400_000_000).toBeCloseTo(30, 2);
  expect(named(cut)).toEqual(['started_at long_span']);
  expect(named(await spanOf(traceId, old['span_id']))).toEqual(['started_at past_timestamp']);
  await expectOutcomes({ 'span accepted': 3 });
});

test('10,000 attributes, and one of a megabyte', async () => {
  const traceId = newTraceId();
  const many = streamed(traceId, {
    attributes: Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`key${index}`, { value: 'v', type: 'string' }]),
    ),
  });
  const large = streamed(traceId, { attributes: { blob: { value: 'x'.repeat(2 ** 20), type: 'string' } } });
  await send(containerOf([many, large]));
  await stored(traceId, 2);
  const first = await spanOf(traceId, many['span_id']);
  expect(Object.keys(first.attributes)).toHaveLength(250);
  expect(first.remarks).toEqual([{ field: 'attributes', what: 'cut', was: 10_000 }]);
  const second = await spanOf(traceId, large['span_id']);
  expect(second.attributes['blob']?.length).toBeLessThanOrEqual(2_003);
  expect(second.remarks).toEqual([{ field: 'blob', what: 'cut', was: 2 ** 20 }]);

  const inside = newTraceId();
  const data = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index]));
  const spanId = newSpanId();
  await send(transaction(inside, { contexts: { trace: { trace_id: inside, span_id: spanId, data } } }));
  await stored(inside, 1);
  expect(named(await spanOf(inside, spanId))).toContain('attributes cut');
  await expectOutcomes({ 'span accepted': 3, 'transaction accepted': 1 });
});

test('values that no list has', async () => {
  const traceId = newTraceId();
  const melted = streamed(traceId, { status: 'melted', kind: 'sideways' });
  await send(containerOf([melted]));
  const nanos = `${Date.now()}000000`;
  const odd = madeSpan({ traceId, kind: 99, status: { code: 7 }, startTimeUnixNano: nanos, endTimeUnixNano: nanos });
  expect((await sendOtlp(toProtobuf('traces', tracesOf([odd])))).status).toBe(200);
  await stored(traceId, 2);
  const first = await spanOf(traceId, melted['span_id']);
  expect([first.status, named(first)]).toEqual(['unknown', ['status unknown_value']]);
  const second = await spanOf(traceId, 'eee19b7ec3c1b174');
  expect([second.status, second.kind, named(second).toSorted()]).toEqual([
    '',
    '',
    ['kind invalid_data', 'status invalid_data'],
  ]);
  await expectOutcomes({ 'span accepted': 2 });
});

describe('OTLP that is damaged', () => {
  const whole = toProtobuf('traces', tracesOf([madeSpan(), madeSpan({ spanId: 'c'.repeat(16) })]));

  test.each([
    ['cut off', () => [whole.subarray(0, -3), {}] as const, /cut off/, 'invalid_otlp'],
    [
      'gzip that is cut off',
      () => [gzipSync(whole).subarray(0, -9), { 'content-encoding': 'gzip' }] as const,
      /gzip/,
      'invalid_compression',
    ],
    ['not protobuf', () => [Buffer.from('{"resourceSpans":[]}'), {}] as const, /protobuf/, 'invalid_otlp'],
  ])('%s: refused, with the reason', async (_what, made, says, reason) => {
    const [body, headers] = made();
    const response = await sendOtlp(body, headers);
    expect(response.status).toBe(400);
    expect(readStatus(new Uint8Array(await response.arrayBuffer())).message).toMatch(says);
    await expectOutcomes({ [`span invalid:${reason}`]: 1 });
  });

  test('one span of it: the other is taken, and the damaged one is kept with the reason', async () => {
    const traceId = newTraceId();
    const nanos = `${Date.now()}000000`;
    const good = madeSpan({ traceId, startTimeUnixNano: nanos, endTimeUnixNano: nanos });
    // A span whose trace id is a number.
    const bad = Buffer.from([0x0a, 6, 0x12, 4, 0x12, 2, 8, 1]);
    const body = Buffer.concat([bad, toProtobuf('traces', tracesOf([good]))]);
    expect((await sendOtlp(body)).status).toBe(200);
    await stored(traceId, 1);
    await expectOutcomes({ 'span accepted': 1, 'span invalid:invalid_otlp': 1 });
    const [kept] = await server.api<{ detail: string; reason: string }[]>(
      `/organizations/${server.installed.organization}/items/?reason=invalid_otlp`,
    );
    expect(kept?.detail).toMatch(/traceId/);
  });
});

test('one span id many times, in one request and in others', async () => {
  const traceId = newTraceId();
  const span = streamed(traceId, { is_segment: true });
  const envelope = containerOf([
    span,
    { ...span, name: 'again' },
    streamed(traceId, { parent_span_id: span['span_id'] }),
  ]);
  await send(envelope);
  await send(envelope);
  const trace = await stored(traceId, 6);
  expect(trace.duplicates).toBe(4);
  expect(trace.rows.map(({ depth, duplicates }) => [depth, duplicates])).toEqual([
    [0, 3],
    [1, 1],
  ]);
  const nested = await server.api<{ children: unknown[] }[]>(`${path(traceId)}/`);
  expect(nested.map(({ children }) => children.length)).toEqual([1]);
  await expectOutcomes({ 'span accepted': 6 });
});

test('spans without what they need are refused one by one, the others stay', async () => {
  const traceId = newTraceId();
  await send(
    containerOf([
      streamed(traceId),
      streamed('0'.repeat(32)),
      streamed(traceId, { span_id: 'nonsense' }),
      streamed(traceId, { end_timestamp: 'soon' }),
    ]),
  );
  await stored(traceId, 1);
  await expectOutcomes({
    'span accepted': 1,
    'span invalid:bad_span_id': 1,
    'span invalid:bad_trace_id': 1,
    'span invalid:no_end_timestamp': 1,
  });
});

/** MB that the server holds. */
async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

test(`a trace of ${lasting('a hundred thousand', 'a million')} spans: what is read of it is bounded, and the rest is counted`, async () => {
  const traceId = newTraceId();
  const root = newSpanId();
  const start = now() - 60;
  // As many as an envelope may have, through ingestion; what more there is comes from those, within the store.
  const perEnvelope = 10_000;
  const envelopes = 2;
  const copies = lasting(5, 50);
  for (let envelope = 0; envelope < envelopes; envelope++) {
    const spans = Array.from({ length: perEnvelope }, (_, index) => {
      const number = envelope * perEnvelope + index;
      const at = start + number / 10_000;
      return {
        trace_id: traceId,
        span_id: number === 0 ? root : hex(number),
        parent_span_id: number === 0 ? undefined : root,
        name: 'SELECT 1',
        is_segment: number === 0,
        start_timestamp: at,
        end_timestamp: at + 0.001,
        status: 'ok',
      };
    });
    await send(containerOf(spans));
  }
  await server.drained();
  await expectOutcomes({ 'span accepted': envelopes * perEnvelope });
  await using events = await server.events();
  // Not more at once than the engine lets a statement hold.
  const atOnce = 5;
  for (let copy = 0; copy < copies; copy += atOnce) {
    await events.command(
      `INSERT INTO spans (project_id, trace_id, span_id, parent_span_id, segment_id, is_segment, started_at, duration_us, received_at, op, name)
       SELECT project_id, trace_id, leftPad(lower(hex(sipHash64(span_id, copy.number))), 16, '0'), {root:String}, segment_id, 0,
         started_at, duration_us, received_at, op, 'a copy'
       FROM spans CROSS JOIN numbers({copy:UInt64}, {atOnce:UInt64}) AS copy WHERE trace_id = {trace:String} AND name != 'a copy'`,
      { trace: traceId, root, copy, atOnce },
    );
  }
  const all = envelopes * perEnvelope * (copies + 1);

  await waterfall(newTraceId());
  const before = await residentMb();
  const trace = await stored(traceId, all);
  expect(trace.rows).toHaveLength(20_000);
  expect(trace.left).toBe(all - 20_000);
  expect(trace.rows[0]).toMatchObject({ id: root, depth: 0 });
  const nested = await server.api<{ children: unknown[] }[]>(`${path(traceId)}/`);
  expect(nested).toHaveLength(1);
  expect(nested[0]?.children).toHaveLength(19_999);
  const meta = await server.api<{ span_count: number; transaction_child_count_map: unknown[] }>(
    `/organizations/${server.installed.organization}/trace-meta/${traceId}/`,
  );
  expect(meta.span_count).toBe(all);
  expect(meta.transaction_child_count_map.length).toBeLessThanOrEqual(1_000);
  expect((await spanOf(traceId, root)).durationUs).toBe(1_000);
  // A million rows as objects would be more.
  expect((await residentMb()) - before).toBeLessThan(400);
});

test('nothing of it made the server log an error', () => {
  expect(server.output).not.toMatch(/"level":(50|60)/);
});
