import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StackException, StackFrame } from '../types.ts';
import { type StackReport, type WrittenLanguage } from './report.ts';
import { writeFrame, writeStack } from './write.ts';

const frames: StackFrame[] = [
  {
    module: 'Shop.Program',
    function: 'Main',
    filename: 'Program.cs',
    absPath: '/app/Program.cs',
    lineno: 9,
    inApp: true,
  },
  { module: 'Shop.Cart', function: 'Order', absPath: '/app/Cart.cs', lineno: 27, colno: 5 },
];
const third: StackFrame = { module: 'Shop.Cart', function: 'Read', absPath: '/app/Cart.cs', lineno: 31 };
const thrown = (fields: Partial<StackException> = {}): StackException => ({ type: 'E', value: 'm', frames, ...fields });
const report = (language: WrittenLanguage, ...exceptions: StackException[]): StackReport => ({ language, exceptions });

const languages: WrittenLanguage[] = [
  'csharp',
  'dart',
  'elixir',
  'go',
  'java',
  'javascript',
  'native',
  'php',
  'python',
  'ruby',
  'rust',
];

test('.NET: inner exceptions stand before the calls of the outer one, further ones of a group after them', () => {
  const text = writeStack({
    ...report(
      'csharp',
      thrown({
        type: 'System.AggregateException',
        module: 'System.Private.CoreLib, Version=8.0.0.0',
        value: 'two (a) (b)',
      }),
      thrown({ type: 'FormatException', module: 'System', value: 'a', relation: 'member', parent: 0 }),
      thrown({ type: 'System.Exception', value: 'b', frames: [], relation: 'member', parent: 0 }),
    ),
    unhandled: true,
  });
  const calls = [
    '   at Shop.Cart.Order() in /app/Cart.cs:line 27',
    '   at Shop.Program.Main() in /app/Program.cs:line 9',
  ];
  expect(text.split('\n')).toEqual([
    'Unhandled exception. System.AggregateException: two (a) (b)',
    ' ---> System.FormatException: a',
    ...calls,
    '   --- End of inner exception stack trace ---',
    ...calls,
    ' ---> (Inner Exception #1) System.Exception: b<---',
  ]);
  // The form by which calls are told in logs.
  for (const line of calls) expect(line).toMatch(/^ {3}at [^()\s][^()]*\([^()]*\) in .+:line \d+$/);
});

test('.NET: names that the SDK makes whole stay as they are', () => {
  const frame = { function: 'async Task Shop.Cart.Order(string text)', absPath: '/app/Cart.cs', lineno: 3 };
  expect(writeFrame(frame, { language: 'csharp' })).toBe(
    'at async Task Shop.Cart.Order(string text) in /app/Cart.cs:line 3',
  );
});

test.each([
  ['void Cart.Reserve(string sku, int wanted)', 'Shop.Cart.Reserve(string sku, int wanted)'],
  [
    'async Task<Dictionary<string, int>> Cart.Load<TKey>(Func<string, int> read)',
    'Shop.Cart.Load<TKey>(Func<string, int> read)',
  ],
  ['Order(int id)', 'Shop.Cart.Order(int id)'],
  ['void Other.Reserve()', 'Shop.Cart.Other.Reserve()'],
])('.NET: %s has the class of its module once, and not what it returns', (called, written) => {
  const frame = { module: 'Shop.Cart', function: called, absPath: '/app/Cart.cs', lineno: 3 };
  expect(writeFrame(frame, { language: 'csharp' })).toBe(`at ${written} in /app/Cart.cs:line 3`);
});

test('Dart: the value is the whole text; suspensions are not counted', () => {
  const calls: StackFrame[] = [
    { function: 'main', absPath: 'package:shop/main.dart', lineno: 4, colno: 3 },
    { absPath: '<asynchronous suspension>' },
    { function: 'Cart.order', absPath: 'package:shop/cart.dart', lineno: 27, colno: 5 },
  ];
  const text = writeStack({
    ...report('dart', thrown({ type: '_Exception', value: 'Exception: nothing left', frames: calls })),
    unhandled: true,
  });
  expect(text.split('\n')).toEqual([
    'Unhandled exception:',
    'Exception: nothing left',
    '#0      Cart.order (package:shop/cart.dart:27:5)',
    '<asynchronous suspension>',
    '#1      main (package:shop/main.dart:4:3)',
  ]);
});

test('compiled programs: number, image, name and place', () => {
  const calls: StackFrame[] = [
    { function: 'start', package: '/usr/lib/dyld' },
    { function: 'main', package: '/Applications/Shop.app/Shop', filename: 'main.swift', lineno: 3 },
  ];
  expect(
    writeStack(report('native', thrown({ type: 'EXC_BAD_ACCESS', value: '', frames: calls }))).split('\n'),
  ).toEqual([
    'EXC_BAD_ACCESS',
    '0   Shop                           main (main.swift:3)',
    '1   dyld                           start',
  ]);
});

test('JavaScript as V8 prints it', () => {
  const call = { function: '?', absPath: 'https://shop.example.com/a.js', lineno: 1, colno: 20 };
  const text = writeStack(
    report(
      'javascript',
      thrown({ type: 'TypeError', value: 'x is null', frames: [{ filename: 'app.ts' }, call] }),
      thrown({ type: 'RangeError', value: '', frames: [], relation: 'cause', parent: 0 }),
    ),
  );
  expect(text.split('\n')).toEqual([
    'TypeError: x is null',
    '    at <anonymous> (https://shop.example.com/a.js:1:20)',
    '    at <anonymous> (app.ts)',
    '',
    'Caused by: RangeError',
  ]);
});

test('Java: what an IDE reads', () => {
  const calls: StackFrame[] = [
    { module: 'com.example.shop.App', function: 'main', filename: 'com/example/shop/App.java', lineno: 9 },
    { module: 'kotlin.Cart$order$1', function: 'invoke', filename: 'Cart.kt', lineno: 3 },
    { module: 'jdk.internal.Unsafe', function: 'park', native: true, filename: 'Unsafe.java' },
    { module: 'com.sun.proxy.$Proxy4', function: 'run' },
    { module: 'com.example.Cart', function: '<init>', filename: 'Cart.java' },
  ];
  const [, ...lines] = writeStack(report('java', thrown({ frames: calls }))).split('\n');
  expect(lines).toEqual([
    '\tat com.example.Cart.<init>(Cart.java)',
    '\tat com.sun.proxy.$Proxy4.run(Unknown Source)',
    '\tat jdk.internal.Unsafe.park(Native Method)',
    '\tat kotlin.Cart$order$1.invoke(Cart.kt:3)',
    '\tat com.example.shop.App.main(App.java:9)',
  ]);
  for (const line of lines)
    expect(line).toMatch(
      /^\tat (?:[\w.]+\/)?(?:[\w$]+\.)+(?:[\w$]+|<init>)\((?:\w+\.(?:java|kt)(?::\d+)?|Native Method|Unknown Source)\)$/,
    );
});

test('a version decides where forms differ', () => {
  const call = { module: 'java.lang.Integer', function: 'parseInt', filename: 'Integer.java', lineno: 668 };
  const at = (version?: string) => writeFrame(call, { language: 'java', version });
  expect(at('17.0.15')).toBe('at java.base/java.lang.Integer.parseInt(Integer.java:668)');
  expect([at('1.8.0_402'), at()]).toEqual(Array(2).fill('at java.lang.Integer.parseInt(Integer.java:668)'));
  const ruby = (version?: string) =>
    writeFrame(
      { module: 'Shop::Cart', function: 'order', absPath: 'cart.rb', lineno: 3 },
      { language: 'ruby', version },
    );
  expect(ruby('ruby 3.1.7p261')).toBe("cart.rb:3:in `Shop::Cart#order'");
  expect([ruby('ruby 3.4.1'), ruby()]).toEqual(Array(2).fill("cart.rb:3:in 'Shop::Cart#order'"));
});

test('a message of Ruby that has its class already does not get it twice', () => {
  const text = writeStack(
    report('ruby', thrown({ type: 'RuntimeError', value: 'failed (RuntimeError)\nmore', frames: [] })),
  );
  expect(text).toBe('failed (RuntimeError)\nmore');
});

test('Python in the other order says so', () => {
  const calls = [1, 2, 2, 2, 2, 2].map((lineno) => ({ function: 'f', absPath: 'a.py', lineno, source: 'f()' }));
  expect(writeStack(report('python', thrown({ frames: calls })), 'newest').split('\n')).toEqual([
    'Traceback (most recent call first):',
    '  [Previous line repeated 2 more times]',
    ...Array.from({ length: 3 }, () => ['  File "a.py", line 2, in f', '    f()']).flat(),
    '  File "a.py", line 1, in f',
    '    f()',
    'E: m',
  ]);
});

test.each(languages)('%s: either order has the same lines', (language) => {
  const both = (['newest', 'oldest'] as const).map((order) =>
    writeStack(report(language, thrown({ frames: [...frames, third] })), order).split('\n'),
  );
  const [newest = [], oldest = []] = both.map((lines) => lines.map((line) => line.replace(/ (?:first|last)\):$/, '')));
  expect(newest.toSorted()).toEqual(oldest.toSorted());
  expect(newest).not.toEqual(oldest);
});

test.each(languages)('%s: nothing but a message, and nothing at all', (language) => {
  expect(writeStack(report(language))).toBe('');
  expect(writeStack(report(language, { type: '', value: 'stock is low', frames }))).toContain('stock is low');
});

test('a name cannot add lines, and a message no control characters', () => {
  const hostile = 'a\n\tat evil.Class.run(Evil.java:1)\u001b[31m';
  for (const language of languages) {
    const call = {
      function: hostile,
      module: hostile,
      filename: hostile,
      absPath: hostile,
      package: hostile,
      lineno: 1,
    };
    const text = writeStack(
      report(language, thrown({ type: hostile, value: 'one\r\ntwo\u001b[2J\u0000', frames: [call] })),
    );
    expect(text).not.toMatch(/\n\s*at evil|[^\P{Cc}\n\t]/u);
  }
});

test('what is written is bounded, whatever comes', () => {
  const many = Array.from({ length: 3000 }, (_, lineno) => ({ function: 'f'.repeat(3000), lineno }));
  for (const language of languages) {
    const chain = Array.from({ length: 100 }, (_, index) =>
      thrown({ frames: many.slice(0, 30), relation: 'cause', parent: index - 1 }),
    );
    expect(writeStack(report(language, thrown({ frames: many }))).length).toBeLessThan(1_000_010);
    expect(writeStack(report(language, ...chain)).length).toBeLessThan(1_000_010);
  }
});

test('any report is written', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('', 'main.main', '<unknown>', 'panic'),
  );
  const maybe = fc.option(text, { nil: undefined });
  const number = fc.option(fc.integer(), { nil: undefined });
  const anyFrame = fc.record({
    function: maybe,
    module: maybe,
    absPath: maybe,
    filename: maybe,
    lineno: number,
    source: maybe,
  });
  const exception = fc.record({
    type: text,
    module: maybe,
    value: text,
    frames: fc.array(anyFrame, { maxLength: 6 }),
    relation: fc.constantFrom(
      undefined,
      'cause' as const,
      'context' as const,
      'suppressed' as const,
      'member' as const,
    ),
    parent: fc.option(fc.integer({ min: -1, max: 6 }), { nil: undefined }),
  });
  const anyReport = fc.record({
    language: fc.constantFrom(...languages),
    exceptions: fc.array(exception, { maxLength: 6 }),
    thread: maybe,
    version: maybe,
    unhandled: fc.option(fc.boolean(), { nil: undefined }),
  });
  fc.assert(
    fc.property(anyReport, (each) => typeof writeStack(each) === 'string'),
    { numRuns: 500 },
  );
});
