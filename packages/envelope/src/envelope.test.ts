import { describe, expect, it } from 'vitest';
import {
  EnvelopeError,
  type EnvelopeLimits,
  parseEnvelope,
  readEnvelopeHeader,
  serializeEnvelope,
  walkItems,
} from './index.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Items as `[type, payload]`. */
function items(text: string, limits?: EnvelopeLimits): [string, string][] {
  return parseEnvelope(encode(text), limits).items.map((item) => [item.type, decode(item.payload)]);
}

function refusal(body: string | Uint8Array, limits?: EnvelopeLimits): { code: string; offset: number } {
  try {
    parseEnvelope(typeof body === 'string' ? encode(body) : body, limits);
  } catch (error) {
    if (!(error instanceof EnvelopeError)) throw error;
    expect(error.message).toMatch(/ \(at byte \d+\)$/);
    return { code: error.code, offset: error.offset };
  }
  throw new Error('was not refused');
}

describe('items with and without length', () => {
  it.each<[string, string, [string, string][]]>([
    ['no items', '{}', []],
    ['no items, newline', '{}\n', []],
    ['implicit length up to the end', '{}\n{"type":"event"}\n{"a":1}', [['event', '{"a":1}']]],
    ['implicit length up to the newline', '{}\n{"type":"event"}\n{"a":1}\n', [['event', '{"a":1}']]],
    ['implicit empty payload at the end', '{}\n{"type":"attachment"}', [['attachment', '']]],
    ['implicit empty payload, newline', '{}\n{"type":"attachment"}\n', [['attachment', '']]],
    [
      'explicit length with newlines in the payload',
      '{}\n{"type":"x","length":5}\na\nb\nc\n{"type":"y"}\nd',
      [
        ['x', 'a\nb\nc'],
        ['y', 'd'],
      ],
    ],
    ['length null is no length', '{}\n{"type":"x","length":null}\nab\n', [['x', 'ab']]],
    [
      'length 0 with newlines',
      '{}\n{"type":"a","length":0}\n\n{"type":"b","length":0}\n\n',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [
      'length 0 at the end',
      '{}\n{"type":"a","length":0}\n\n{"type":"b","length":0}',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    [
      'carriage return belongs to the payload',
      '{}\n{"type":"x"}\nab\r\n{"type":"y","length":3}\nab\r',
      [
        ['x', 'ab\r'],
        ['y', 'ab\r'],
      ],
    ],
    ['carriage return after headers', '{}\r\n{"type":"x"}\r\nab', [['x', 'ab']]],
    [
      'blank lines between and after items',
      '{}\n{"type":"x","length":1}\na\n\n\r\n{"type":"y","length":1}\nb\n\n\n',
      [
        ['x', 'a'],
        ['y', 'b'],
      ],
    ],
    ['a type nobody knows', '{}\n{"type":"from_the_future"}\nab', [['from_the_future', 'ab']]],
  ])('%s', (_name, text, expected) => {
    expect(items(text)).toEqual(expected);
  });

  it('keeps headers as they came', () => {
    const text = '{"event_id":"a","trace":{"public_key":"k"}}\n{"type":"log","item_count":2,"content_type":"c"}\n{}';
    const { header, items } = parseEnvelope(encode(text));
    expect(header).toEqual({ event_id: 'a', trace: { public_key: 'k' } });
    expect(items[0]?.header).toEqual({ type: 'log', item_count: 2, content_type: 'c' });
  });

  it('gives payloads as views, also on a view', () => {
    const whole = encode('xxxx{}\n{"type":"a","length":2}\nab\n{"type":"b"}\ncd');
    const { items } = parseEnvelope(whole.subarray(4));
    for (const item of items) expect(item.payload.buffer).toBe(whole.buffer);
    expect(items.map((item) => decode(item.payload))).toEqual(['ab', 'cd']);
  });

  it('reads the first line alone, whatever follows', () => {
    expect(readEnvelopeHeader(encode('{"dsn":"d"}\nnot an item'))).toEqual({ header: { dsn: 'd' }, itemsOffset: 12 });
    expect(readEnvelopeHeader(encode('{}')).header).toEqual({});
  });

  it('walks lazily: items before the broken one are given', () => {
    const walk = walkItems(encode('{}\n{"type":"a"}\n1\nbroken'), 3);
    expect(walk.next().value).toMatchObject({ type: 'a' });
    expect(() => walk.next()).toThrow(EnvelopeError);
  });
});

describe('refusals', () => {
  it.each<[string, string, string, number]>([
    ['nothing', '', 'empty', 0],
    ['blank first line', '\n{}', 'header_invalid', 0],
    ['no JSON', 'hello', 'header_invalid', 0],
    ['array for a header', '[]\n', 'header_invalid', 0],
    ['null for a header', 'null\n', 'header_invalid', 0],
    ['header over two lines', '{\n}', 'header_invalid', 0],
    ['item header no JSON', '{}\nhello', 'item_header_invalid', 3],
    ['item header no object', '{}\n"event"\n{}', 'item_header_invalid', 3],
    ['no type', '{}\n{"length":1}\na', 'item_type_missing', 3],
    ['type no string', '{}\n{"type":1}\na', 'item_type_missing', 3],
    ['type empty', '{}\n{"type":""}\na', 'item_type_missing', 3],
    ['length negative', '{}\n{"type":"x","length":-1}\na', 'item_length_invalid', 3],
    ['length a fraction', '{}\n{"type":"x","length":1.5}\na', 'item_length_invalid', 3],
    ['length a string', '{}\n{"type":"x","length":"1"}\na', 'item_length_invalid', 3],
    ['length beyond all numbers', '{}\n{"type":"x","length":1e400}\na', 'item_length_invalid', 3],
    ['length beyond safe numbers', '{}\n{"type":"x","length":9007199254740993}\na', 'item_length_invalid', 3],
    ['length too large', '{}\n{"type":"x","length":9}\nabc', 'item_truncated', 27],
    ['length too large, no payload', '{}\n{"type":"x","length":9}', 'item_truncated', 26],
    ['length too small', '{}\n{"type":"x","length":2}\nabc', 'item_unterminated', 29],
  ])('%s', (_name, text, code, offset) => {
    expect(refusal(text)).toEqual({ code, offset });
  });

  it('bounds the header line, the number of items and the whole', () => {
    expect(refusal(`{"a":"${'x'.repeat(100)}"}\n`, { maxHeaderBytes: 50 }).code).toBe('header_too_large');
    expect(refusal(`{}\n{"type":"${'x'.repeat(100)}"}\n`, { maxHeaderBytes: 50 }).code).toBe('header_too_large');
    expect(items('{}\n{"type":"x"}\n\n{"type":"x"}\n\n', { maxItems: 2 })).toHaveLength(2);
    expect(refusal('{}\n{"type":"x"}\n\n{"type":"x"}\n\n', { maxItems: 1 }).code).toBe('too_many_items');
    expect(items('{}', { maxBytes: 2 })).toEqual([]);
    expect(refusal('{}\n', { maxBytes: 2 }).code).toBe('too_large');
  });

  it('names a hostile type without its control characters', () => {
    expect(() => parseEnvelope(encode('{}\n{"type":"\\u001b[2J","length":-1}\n'))).toThrow(/"\\u001b\[2J"/);
  });
});

describe('header lines', () => {
  it('replaces malformed UTF-8, so that a file name costs no event', () => {
    const bytes = encode('{}\n{"type":"attachment","filename":"?"}\nab');
    bytes[bytes.indexOf(0x3f)] = 0xff;
    expect(parseEnvelope(bytes).items[0]?.header['filename']).toBe('\uFFFD');
  });

  it.each(['"__proto__"', '"__pro\\u0074o__"'])('drops %s at any depth', (key) => {
    const text = `{"a":1,${key}:{"dsn":"evil"},"trace":{${key}:{"b":1},"list":[{${key}:2}]}}\n{"type":"x",${key}:{"length":7}}\nab`;
    const { header, items } = parseEnvelope(encode(text));
    expect(JSON.stringify(header)).toBe('{"a":1,"trace":{"list":[{}]}}');
    expect(JSON.stringify(items[0]?.header)).toBe('{"type":"x"}');
    expect(Object.assign({}, header)).not.toHaveProperty('dsn');
  });

  it('bounds the depth', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)},"pad":"${'x'.repeat(1100)}"}`;
    expect(parseEnvelope(encode(nested(20))).items).toEqual([]);
    expect(refusal(nested(400_000)).code).toBe('header_too_deep');
    expect(refusal(`{"a":${'['.repeat(500_000)}`).code).toBe('header_invalid');
  });

  it('keeps lone surrogates and NUL of escapes', () => {
    expect(parseEnvelope(encode('{"a":"\\ud800\\u0000"}')).header).toEqual({ a: '\ud800\0' });
  });
});

describe('writing', () => {
  it('gives every length, so that any bytes survive', () => {
    const payload = Uint8Array.of(0, 10, 13, 255, 10);
    const bytes = serializeEnvelope({ event_id: 'a' }, [
      { header: { type: 'attachment', filename: 'f\n', length: 99 }, payload },
      { header: { type: 'event' }, payload: '{"é":1}' },
      { header: { type: 'attachment' }, payload: '' },
    ]);
    const { header, items } = parseEnvelope(bytes);
    expect(header).toEqual({ event_id: 'a' });
    expect(items.map((item) => item.header)).toEqual([
      { type: 'attachment', filename: 'f\n', length: 5 },
      { type: 'event', length: 8 },
      { type: 'attachment', length: 0 },
    ]);
    expect([...(items[0]?.payload ?? [])]).toEqual([...payload]);
  });

  it('writes an envelope without items', () => {
    expect(decode(serializeEnvelope({}, []))).toBe('{}\n');
  });
});
