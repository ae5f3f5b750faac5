import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCheapEvent } from './cheap-key.ts';

const read = (value: unknown) => readCheapEvent(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
const keyOf = (value: unknown): number | undefined => read(value)?.key;

const frame = (name: string, lineno = 1) => ({ function: name, filename: `/app/${name}.js`, lineno, vars: { name } });
const frames = ['a', 'b', 'c', 'd'].map((name) => frame(name));

interface Told {
  readonly type?: string;
  readonly value?: string;
  readonly stack?: readonly object[];
  readonly [other: string]: unknown;
}

function event({ type = 'TypeError', value = 'x of 17 is null', stack = frames, ...rest }: Told = {}): object {
  const exception = { values: [{ type, value, mechanism: { handled: false }, stacktrace: { frames: stack } }] };
  return { event_id: 'e', release: 'shop@1', environment: 'live', exception, ...rest };
}

describe('the same key', () => {
  test.each<[string, Told, Told?]>([
    ['another number in the message', { value: 'x of 18 is null' }],
    [
      'an id in the message',
      { value: 'x of 9f86d081-884c-4d65-9a2f-eaa0c55ad015 is null' },
      { value: 'x of 1-2-3-4-5 is null' },
    ],
    ['other frames below the top three', { stack: [frame('z'), ...frames.slice(1)] }],
    ['other variables', { stack: frames.map((one) => ({ ...one, vars: { name: '"}]' } })) }],
    ['other breadcrumbs', { breadcrumbs: [{ message: '"exception": [{' }] }],
    ['another user', { user: { id: '7' } }],
  ])('%s', (_what, changed, from = {}) => {
    expect(keyOf(event(changed))).toBe(keyOf(event(from)));
  });
});

describe('another key', () => {
  test.each<[string, Told]>([
    ['type', { type: 'RangeError' }],
    ['words of the message', { value: 'y of 17 is null' }],
    ['a frame of the top three', { stack: [...frames.slice(0, 3), frame('e')] }],
    ['a line', { stack: [...frames.slice(0, 3), frame('d', 2)] }],
    ['fingerprint', { fingerprint: ['mine'] }],
  ])('%s', (_what, changed) => {
    expect(keyOf(event(changed))).not.toBe(keyOf(event()));
  });
});

test.each([{ release: 'shop@2' }, { environment: 'staging' }])('another variant of the same key: %j', (changed) => {
  expect(keyOf(event(changed))).toBe(keyOf(event()));
  expect(read(event(changed))?.variant).not.toBe(read(event())?.variant);
});

test('bugs of one key differ in a variant: by what calls the top frames, and not by lines', () => {
  const variantOf = (stack: readonly object[]): number | undefined => read(event({ stack }))?.variant;
  const other = [frame('z'), ...frames.slice(1)];
  expect(keyOf(event({ stack: other }))).toBe(keyOf(event()));
  expect(variantOf(other)).not.toBe(variantOf(frames));
  expect(variantOf([frame('a', 9), ...frames.slice(1)])).toBe(variantOf(frames));
  expect(read({ message: 'x' })?.variant).toBe(read({ message: 'y' })?.variant);
});

test('the last exception decides, and it says more than a message', () => {
  const cause = { type: 'Cause', value: 'c' };
  const last = { type: 'Error', value: 'e' };
  expect(keyOf({ exception: { values: [cause, last] } })).toBe(keyOf({ exception: [last], message: 'hello' }));
  expect(keyOf({ message: 'hello 1' })).toBe(keyOf({ message: 'hello 2' }));
  expect(keyOf({ message: 'hello' })).not.toBe(keyOf({ message: 'bye' }));
  expect(keyOf({ logentry: { message: 'hello %s', params: ['you'] } })).toBe(
    keyOf({ logentry: { params: ['me'], message: 'hello %s' } }),
  );
});

test('the user as it stands there, unless it is long', () => {
  expect(read(' {"user" : {"id":"7", "n":"ü"} , "x":1}')?.user).toBe('{"id":"7", "n":"ü"}');
  expect(read({ user: 'me' })?.user).toBe('');
  expect(read({ user: { id: 'x'.repeat(600) } })?.user).toBe('');
});

test('what is no object has none', () => {
  for (const text of ['', '[]', '1', '"{"', 'null', '\0']) expect(read(text)).toBeUndefined();
});

test('any bytes are read to the end, and their key is a whole number', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    ',',
    ':',
    ' ',
    '"exception":',
    '"values":',
    '"frames":',
    '"user":',
    '"stacktrace":',
    '1',
    'é',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((all) => `{${all.join('')}`),
        fc.string(),
      ),
      (text) => {
        const found = read(text);
        expect(found === undefined || Number.isSafeInteger(found.key)).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('fields around it, their order and blanks change nothing', () => {
  const plain = event() as Record<string, unknown>;
  fc.assert(
    fc.property(
      fc.shuffledSubarray(Object.keys(plain), { minLength: Object.keys(plain).length }),
      fc.dictionary(fc.stringMatching(/^x\w{0,20}$/), fc.jsonValue()),
      fc.constantFrom(undefined, 1, '\t'),
      (names, others, indent) => {
        const shuffled = Object.fromEntries(names.map((name) => [name, plain[name]]));
        const text = (value: object): string => JSON.stringify(value, undefined, indent);
        expect(keyOf(text({ ...others, ...shuffled }))).toBe(keyOf(text(plain)));
        expect(keyOf(text({ ...shuffled, ...others }))).toBe(keyOf(text(plain)));
      },
    ),
  );
});

test('time goes with the bytes, also of nests and of what never ends', () => {
  const sizes = [20_000, 400_000];
  for (const make of [
    (size: number) => `{"extra":${'['.repeat(size)}`,
    (size: number) => `{"exception":{"values":[${'{},'.repeat(size / 3)}`,
    (size: number) => `{"exception":{"values":[{"stacktrace":{"frames":[${'{"vars":[]},'.repeat(size / 12)}`,
    (size: number) => `{"message":"${'\\'.repeat(size)}`,
    (size: number) => `{${'"exception":['.repeat(size / 13)}`,
  ]) {
    const [small, large] = sizes.map((size) => {
      const bytes = Buffer.from(make(size));
      const times = Array.from({ length: 5 }, () => {
        const from = performance.now();
        readCheapEvent(bytes);
        return performance.now() - from;
      });
      return Math.min(...times);
    });
    // Twenty times as much; a square of it would be four hundred.
    expect(large).toBeLessThan(Math.max(1, small ?? 0) * 100);
  }
});
