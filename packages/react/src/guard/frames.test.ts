import { expect, test } from 'vitest';
import { parseStack } from './frames.ts';

const frame = (fn: string, filename: string, lineno: number, colno: number) => ({
  filename,
  function: fn,
  lineno,
  colno,
  in_app: true,
});

test.each<[string, string, ReturnType<typeof frame>[]]>([
  [
    'Chromium',
    `TypeError: no (price)
    at price (https://shop.example/assets/(shop)/a.js:1:20411)
    at async Promise.all (index 0)
    at async load (https://shop.example/assets/a.js:2:3)
    at new Cart (https://shop.example/assets/a.js:3:4)
    at Object.go [as open] (https://shop.example/assets/a.js:4:5)
    at Array.map (<anonymous>)
    at eval (eval at run (https://shop.example/assets/a.js:5:6), <anonymous>:1:1)
    at async https://shop.example/assets/a.js:6:7
    at https://shop.example/assets/a.js:7:8`,
    [
      frame('?', 'https://shop.example/assets/a.js', 7, 8),
      frame('?', 'https://shop.example/assets/a.js', 6, 7),
      frame('Object.go [as open]', 'https://shop.example/assets/a.js', 4, 5),
      frame('new Cart', 'https://shop.example/assets/a.js', 3, 4),
      frame('load', 'https://shop.example/assets/a.js', 2, 3),
      frame('price', 'https://shop.example/assets/(shop)/a.js', 1, 20411),
    ],
  ],
  [
    'Firefox',
    `price@https://shop.example/node_modules/@scope/a.js:1:2
load/<@https://shop.example/a.js:3:4
run@https://shop.example/a.js line 5 > eval:1:1
@https://shop.example/a.js:7:8
`,
    [
      frame('?', 'https://shop.example/a.js', 7, 8),
      frame('load/<', 'https://shop.example/a.js', 3, 4),
      frame('price', 'https://shop.example/node_modules/@scope/a.js', 1, 2),
    ],
  ],
  [
    'Safari',
    `price@https://shop.example/a.js:1:2
map@[native code]
https://shop.example/a.js:3:4
global code@https://shop.example/a.js:5:6`,
    [
      frame('global code', 'https://shop.example/a.js', 5, 6),
      frame('?', 'https://shop.example/a.js', 3, 4),
      frame('price', 'https://shop.example/a.js', 1, 2),
    ],
  ],
  ['a blob', 'at a (blob:https://shop.example/1-2:3:4)', [frame('a', 'blob:https://shop.example/1-2', 3, 4)]],
  ['nothing', '', []],
  ['a message alone', 'Error: at home', []],
])('%s', (_name, stack, expected) => {
  expect(parseStack(stack)).toEqual(expected);
});

test('is bounded, and takes time in proportion', () => {
  expect(parseStack('at a (https://a/b.js:1:1)\n'.repeat(100_000))).toHaveLength(50);
  expect(parseStack(`at ${'a'.repeat(1_000_000)} (https://a/b.js:1:1)`)).toEqual([]);
  for (const part of ['a ', 'a:', 'a@', ' (', 'at ', ':1', 'a:b:1:1']) {
    parseStack(`${part.repeat(1023 / part.length)}\n`.repeat(50));
  }
});
