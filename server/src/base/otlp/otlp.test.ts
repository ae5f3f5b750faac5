import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countFrames,
  countJson,
  decodeMessage,
  Nanos,
  eachFrame,
  exportResponse,
  messagePlan,
  OtlpError,
  signalNames,
  signals,
  statusResponse,
} from './index.ts';
import { madeSpan, readResponse, readStatus, text, toProtobuf, tracesOf, typeNamed } from './made.ts';

const spanPlan = messagePlan('opentelemetry.proto.trace.v1.Span');

function decodeAll(bytes: Uint8Array): unknown[] {
  const spans: unknown[] = [];
  eachFrame(bytes, ({ record }) => {
    spans.push(decodeMessage(bytes.subarray(record.start, record.end), spanPlan));
    return true;
  });
  return spans;
}

/** What a call throws, or its value. */
function outcome(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error instanceof OtlpError ? error.message : error;
  }
}

test('all three signals nest by the same field numbers', () => {
  for (const signal of signalNames) {
    const { groups, scopes, records, record } = signals[signal];
    const one = { traces: madeSpan(), logs: { body: { stringValue: 'x' } }, metrics: { name: 'n' } }[signal];
    const request = { [groups]: [{}, { [scopes]: [{ [records]: [one, one] }, { [records]: [one] }] }] };
    const bytes = toProtobuf(signal, request);
    expect(countFrames(bytes)).toBe(3);
    expect(countJson(Buffer.from(JSON.stringify(request)), signal)).toBe(3);
    expect(messagePlan(record).fields.filter(Boolean)).toHaveLength(typeNamed(record).fieldsArray.length);
  }
});

test('a message becomes the object that its JSON is', () => {
  const span = madeSpan({
    parentSpanId: '1ebee5060473a66d',
    flags: 257,
    attributes: [
      text('a', 'ü'),
      { key: 'i', value: { intValue: '-9007199254740993' } },
      { key: 'n', value: { intValue: 42 } },
      { key: 'd', value: { doubleValue: 1.5 } },
      { key: 'b', value: { boolValue: false } },
      { key: 'raw', value: { bytesValue: 'AAEC' } },
      { key: 'list', value: { arrayValue: { values: [{ stringValue: 'x' }, { boolValue: true }] } } },
      { key: 'map', value: { kvlistValue: { values: [text('k', 'v')] } } },
    ],
    events: [{ timeUnixNano: '1795229859400000000', name: 'e' }],
    links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }],
    status: { code: 2, message: 'no' },
  });
  expect(decodeAll(toProtobuf('traces', tracesOf([span])))).toEqual([span]);
});

test('packed and unpacked numbers of metrics are read alike', () => {
  const metric = {
    name: 'latency',
    histogram: { dataPoints: [{ count: 3, bucketCounts: [1, 2, 0], explicitBounds: [0.5, 10] }] },
  };
  const bytes = toProtobuf('metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] });
  const metrics: unknown[] = [];
  eachFrame(bytes, ({ record: { start, end } }) => {
    metrics.push(decodeMessage(bytes.subarray(start, end), messagePlan(signals.metrics.record)));
    return true;
  });
  expect(metrics).toEqual([metric]);
});

test('resource and scope are found wherever they stand, and walking ends when nobody wants more', () => {
  const group = (...parts: Buffer[]): Buffer => field(1, Buffer.concat(parts));
  const resource = field(1, Buffer.from('resource'));
  const scope = field(1, Buffer.from('scope'));
  const bytes = Buffer.concat([
    group(field(2, Buffer.concat([field(2, Buffer.from('one')), field(2, Buffer.from('two')), scope])), resource),
    group(field(2, field(2, Buffer.from('three')))),
  ]);
  const seen: (string | undefined)[][] = [];
  const words = (range?: { start: number; end: number }) => range && bytes.toString('utf8', range.start, range.end);
  eachFrame(bytes, (frame) => seen.push([words(frame.resource), words(frame.scope), words(frame.record)]) < 3);
  expect(seen).toEqual([
    ['resource', 'scope', 'one'],
    ['resource', 'scope', 'two'],
    [undefined, undefined, 'three'],
  ]);
  let count = 0;
  eachFrame(bytes, () => ++count < 1);
  expect(count).toBe(1);
});

function field(number: number, bytes: Buffer): Buffer {
  if (bytes.length > 127) throw new Error('too long for a test');
  return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
}

test('every cut of a request is refused in words or counts no more than the whole', () => {
  const whole = toProtobuf('traces', tracesOf([madeSpan(), madeSpan()]));
  for (let length = 1; length < whole.length; length++) {
    expect(outcome(() => countFrames(whole.subarray(0, length)))).toMatch(/protobuf|cut off/);
  }
  const json = Buffer.from(JSON.stringify(tracesOf([madeSpan()])));
  for (let length = 1; length < json.length; length++) {
    expect(outcome(() => countJson(json.subarray(0, length), 'traces'))).toMatch(/cut off/);
  }
});

test('whatever the bytes are, nothing but an OtlpError comes out', () => {
  const valid = toProtobuf('traces', tracesOf([madeSpan({ attributes: [text('k', 'v')] })]));
  const damaged = fc
    .array(fc.tuple(fc.nat(valid.length - 1), fc.nat(255)), { maxLength: 4 })
    .map((changes) => changes.reduce((bytes, [at, to]) => bytes.fill(to, at, at + 1), Buffer.from(valid)));
  fc.assert(
    fc.property(fc.oneof(damaged, fc.uint8Array({ maxLength: 200 })), (bytes) => {
      for (const call of [() => countFrames(bytes), () => decodeAll(bytes), () => countJson(bytes, 'logs')]) {
        expect(outcome(call)).not.toBeInstanceOf(Error);
      }
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['text', Buffer.from('hello'), /protobuf/],
  ['another kind', field(3, Buffer.from('x')), /not of this kind/],
  ['field number 0', Buffer.from([2, 0]), /field number 0/],
  ['a length beyond the end', Buffer.from([10, 100, 1]), /cut off/],
  ['a length of many bytes', Buffer.from([10, 255, 255, 255, 255, 255, 255, 255]), /protobuf/],
  ['groups in groups', Buffer.alloc(5_000, 0x0b), /protobuf/],
])('protobuf: %s', (_, bytes, message) => {
  expect(outcome(() => countFrames(bytes))).toMatch(message);
});

test.each([
  ['a list', '[]', /not a JSON object/],
  ['nothing', '  ', /not a JSON object/],
  ['two objects', '{}{}', /not JSON/],
  ['crossed brackets', '{"resourceSpans":[}]', /not JSON/],
  ['another signal', '{"resourceLogs":[]}', /no resourceSpans/],
  ['no end of nesting', '{"resourceSpans":'.repeat(1_000), /deeper/],
  ['millions of values', `{"resourceSpans":[${'{},'.repeat(1_000_001)}{}]}`, /more than 2000000 values/],
])('JSON: %s', (_, json, message) => {
  expect(outcome(() => countJson(Buffer.from(json), 'traces'))).toMatch(message);
});

test('JSON: names elsewhere, in texts or behind escapes, do not count', () => {
  const count = (json: string): number => countJson(Buffer.from(json), 'traces');
  expect(count('{}')).toBe(0);
  expect(count(' {"resourceSpans" : [ {"scopeSpans":[ {"spans": [ {} , {"spans":[{},{}]} ] } ] } ] } ')).toBe(2);
  expect(count('{"resourceSpans":[{"x":{"scopeSpans":[{"spans":[{}]}]}}]}')).toBe(0);
  expect(count('{"resourceSpans":[{"scopeSpans":[{"scope":{"name":"\\"spans\\":[{"},"spans":[{}]}]}]}')).toBe(1);
});

test('a record of the wrong wire types, and one of too many parts', () => {
  // The trace id as a number.
  expect(outcome(() => decodeMessage(Buffer.from([8, 1]), spanPlan))).toBe(
    'the field traceId of a record has the wrong wire type',
  );
  expect(outcome(() => decodeMessage(Buffer.alloc(300_000, Buffer.from([0x4a, 0])), spanPlan))).toBe(
    'a record has more than 100000 parts',
  );
  const attribute = Buffer.from([0x4a, 8, 0x0a, 1, 0x61, 0x12, 3, 0x0a, 1, 0x62]);
  expect(outcome(() => decodeMessage(Buffer.alloc(600_000, attribute), spanPlan))).toBe(
    'a record has more than 100000 parts',
  );
  expect(outcome(() => decodeMessage(Buffer.from([0x4a, 5, 1]), spanPlan))).toMatch(/longer than the record/);
});

test('values within values end at a depth', () => {
  let value: Buffer = Buffer.from([0x10, 1]);
  // Lengths of more than a byte: the definitions' own encoder would recurse as deep.
  for (let level = 0; level < 5_000; level++) {
    const list = Buffer.concat([Buffer.from([0x0a]), varint(value.length), value]);
    value = Buffer.concat([Buffer.from([0x2a]), varint(list.length), list]);
  }
  const pair = Buffer.concat([Buffer.from([0x12]), varint(value.length), value]);
  const span = Buffer.concat([Buffer.from([0x4a]), varint(pair.length), pair, Buffer.from([0x2a, 1, 0x78])]);
  const decoded = decodeMessage(span, spanPlan);
  expect(decoded.name).toBe('x');
  expect(JSON.stringify(decoded).length).toBeLessThan(2_000);
});

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

test('answers can be read by the definitions', () => {
  const rejected = { count: 5, why: 'too many' };
  for (const signal of signalNames) {
    expect(exportResponse(signal, 'protobuf')).toHaveLength(0);
    expect(exportResponse(signal, 'json').toString()).toBe('{}');
    const said = { [signals[signal].rejected]: 5, errorMessage: 'too many' };
    expect(readResponse(signal, exportResponse(signal, 'protobuf', rejected))).toEqual({ partialSuccess: said });
    expect(JSON.parse(exportResponse(signal, 'json', rejected).toString())).toEqual({
      partialSuccess: { ...said, [signals[signal].rejected]: '5' },
    });
  }
  expect(readStatus(statusResponse(429, 'slower', 'protobuf'))).toEqual({ code: 8, message: 'slower' });
  expect(JSON.parse(statusResponse(400, 'bad', 'json').toString())).toEqual({ code: 3, message: 'bad' });
});

test('times of 64 bits keep their last digit', () => {
  const times = [
    '1795229859999999999',
    '1795229860000000000',
    '18446744073709551615',
    '9007199254740993',
    '4294967296',
  ];
  for (let bits = 53; bits < 64; bits++)
    times.push(String((1n << BigInt(bits)) - 1n), String((1n << BigInt(bits)) + 7n));
  for (const time of times) {
    const bytes = toProtobuf('traces', {
      resourceSpans: [{ scopeSpans: [{ spans: [{ startTimeUnixNano: time, endTimeUnixNano: '1' }] }] }],
    });
    eachFrame(bytes, ({ record: { start, end } }) => {
      const { startTimeUnixNano, endTimeUnixNano } = decodeMessage(bytes, spanPlan, start, end);
      expect([String(startTimeUnixNano), endTimeUnixNano]).toEqual([time, 1]);
      return true;
    });
  }
});

test('attributes that are read at once are what they are read as part by part', () => {
  const key = 'a.name';
  const values = [
    { stringValue: 'text' },
    { stringValue: '' },
    { stringValue: 'ü'.repeat(20) },
    { stringValue: 'x'.repeat(200) },
    { intValue: 0 },
    { intValue: -7 },
    { intValue: '9007199254740993' },
    { boolValue: false },
    { doubleValue: 0.5 },
    { arrayValue: { values: [{ stringValue: 'a' }] } },
    {},
  ];
  const span = { attributes: values.map((value) => ({ key, value })) };
  const bytes = toProtobuf('traces', tracesOf([span], []));
  const read: object[] = [];
  eachFrame(bytes, ({ record: { start, end } }) => {
    read.push(decodeMessage(bytes, spanPlan, start, end));
    return true;
  });
  expect(read).toEqual([span]);
});

test('memory that others get later changes no text that was read', () => {
  const bytes = toProtobuf('traces', tracesOf([madeSpan({ attributes: [text('k', 'first')] })], []));
  const read = (): unknown => {
    let span: unknown;
    eachFrame(bytes, ({ record: { start, end } }) => {
      span = decodeMessage(bytes, spanPlan, start, end);
      return true;
    });
    return span;
  };
  const first = read();
  const at = bytes.indexOf('first');
  bytes.write('other', at);
  expect(read()).not.toEqual(first);
  bytes.write('first', at);
  expect(read()).toEqual(first);
});

test('times as whole µs, and as text', () => {
  for (const time of ['1795229859363000999', '9223372036854775807', '18446744073709551615', '9007199254740993']) {
    const bytes = toProtobuf('traces', tracesOf([{ startTimeUnixNano: time }], []));
    eachFrame(bytes, ({ record: { start, end } }) => {
      const { startTimeUnixNano: nanos } = decodeMessage(bytes, spanPlan, start, end, true);
      expect(nanos).toBeInstanceOf(Nanos);
      expect([String(nanos), (nanos as Nanos).micros]).toEqual([time, Number(time.slice(0, -3))]);
      return true;
    });
  }
});
