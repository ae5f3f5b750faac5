import { expect, test } from 'vitest';
import type { Frame } from '../event/types.ts';
import { firstInAppIndex, frameFunction, frameLocation, looksMinified, stackRows } from './frames.ts';

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
  rows.map((row) => {
    if (row.kind === 'frame') return row.frames[0]?.frame.function ?? '';
    if (row.kind === 'folded') return `(${row.count})`;
    return row.kind === 'repeated' ? `${row.frames.length / row.times}×${row.times}` : `…${row.count}`;
  });

test('newest first, runs of others folded, the thrower visible', () => {
  const frames = [
    foreign('boot'),
    foreign('loop'),
    own('page'),
    foreign('map'),
    own('price'),
    foreign('get'),
    foreign('throw'),
  ];
  expect(summary(stackRows(frames))).toEqual(['throw', '(1)', 'price', '(1)', 'page', '(2)']);
});

test('without own frames nothing is folded, and the newest is opened', () => {
  expect(summary(stackRows([foreign('a'), foreign('b')]))).toEqual(['b', 'a']);
  expect(stackRows([])).toEqual([]);
  expect(firstInAppIndex([foreign('a'), foreign('b')])).toBe(1);
  expect(firstInAppIndex([])).toBe(-1);
});

test('frames that the SDK left out have a row in their place', () => {
  expect(summary(stackRows([own('old'), own('new')], [1, 40]))).toEqual(['new', '…39', 'old']);
});

const times = (count: number, ...frames: Frame[]): Frame[] => Array.from({ length: count }, () => frames).flat();

test('calls that recur stand once with their count, cycles too', () => {
  expect(summary(stackRows([own('main'), ...times(250, own('again'))]))).toEqual(['again', '1×249', 'main']);
  expect(summary(stackRows(times(5, own('odd'), own('even'))))).toEqual(['even', 'odd', '2×4']);
  expect(summary(stackRows([own('x'), ...times(3, own('a'), own('b'), own('c'))]))).toEqual([
    'c',
    'b',
    'a',
    '3×2',
    'x',
  ]);
  expect(summary(stackRows(times(3, own('twice'))))).toEqual(['twice', 'twice', 'twice']);
  const lines = Array.from({ length: 9 }, (_, line) => frame({ function: 'walk', inApp: true, lineNo: line }));
  expect(stackRows(lines)).toHaveLength(9);
});

test('recurring calls of others fold within their row, and stand alone in the full view', () => {
  const frames = [own('main'), ...times(40, foreign('emit')), own('handler')];
  expect(summary(stackRows(frames))).toEqual(['handler', '(40)', 'main']);
  expect(summary(stackRows(frames, null, true))).toEqual(['handler', 'emit', '1×39', 'main']);
});

test('a cycle ends where frames were left out', () => {
  expect(summary(stackRows(times(20, own('a')), [9, 700]))).toEqual(['a', '1×10', '…691', 'a', '1×8']);
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
