/** Debug files from their chunks to the frames of events. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Event } from '../../process/steps/event.ts';
import { debugWorkOf, stacksToMap } from '../../process/steps/symbolicate/index.ts';
import { listDebugFiles } from './index.ts';
import { createSymbolicator } from './symbolicator.ts';
import { makeZip } from './testing/bundle.ts';
import { openUploads, type Uploads } from './testing/uploads.ts';

let uploads: Uploads;
beforeEach(async () => {
  uploads = await openUploads();
});
afterEach(async () => {
  expect(uploads.failures).toEqual([]);
  await uploads[Symbol.asyncDispose]();
});

const mapping = `com.example.shop.Cart -> a.b:
# {"id":"sourceFile","fileName":"Cart.java"}
    1:3:void com.example.shop.Till.open(int):2:4 -> a
    1:3:void order():6:6 -> a
com.example.shop.OutOfStock -> a.c:
`;
const cart =
  'package com.example.shop;\n\nclass Cart {\n  int stock;\n  void order() {\n    new Till().open(stock);\n  }\n}\n';

const addMapping = (debugId: string, text: string | Buffer = mapping) =>
  uploads.upload(Buffer.from(text), { debugFile: { name: `/proguard/${debugId}.txt`, debugId } });

function sourceBundle(debugId: string, files: Readonly<Record<string, string>>): Buffer {
  const manifest = Object.keys(files).map((path, at) => [`files/${at}`, { type: 'source', path, url: `~/${path}` }]);
  return makeZip([
    { name: 'manifest.json', content: JSON.stringify({ debug_id: debugId, files: Object.fromEntries(manifest) }) },
    ...Object.values(files).map((content, at) => ({ name: `files/${at}`, content, deflate: true })),
  ]);
}

const addSources = (debugId: string, files: Readonly<Record<string, string>>) =>
  uploads.upload(sourceBundle(debugId, files), { debugFile: { name: `${debugId}.zip`, debugId: '' } });

async function mapped(event: Event) {
  const symbolicator = createSymbolicator({ state: uploads.state, blobs: uploads.blobs });
  const { release = '', dist = '' } = event;
  const request = { projectId: uploads.projectId, release, dist, stacks: stacksToMap(event), work: debugWorkOf(event) };
  const [result] = await symbolicator.symbolicate([request]);
  await symbolicator.flush(true);
  return result;
}

const base = { event_id: 'e', type: 'error', level: 'error', timestamp: 0, received: 0, tags: [] };

const obfuscated = (uuid: string, jvm?: string): Event => ({
  ...base,
  platform: 'java',
  release: 'com.example.shop@1.0',
  exception: {
    values: [
      {
        type: 'c',
        module: 'a',
        stacktrace: {
          frames: [
            { module: 'java.lang.Thread', function: 'run', filename: 'Thread.java', lineno: 840, in_app: false },
            { module: 'a.b', function: 'a', filename: 'SourceFile', lineno: 2, in_app: false },
          ],
        },
      },
    ],
  },
  debug_meta: {
    images: [{ type: 'proguard', uuid }, ...(jvm ? [{ type: 'jvm', debug_id: jvm }] : [])],
  },
});

const spelled = (event: Event): string[] =>
  event.exception?.values[0]?.stacktrace?.frames.map((one) => `${one.module}.${one.function}:${one.lineno}`) ?? [];

test('obfuscated frames become those that were written, the exception and their lines too', async () => {
  const [uuid, jvm] = [randomUUID(), randomUUID()];
  expect(await addMapping(uuid)).toMatchObject({ state: 'ok' });
  expect(await addSources(jvm, { 'com/example/shop/Cart.jvm': cart })).toMatchObject({ state: 'ok' });
  expect(uploads.indexed.flatMap(({ debugIds }) => debugIds)).toEqual([uuid, jvm]);
  const event = obfuscated(uuid, jvm);
  expect(await mapped(event)).toMatchObject({ mapped: 2 });
  expect(spelled(event)).toEqual([
    'java.lang.Thread.run:840',
    'com.example.shop.Cart.order:6',
    'com.example.shop.Till.open:3',
  ]);
  expect(event.exception?.values[0]).toMatchObject({ type: 'OutOfStock', module: 'com.example.shop' });
  const frame = event.exception?.values[0]?.stacktrace?.frames[1];
  expect(frame).toMatchObject({
    filename: 'Cart.java',
    context_line: '    new Till().open(stock);',
    pre_context: ['package com.example.shop;', '', 'class Cart {', '  int stock;', '  void order() {'],
    in_app: true,
    data: { raw: { filename: 'SourceFile', lineno: 2, function: 'a.b.a' }, sourcemap: `${uuid}.txt` },
  });
  const files = await listDebugFiles(uploads.state, uploads.projectId, { offset: 0, limit: 9 });
  expect(files.map(({ kind, entries, framesResolved }) => [kind, entries, framesResolved])).toEqual(
    expect.arrayContaining([
      ['mapping', 2, 1],
      ['sources', 1, 1],
    ]),
  );
});

test('mapping an event twice changes nothing more', async () => {
  const uuid = randomUUID();
  await addMapping(uuid);
  const event = obfuscated(uuid);
  await mapped(event);
  const before = structuredClone(event);
  await mapped(event);
  expect(event).toEqual(before);
});

test('what is not there is named, so that it can come late', async () => {
  const [uuid, jvm] = [randomUUID(), randomUUID()];
  const event = obfuscated(uuid, jvm);
  expect(await mapped(event)).toEqual({ mapped: 0, missing: [uuid, jvm] });
  for (const { stacktrace } of event.exception?.values ?? [])
    for (const one of stacktrace?.frames ?? []) one.in_app = true;
  expect(await mapped(event)).toEqual({ mapped: 0, missing: [uuid, jvm, '~sources'] });
  expect(spelled(event)).toEqual(['java.lang.Thread.run:840', 'a.b.a:2']);
});

test('one mapping under the ids of two builds, and a mapping of another project is not taken', async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  await addMapping(one);
  expect(await addMapping(two)).toMatchObject({ state: 'ok' });
  for (const uuid of [one, two]) {
    const event = obfuscated(uuid);
    await mapped(event);
    expect(spelled(event)).toContain('com.example.shop.Cart.order:6');
  }
  const request = {
    projectId: uploads.projectId + 1,
    release: '',
    dist: '',
    stacks: [],
    work: debugWorkOf(obfuscated(one)),
  };
  const symbolicator = createSymbolicator({ state: uploads.state, blobs: uploads.blobs });
  expect(await symbolicator.symbolicate([request])).toMatchObject([{ mapped: 0 }]);
});

test('sources of a release give lines to Go frames without any', async () => {
  const manifest = { files: { 'files/0': { type: 'source', url: '~/internal/cart/cart.go' } } };
  const content = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\r\n');
  const bundle = makeZip([
    { name: 'manifest.json', content: JSON.stringify(manifest) },
    { name: 'files/0', content },
  ]);
  expect(await uploads.upload(bundle, { release: 'shop@1' })).toMatchObject({ state: 'ok' });
  const frame = {
    function: 'At',
    filename: 'cart.go',
    abs_path: '/build/internal/cart/cart.go',
    lineno: 2,
    in_app: true,
  };
  const library = { ...frame, abs_path: '/go/pkg/mod/x/internal/cart/cart.go' };
  const event: Event = {
    ...base,
    platform: 'go',
    release: 'shop@1',
    stacktrace: { frames: [{ ...library }, { ...frame }] },
  };
  expect(await mapped(event)).toMatchObject({ mapped: 1 });
  expect(event.stacktrace?.frames[0]?.context_line).toBeUndefined();
  expect(event.stacktrace?.frames[1]).toMatchObject({ pre_context: ['line 1'], context_line: 'line 2' });
  expect(event.stacktrace?.frames[1]?.post_context).toHaveLength(5);
});

test('native frames get lines by the debug id of their image', async () => {
  const id = randomUUID();
  await addSources(id, { '/home/ci/shop/src/lib.rs': 'fn a() {}\nfn b() {}\n' });
  const frame = { function: 'b', filename: 'lib.rs', abs_path: '/home/ci/shop/src/lib.rs', lineno: 2 };
  const image = { type: 'elf', debug_id: id, image_addr: '0x1000', image_size: 4096 };
  const at = (instruction_addr: string): Event => ({
    ...base,
    platform: 'native',
    stacktrace: { frames: [{ ...frame, instruction_addr }] },
    debug_meta: { images: [image] },
  });
  const event = at('0x1010');
  expect(await mapped(event)).toMatchObject({ mapped: 1 });
  expect(event.stacktrace?.frames[0]?.context_line).toBe('fn b() {}');
  expect(await mapped(at('0x3000'))).toMatchObject({ mapped: 0 });
});

describe('what is refused says why', () => {
  const name = `${randomUUID()}.zip`;
  test.each([
    ['an ELF file', Buffer.from('\x7fELF........', 'latin1'), /native debug files .* not supported/],
    ['a PDB', Buffer.from('Microsoft C/C++ MSF 7.00\r\n', 'latin1'), /native debug files/],
    ['text', Buffer.from('hello'), /neither a ProGuard mapping nor a source bundle/],
    ['a bundle without sources', sourceBundle(randomUUID(), {}), /no source files/],
    ['a bundle without debug id', sourceBundle('', { 'a.java': 'x' }), /no debug ID/],
    ['a mapping without id', Buffer.from(mapping), /no UUID/],
  ])('%s', async (_what, bytes, detail) => {
    expect(await uploads.upload(bytes, { debugFile: { name, debugId: '' } })).toMatchObject({
      state: 'error',
      detail: expect.stringMatching(detail),
    });
  });

  test('a zip bomb of sources', async () => {
    const bomb = makeZip([
      {
        name: 'manifest.json',
        content: JSON.stringify({ debug_id: randomUUID(), files: { a: { type: 'source', url: '~/a.java' } } }),
      },
      { name: 'a', content: Buffer.alloc(1), deflate: true, bytes: 400 * 1024 * 1024 },
    ]);
    expect(await uploads.upload(bomb, { debugFile: { name, debugId: '' } })).toMatchObject({ state: 'error' });
  });
});
