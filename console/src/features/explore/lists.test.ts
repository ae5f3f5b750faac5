import { expect, test } from 'vitest';
import { joinList, readCall, splitList, writeCall } from './lists.ts';

test.each([
  [undefined, []],
  ['', []],
  ['a', ['a']],
  ['a, b,,a,', ['a', 'b']],
  ['count(),p95(span.duration)', ['count()', 'p95(span.duration)']],
  ['count_if(a,equals,b),c', ['count_if(a,equals,b)', 'c']],
  ['tags[a,number],"x,y",z', ['tags[a,number]', '"x,y"', 'z']],
  [String.raw`"a\",b",c`, [String.raw`"a\",b"`, 'c']],
  ['a),b', ['a)', 'b']],
  ['a(,b', ['a(,b']],
])('%j is the list %j', (text, entries) => {
  expect(splitList(text)).toEqual(entries);
});

test('a list has an end', () => {
  expect(splitList(Array.from({ length: 100 }, (_, index) => `f${index}`).join(','))).toHaveLength(20);
  expect(splitList('('.repeat(100_000))).toHaveLength(1);
});

test('what is written is read again', () => {
  const list = ['count()', 'tags[a,b]'];
  expect(splitList(joinList(list))).toEqual(list);
  expect(joinList([])).toBeUndefined();
});

test('calls are read in their parts', () => {
  expect(readCall('count()')).toEqual({ name: 'count', args: [] });
  expect(readCall('percentile(tags[a,number],0.5)')).toEqual({ name: 'percentile', args: ['tags[a,number]', '0.5'] });
  expect(readCall('level')).toBeUndefined();
  expect(readCall('(x)')).toBeUndefined();
  expect(readCall('a b(x)')).toBeUndefined();
  expect(writeCall({ name: 'p95', args: ['x', 'y'] })).toBe('p95(x,y)');
});
