import { expect, test } from 'vitest';
import type { GroupingNode } from '../../features/event/types.ts';
import { frameWords, groupingRows } from './grouping-rows.ts';

const node = (name: string, contributes: boolean, children?: GroupingNode[]): GroupingNode => ({
  id: 'part',
  name,
  contributes,
  value: name,
  ...(children && { children }),
});

test('neighbours that did not count become one row, a single one stays', () => {
  const rows = groupingRows([
    node('a', false),
    node('b', true),
    node('c', false),
    node('d', false),
    node('e', true),
    node('f', false),
    node('g', false),
  ]);
  expect(rows.map((row) => (row.kind === 'node' ? row.node.name : row.nodes.length))).toEqual(['a', 'b', 2, 'e', 2]);
});

test('a call is named by what counted in it', () => {
  expect(frameWords(node('frame', true, [node('module', true), node('file', false), node('fn', true)]))).toBe(
    'module · fn',
  );
  expect(frameWords(node('frame', false, [node('file', false)]))).toBe('file');
  expect(frameWords(node('frame', true))).toBe('');
});
