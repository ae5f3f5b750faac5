import { expect, test } from 'vitest';
import { explanationTitle, frameWords, reason, treeRows, type ExplainedNode } from './tree.ts';

const frame = (value: string, why?: string): ExplainedNode => ({
  id: 'frame',
  name: 'frame',
  contributes: why === undefined,
  ...(why !== undefined && { why }),
  children: [
    { id: 'filename', name: 'file', contributes: false, value: 'app.js' },
    { id: 'function', name: 'function', contributes: why === undefined, value },
  ],
});
const leaf = (name: string, contributes = true): ExplainedNode => ({ id: name, name, contributes, value: name });

test('frames that counted come first, the newest before the older; the others are one row for each reason', () => {
  const foreign = 'not used: not the project’s own code';
  const rows = treeRows([
    frame('listen', foreign),
    frame('route'),
    frame('next', foreign),
    frame('price'),
    frame('<anonymous>', 'not used: no real name'),
  ]);
  expect(rows.map((row) => (row.kind === 'node' ? frameWords(row.node) : `${row.words}: ${row.why}`))).toEqual([
    'price',
    'route',
    'app.js · <anonymous>',
    '2 frames not used: not the project’s own code',
  ]);
});

test('parts that are no frames keep their order, and a part without a reason is still shown', () => {
  const rows = treeRows([leaf('a', false), leaf('type'), leaf('b', false), leaf('value')]);
  expect(rows.map((row) => (row.kind === 'node' ? row.node.name : `${row.words}|${row.why}`))).toEqual([
    'type',
    'value',
    '2 parts not used|',
  ]);
  expect(treeRows([])).toEqual([]);
});

test('a reason does not say twice that something was not used', () => {
  expect(['not used: the stack says more', 'no file', ''].map(reason)).toEqual(['the stack says more', 'no file', '']);
});

test('a hash is named by its error and the newest frame that counted, or by what else it has', () => {
  const stack: ExplainedNode = {
    id: 'stacktrace',
    name: 'stack',
    contributes: true,
    children: [frame('route'), frame('price')],
  };
  const exception: ExplainedNode = {
    id: 'exception',
    name: 'exception',
    contributes: true,
    children: [leaf('type'), stack],
  };
  const variant = (child: ExplainedNode): ExplainedNode => ({
    id: 'app',
    name: 'own code',
    contributes: true,
    children: [child],
  });
  expect(explanationTitle([variant(exception), variant(stack)])).toBe('type · price · app.js');
  expect(explanationTitle([{ ...variant(exception), contributes: false }, variant(leaf('message'))])).toBe('message');
  expect(explanationTitle([leaf('fingerprint')])).toBe('fingerprint');
  expect(explanationTitle([])).toBe('');
});
