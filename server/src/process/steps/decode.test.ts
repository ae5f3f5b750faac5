import { describe, expect, it } from 'vitest';
import { decodeJson, parseJson } from './decode.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('decodeJson', () => {
  it.each([
    ['NUL', String.raw`{"a":"x\u0000y"}`, { a: 'x\uFFFDy' }, ['nul']],
    ['a lone high surrogate', String.raw`{"a":"\ud83d!"}`, { a: '\uFFFD!' }, ['lone_surrogate']],
    ['a lone low surrogate', String.raw`{"a":"\uDE00"}`, { a: '\uFFFD' }, ['lone_surrogate']],
    ['two high ones', String.raw`{"a":"\ud83d\ud83d\ude00"}`, { a: '\uFFFD😀' }, ['lone_surrogate']],
    ['a pair', String.raw`{"a":"\ud83d\ude00"}`, { a: '😀' }, []],
    ['a backslash before the letter u', String.raw`{"a":"\\u0000 \\ud800"}`, { a: String.raw`\u0000 \ud800` }, []],
    ['NUL in a key', String.raw`{"\u0000":1}`, { '\uFFFD': 1 }, ['nul']],
    ['numbers beyond 2^53 and beyond all', '{"a":9007199254740993,"b":1e999}', { a: 2 ** 53, b: Infinity }, []],
    ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }, []],
  ])('%s', (_name, text, value, remarks) => {
    expect(decodeJson(bytes(text))).toEqual({ ok: true, value, remarks });
  });

  it('replaces invalid UTF-8 and tells it from a real U+FFFD', () => {
    expect(decodeJson(Uint8Array.from([0x22, 0xff, 0x22]))).toEqual({
      ok: true,
      value: '\uFFFD',
      remarks: ['invalid_utf8'],
    });
    expect(decodeJson(bytes('"\uFFFD"'))).toEqual({ ok: true, value: '\uFFFD', remarks: [] });
    expect(decodeJson(Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toMatchObject({
      ok: true,
      remarks: ['invalid_utf8'],
    });
  });

  it('keeps prototypes out of reach', () => {
    const decoded = decodeJson(bytes('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'));
    expect(decoded.ok && Object.keys(decoded.value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('takes half a million brackets', () => {
    const depth = 500_000;
    expect(decodeJson(bytes('['.repeat(depth) + ']'.repeat(depth)))).toMatchObject({ ok: true });
    expect(decodeJson(bytes('['.repeat(depth)))).toMatchObject({ ok: false, reason: 'json' });
    expect(decodeJson(bytes('{"a":'.repeat(150_000) + '1' + '}'.repeat(150_000)))).toMatchObject({ ok: true });
  });

  it('refuses what is too large or no JSON, without quoting it', () => {
    expect(decodeJson(bytes('"secret"'), 4)).toEqual({
      ok: false,
      reason: 'too_large',
      detail: '8 bytes; the limit is 4',
    });
    const refused = decodeJson(bytes('{"password": hunter2}'));
    expect(refused).toMatchObject({ ok: false, reason: 'json' });
    expect(JSON.stringify(refused)).not.toContain('hunter2');
    expect(decodeJson(new Uint8Array(0))).toMatchObject({ ok: false, reason: 'json' });
  });

  it('makes text inside text safe too', () => {
    expect(parseJson(String.raw`{"a":"\u0000\udc00"}`)).toEqual({ a: '\uFFFD\uFFFD' });
    expect(() => parseJson('{')).toThrow(SyntaxError);
  });
});
