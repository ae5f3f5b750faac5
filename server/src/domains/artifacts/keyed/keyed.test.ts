import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pool } from '../lookup/pool.ts';
import {
  buildKeyed,
  findSource,
  inOrder,
  type KeyedFile,
  looksLikeMapping,
  mappingTexts,
  openKeyed,
  pathKey,
} from './index.ts';

async function fileOf(texts: readonly { readonly key: string; readonly text: string }[]): Promise<KeyedFile> {
  const ordered = inOrder(texts.map(({ key, text }) => ({ key: Buffer.from(key), text: Buffer.from(text) })));
  const bytes = Buffer.concat([...((await buildKeyed(ordered)) ?? [])]);
  return openKeyed(async (start, length) => bytes.subarray(start, start + length), new Pool(64 * 1024));
}

test('what was written is found under its key, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), { maxLength: 60 }),
      fc.string({ maxLength: 40 }),
      async (keys, other) => {
        const file = await fileOf(keys.map((key, index) => ({ key, text: key.repeat(index * 100) })));
        for (const [index, key] of keys.entries())
          expect((await file.get(Buffer.from(key)))?.toString()).toBe(Buffer.from(key.repeat(index * 100)).toString());
        if (!keys.includes(other)) expect(await file.get(Buffer.from(other))).toBeUndefined();
      },
    ),
    { numRuns: 30 },
  );
});

test('a source is found by a path that begins elsewhere', async () => {
  const paths = [
    'internal/cart/cart.go',
    'internal/cart/internal/cart.go',
    'main.go',
    '~/com/example/Cart.jvm',
    'a/x.rs',
    'b/x.rs',
  ];
  const file = await fileOf(paths.map((path) => ({ key: pathKey(path) ?? '', text: path })));
  const find = async (path: string, bare = false) => (await findSource(file, path, bare))?.toString();
  expect(await find('/build/shop/internal/cart/cart.go')).toBe('internal/cart/cart.go');
  expect(await find('example.com/shop@v1.2.0/internal/cart/cart.go')).toBe('internal/cart/cart.go');
  expect(await find('cart/cart.go')).toBe('internal/cart/cart.go');
  expect(await find('com/example/Cart.jvm')).toBe('~/com/example/Cart.jvm');
  // A bare name says little: only for code that is the project's own.
  expect(await find('/go/lib/main.go')).toBeUndefined();
  expect(await find('/build/shop/main.go', true)).toBe('main.go');
  expect(await find('x.rs', true)).toBeUndefined();
  expect(await find('../../../etc/passwd')).toBeUndefined();
  expect(await find('')).toBeUndefined();
});

test('damaged files are told from good ones', async () => {
  const open = (bytes: Uint8Array) =>
    openKeyed(async (start, length) => bytes.subarray(start, start + length), new Pool(1024));
  await expect(open(Buffer.from('nonsense that is long enough'))).rejects.toThrow('no keyed file');
  const good = Buffer.concat([...((await buildKeyed([{ key: Buffer.from('a'), text: Buffer.alloc(9) }])) ?? [])]);
  await expect(open(good.subarray(0, 18))).rejects.toThrow(/damaged|truncated/);
  const cut = await open(good.subarray(0, good.length - 3));
  await expect(cut.get(Buffer.from('a'))).rejects.toThrow(/truncated/);
});

test('a mapping is cut into its classes', () => {
  const text =
    '# compiler: R8\ncom.a.B -> a.b:\n# {"id":"sourceFile","fileName":"B.kt"}\n    void x() -> a\ncom.a.C -> a.a:\n';
  const read = mappingTexts(Buffer.from(text));
  expect(read?.classes).toBe(2);
  expect(read?.texts.map(({ key }) => Buffer.from(key).toString())).toEqual(['ca.a', 'ca.b', 'scom.a.B']);
  expect(looksLikeMapping(Buffer.from(text))).toBe(true);
  expect(looksLikeMapping(Buffer.from('hello\nworld'))).toBe(false);
  expect(looksLikeMapping(Buffer.from('a -> b:\0'))).toBe(false);
});

test('50 MB are cut in seconds, by lines without end too', { timeout: 60_000 }, () => {
  const lines = Array.from(
    { length: 60 },
    (_, at) => `    ${at}:${at}:void method${at}(int):${at}:${at} -> m${at}\n`,
  ).join('');
  const parts = Array.from(
    { length: 20_000 },
    (_, at) => `com.example.pack${at % 100}.Class${at} -> a.c${at}:\n${lines}`,
  );
  const mapping = Buffer.from(parts.join(''));
  expect(mapping.length).toBeGreaterThan(45_000_000);
  expect(mappingTexts(mapping)?.classes).toBe(20_000);
  expect(mappingTexts(Buffer.alloc(50_000_000, 'a'))?.classes).toBe(0);
});
