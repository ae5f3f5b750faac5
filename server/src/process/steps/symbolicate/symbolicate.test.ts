import { describe, expect, test } from 'vitest';
import type { Event, Frame } from '../event.ts';
import { markInApp } from '../in-app.ts';
import {
  isOwnSource,
  markMissing,
  missingScripts,
  parseDebugId,
  pathOf,
  type Script,
  scriptKey,
  type SourcePosition,
  sourcePath,
  stacksToMap,
  symbolicate,
} from './index.ts';

const debugId = '6f1c3b52-0a53-4a0e-9a0b-6c1f6b7f0001';
const url = 'https://shop.example.com/assets/index-BNZ.js';

const eventOf = (frames: Frame[], more: Partial<Event> = {}): Event => ({
  event_id: 'a'.repeat(32),
  type: 'error',
  level: 'error',
  platform: 'javascript',
  timestamp: 1,
  received: 1,
  tags: [],
  exception: { values: [{ type: 'Error', value: 'x', stacktrace: { frames } }] },
  ...more,
});
const images = (...pairs: [file: string, id: string][]) => ({
  images: pairs.map(([code_file, debug_id]) => ({ type: 'sourcemap', code_file, debug_id })),
});
const frame = (more: Frame = {}): Frame => ({
  abs_path: url,
  filename: '/assets/index-BNZ.js',
  lineno: 1,
  colno: 9,
  function: 'F',
  ...more,
});
const position = (more: Partial<SourcePosition> = {}): SourcePosition => ({
  source: '../../src/pricing.ts',
  sourceId: 0,
  line: 18,
  column: 34,
  name: undefined,
  functionName: undefined,
  ...more,
});
const scriptWith = (positions: readonly (SourcePosition | undefined)[], more: Partial<Script> = {}): Script => {
  let next = 0;
  return {
    mapUrl: 'index-BNZ.js.map',
    problem: '',
    lookup: {
      find: async () => positions[next++],
      context: async (_source, line) => ({ pre: [`line ${line - 1}`], line: `line ${line}`, post: [] }),
    },
    ...more,
  };
};

describe('which frames have a script to be mapped by', () => {
  const wantedOf = (one: Frame, more: Partial<Event> = {}) => stacksToMap(eventOf([one], more))[0]?.wanted[0];

  test.each<[what: string, frame: Frame, more: Partial<Event>, key: string | undefined]>([
    ['a script by URL', frame(), {}, '~/assets/index-BNZ.js'],
    ['a script by debug id', frame(), { debug_meta: images([url, debugId.toUpperCase()]) }, debugId],
    ['a debug id without hyphens', frame(), { debug_meta: images([url, debugId.replaceAll('-', '')]) }, debugId],
    ['a debug id that is none', frame(), { debug_meta: images([url, '1']) }, '~/assets/index-BNZ.js'],
    ['query and fragment', frame({ abs_path: `${url}?v=3#x` }), {}, '~/assets/index-BNZ.js'],
    ['an app of a shell', frame({ abs_path: 'app:///main.js' }), {}, '~/main.js'],
    [
      'a file of a server with a debug id',
      frame({ abs_path: '/srv/dist/server.mjs' }),
      { platform: 'node', debug_meta: images(['file:///srv/dist/server.mjs', debugId]) },
      debugId,
    ],
    [
      'a file of a server, which is the source',
      frame({ abs_path: '/srv/dist/server.mjs' }),
      { platform: 'node' },
      undefined,
    ],
    [
      'a file of a server far to the right',
      frame({ abs_path: '/srv/dist/server.mjs', colno: 4000 }),
      { platform: 'node' },
      '~/srv/dist/server.mjs',
    ],
    ['a source of a development server', frame({ abs_path: 'http://localhost:5173/src/App.tsx?t=1' }), {}, undefined],
    [
      'a library of a development server',
      frame({ abs_path: 'http://localhost:5173/node_modules/.vite/deps/react.js' }),
      {},
      undefined,
    ],
    ['a script in the page itself', frame({ abs_path: 'https://shop.example.com/cart' }), {}, undefined],
    ['the runtime', frame({ abs_path: 'node:internal/process/task_queues' }), { platform: 'node' }, undefined],
    [
      'an older name of the runtime',
      frame({ abs_path: 'internal/timers.js', colno: 900 }),
      { platform: 'node' },
      undefined,
    ],
    ['an extension', frame({ abs_path: 'chrome-extension://abc/content.js' }), {}, undefined],
    ['an extension of Safari', frame({ abs_path: 'safari-web-extension://abc/content.js' }), {}, undefined],
    ['a masked extension', frame({ abs_path: 'webkit-masked-url://hidden/' }), {}, undefined],
    ['no file', frame({ abs_path: '<anonymous>' }), {}, undefined],
    ['native code', frame({ abs_path: '[native code]' }), {}, undefined],
    ['eval', frame({ abs_path: 'eval at run (https://shop.example.com/a.js:1:1)' }), {}, undefined],
    ['WebAssembly', frame({ abs_path: 'https://shop.example.com/engine.wasm' }), {}, undefined],
    ['a function of WebAssembly', frame({ abs_path: 'wasm://wasm/1a2b' }), {}, undefined],
    ['mapped by the sender', frame({ data: { sourcemap: 'x.map' } }), {}, undefined],
    ['another language', frame({ abs_path: 'https://shop.example.com/a.js' }), { platform: 'python' }, undefined],
  ])('%s', (_what, one, more, key) => {
    const wanted = wantedOf(one, more);
    expect(wanted && scriptKey(wanted)).toBe(key);
  });

  test('frames beyond a thousand are left as they are', () => {
    const stacks = stacksToMap(eventOf(Array.from({ length: 1_200 }, () => frame())));
    expect(stacks[0]?.wanted.filter((one) => one !== undefined)).toHaveLength(1_000);
  });

  test('threads and the event itself have stacks too', () => {
    const event = eventOf([frame()], {
      threads: { values: [{ stacktrace: { frames: [frame()] } }] },
      stacktrace: { frames: [frame()] },
    });
    expect(stacksToMap(event)).toHaveLength(3);
  });
});

describe('a frame that is mapped', () => {
  test('has file, line, column, function and lines around it, and keeps what was sent', async () => {
    const one = frame({ module: 'assets/index', context_line: 'a(){b}{snip}' });
    const stacks = stacksToMap(eventOf([one]));
    const { mapped, missing } = await symbolicate(stacks, () =>
      scriptWith([position({ functionName: 'applyCoupon' })]),
    );
    expect([...mapped.values()]).toEqual([1]);
    expect(missing).toEqual([]);
    expect(JSON.parse(JSON.stringify(one))).toEqual({
      abs_path: '../../src/pricing.ts',
      filename: 'src/pricing.ts',
      lineno: 18,
      colno: 34,
      function: 'applyCoupon',
      pre_context: ['line 17'],
      context_line: 'line 18',
      post_context: [],
      data: {
        sourcemap: 'index-BNZ.js.map',
        raw: { abs_path: url, filename: '/assets/index-BNZ.js', lineno: 1, colno: 9, function: 'F' },
      },
    });
  });

  test.each<[what: string, caller: Partial<SourcePosition>, sent: string, shown: string]>([
    ['what its caller calls', { name: 'applyCoupon' }, 'F', 'applyCoupon'],
    ['not what a library calls what it is given', { name: 'callback', source: '../node_modules/x/y.js' }, 'F', 'F'],
    ['its own name, which nobody shortened', { name: 'call' }, 'onClick', 'onClick'],
    ['what was sent where the caller says nothing', {}, 'F', 'F'],
  ])('is named after %s', async (_what, caller, sent, shown) => {
    const frames = [frame({ function: 'G' }), frame({ function: sent })];
    await symbolicate(stacksToMap(eventOf(frames)), () => scriptWith([position(caller), position()]));
    expect(frames[1]?.function).toBe(shown);
  });

  test('without the text of its source says so', async () => {
    const one = frame({ context_line: 'minified' });
    const script = scriptWith([position()]);
    const without = { ...script, lookup: script.lookup && { ...script.lookup, context: async () => undefined } };
    await symbolicate(stacksToMap(eventOf([one])), () => without);
    expect(one).toMatchObject({ lineno: 18, data: { unresolved: { code: 'no_source' } } });
    expect(one.context_line).toBeUndefined();
  });

  test.each([
    ['../../src/pricing.ts', true],
    ['webpack://_N_E/./app/page.tsx', true],
    ['turbopack:///[project]/app/page.tsx', true],
    ['webpack:///./node_modules/react-dom/index.js', false],
    ['../../node_modules/react-dom/index.js', false],
    ['webpack://_N_E/webpack/bootstrap', false],
    ['turbopack:///[turbopack]/shared/runtime.ts', false],
  ])('is in-app by its source: %s', async (source, inApp) => {
    const one = frame({ in_app: !inApp });
    const event = eventOf([one]);
    await symbolicate(stacksToMap(event), () => scriptWith([position({ source })]));
    markInApp(event);
    expect(one.in_app).toBe(inApp);
    expect(isOwnSource(source)).toBe(inApp);
    // An event that is symbolicated again comes with the server's word.
    markInApp(event);
    expect(one).toMatchObject({ in_app: inApp, data: { orig_in_app: inApp ? 0 : 1 } });
  });
});

describe('a frame that could not be mapped says why, and what is missing is named once', () => {
  const failing = async (script: Script | undefined, one = frame()) => {
    const { missing } = await symbolicate(stacksToMap(eventOf([one, { ...one }])), () => script);
    return [one.data?.unresolved, missing];
  };
  const key = '~/assets/index-BNZ.js';

  test('nothing uploaded', async () => {
    expect(await failing(undefined)).toEqual([undefined, [key]]);
  });
  test('a script without a map', async () => {
    expect(await failing({ mapUrl: '', problem: '', lookup: undefined })).toEqual([{ code: 'no_map' }, [key]]);
  });
  test('a map that cannot be used', async () => {
    const script = { mapUrl: 'a.map', problem: 'mappings end in the middle', lookup: undefined };
    expect(await failing(script)).toEqual([{ code: 'map_invalid', detail: script.problem }, [key]]);
  });
  test('a place that the map does not know', async () => {
    expect(await failing(scriptWith([]))).toEqual([{ code: 'no_mapping' }, []]);
  });
  test('no column', async () => {
    expect(await failing(scriptWith([]), frame({ colno: undefined }))).toEqual([{ code: 'no_position' }, []]);
  });
  test('no artifact of the project at all: said where the event is read', () => {
    const frames = [frame(), frame({ data: { unresolved: { code: 'no_map' } } }), frame({ data: { sourcemap: 'x' } })];
    const event = eventOf(frames, { debug_meta: images([url, debugId]) });
    expect(missingScripts(stacksToMap(event))).toEqual([debugId]);
    expect(frames[0]?.data).toBeUndefined();
    markMissing(event);
    expect(frames.map(({ data }) => data)).toEqual([
      { unresolved: { code: 'no_artifact', debug_id: debugId } },
      { unresolved: { code: 'no_map' } },
      { sourcemap: 'x' },
    ]);
  });
  test('what a lookup throws changes no frame', async () => {
    const one = frame();
    const script = scriptWith([position()]);
    const broken = {
      ...script,
      lookup: script.lookup && { ...script.lookup, context: () => Promise.reject(new Error('gone')) },
    };
    await expect(symbolicate(stacksToMap(eventOf([one])), () => broken)).rejects.toThrow('gone');
    expect(one).toEqual(frame());
  });
});

test.each([
  ['../../src/App.tsx', 'src/App.tsx'],
  ['webpack://_N_E/./app/page.tsx?1a2b', 'app/page.tsx'],
  ['webpack:///./src/index.js', 'src/index.js'],
  ['webpack://my-app/./src/index.js', 'src/index.js'],
  ['webpack-internal:///(rsc)/./app/page.tsx', 'app/page.tsx'],
  ['turbopack:///[project]/app/page.tsx', 'app/page.tsx'],
  ['file:///home/ada/shop/src/a.ts', 'home/ada/shop/src/a.ts'],
  ['file:///shop/app/orders/%5Bid%5D/page.tsx', 'shop/app/orders/[id]/page.tsx'],
  ['webpack://shop/./src/100%/a.ts', 'src/100%/a.ts'],
  ['app/orders/%5Bid%5D/page.tsx', 'app/orders/[id]/page.tsx'],
  ['src/100%.ts', 'src/100%.ts'],
  ['\0vite/preload-helper%00.js', 'vite/preload-helper.js'],
  ['/home/ada/shop/src/a.ts', '/home/ada/shop/src/a.ts'],
  ['C:\\shop\\src\\a.ts', 'C:/shop/src/a.ts'],
  ['https://cdn.example.com/src/a.ts', 'src/a.ts'],
  ['src/b/.././a.ts', 'src/a.ts'],
  ['@acme/shop/./app/cart/page.tsx', 'app/cart/page.tsx'],
  ['@acme/shop/app/cart/page.tsx', 'app/cart/page.tsx'],
  ['webpack://@acme/shop/./app/cart/page.tsx', 'app/cart/page.tsx'],
  ['@acme/shop/../../node_modules/@sentry/core/index.js', 'node_modules/@sentry/core/index.js'],
  ['..', '..'],
  ['', ''],
])('the path of source %j is %j', (source, path) => {
  expect(sourcePath(source)).toBe(path);
});

test.each([
  ['https://a.example/x/y.js?z#w', '/x/y.js'],
  ['https://a.example', '/'],
  ['app:///x.js', '/x.js'],
  ['file:///srv/x.js', '/srv/x.js'],
  ['/srv/x.js', '/srv/x.js'],
])('the path of %j', (url, path) => {
  expect(pathOf(url)).toBe(path);
});

test.each([undefined, null, 7, '', 'x'.repeat(32), `${debugId}0`, 'z'.repeat(1_000_000)])(
  '%j is no debug id',
  (value) => {
    expect(parseDebugId(value)).toBeUndefined();
  },
);
