import { expect, test } from 'vitest';
import type { Frame } from '../event/types.ts';
import { firstInAppIndex, frameFunction, frameLocation, looksMinified, stackRows, stackText } from './frames.ts';

const frame = (fields: Partial<Frame>): Frame => ({
  filename: 'app.ts',
  absPath: null,
  module: null,
  package: null,
  platform: null,
  function: 'run',
  rawFunction: null,
  lineNo: 1,
  colNo: null,
  inApp: false,
  context: [],
  vars: null,
  instructionAddr: null,
  symbolAddr: null,
  trust: null,
  data: null,
  sourceLink: null,
  ...fields,
});
const own = (name: string): Frame => frame({ function: name, inApp: true });
const foreign = (name: string): Frame => frame({ function: name });
const summary = (rows: ReturnType<typeof stackRows>): string[] =>
  rows.map((row) =>
    row.kind === 'frame'
      ? `${row.frame.function}${row.open ? '*' : ''}`
      : row.kind === 'folded'
        ? `(${row.frames.length})`
        : `…${row.count}`,
  );

test('newest first, the newest own frame open, runs of others folded, the thrower visible', () => {
  const frames = [
    foreign('boot'),
    foreign('loop'),
    own('page'),
    foreign('map'),
    own('price'),
    foreign('get'),
    foreign('throw'),
  ];
  expect(summary(stackRows(frames))).toEqual(['throw', '(1)', 'price*', '(1)', 'page', '(2)']);
});

test('without own frames nothing is folded and the newest is open', () => {
  expect(summary(stackRows([foreign('a'), foreign('b')]))).toEqual(['b*', 'a']);
  expect(stackRows([])).toEqual([]);
  expect(firstInAppIndex([])).toBe(-1);
});

test('frames that the SDK left out have a row in their place', () => {
  expect(summary(stackRows([own('old'), own('new')], [1, 40]))).toEqual(['new*', '…39', 'old']);
});

test('location and name stand even when parts are missing', () => {
  expect(frameLocation(frame({ lineNo: 42, colNo: 13 }))).toBe('app.ts:42:13');
  expect(frameLocation(frame({ filename: null, module: 'app.price', lineNo: null, colNo: 9 }))).toBe('app.price');
  expect(frameFunction(frame({ function: '?' }))).toBe('<anonymous>');
});

test('minified code is told by its columns, with or without its long line', () => {
  const minified = frame({ filename: 'https://x/chunk-3f.js', colNo: 20411 });
  expect(looksMinified(minified)).toBe(true);
  expect(looksMinified({ ...minified, context: [[1, '{snip} e.price {snip}']] })).toBe(true);
  expect(looksMinified({ ...minified, context: [[1, 'return item.price;']] })).toBe(false);
  expect(looksMinified(frame({ filename: 'https://x/app.js', colNo: 12, context: [[1, '{snip} a {snip}']] }))).toBe(
    false,
  );
});

test('the text reads like the one of V8', () => {
  expect(
    stackText('TypeError', 'x is null', [
      own('main'),
      frame({ function: 'get', absPath: '/srv/a.ts', lineNo: 3, colNo: 9 }),
    ]),
  ).toBe('TypeError: x is null\n    at get (/srv/a.ts:3:9)\n    at main (app.ts:1)');
});
