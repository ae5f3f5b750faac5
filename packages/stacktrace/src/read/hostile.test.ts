/** Texts that were made to cost much, or to be taken for what they are not. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StackLanguage, StackText } from '../types.ts';
import { readAnyStack, readStack } from './index.ts';

interface CpuUsage {
  readonly user: number;
  readonly system: number;
}
/** Of Node, where tests run; the package knows of no platform. */
declare const process: { threadCpuUsage(before?: CpuUsage): CpuUsage };

const languages: readonly StackLanguage[] = [
  'csharp',
  'elixir',
  'go',
  'java',
  'javascript',
  'php',
  'python',
  'ruby',
  'rust',
];

const size = 64 * 1024;
const filled = (piece: string): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

const header = 'Traceback (most recent call last):';

/** Lines and pieces of lines that nearly match, each over and over. */
const pieces = [
  ' in ',
  ': ',
  'a.',
  '(',
  '[',
  '<',
  "'",
  '"',
  '/',
  ' ---> ',
  '<---',
  '--- End of inner exception stack trace ---\n',
  'at a.b(',
  'at a/b/c/',
  '   at A.B() in /x:line ',
  '   at A.B() in x in x\n',
  'Caused by: a.B: x\n',
  'Caused by: a.B: x\n\tat a.b(C:1)\n\t... 9999 more\n',
  '\tSuppressed: a.B\n\t\tat a.b(C:1)\n',
  'Caused by: [CIRCULAR REFERENCE: a.B]\n',
  'Exception in thread "',
  '  File "a", line 1, in b\n',
  '  File "a", line 1, in b\n  [Previous line repeated 999999 more times]\n',
  `${header}\n  File "a", line 1, in b\nX: y\n\nDuring handling of the above exception, another exception occurred:\n\n`,
  `  + Exception Group ${header}\n  |   File "a", line 1, in b\n  | X: y\n  +-+---------------- 1 ----------------\n    | `,
  '  +-+---------------- 1 ----------------\n',
  'Traceback (most recent call last):\n',
  "\t1: from a:1:in `b'\n",
  "a:1:in `b': c (D)\n",
  'a:1:in `b',
  '#0 a(1): b()\n',
  '#0 a(1',
  'Next a\\B: c in d:1\nStack trace:\n#0 a(1): b()\n',
  '[object] (A(code: 0): ',
  'goroutine 1 [running]:\n',
  'main.a()\n\t/b.go:1 +0x1\n',
  'panic: x\n',
  'panic: (',
  "thread 'a' panicked at ",
  "thread 'a' panicked at 'x\n', a:1:1",
  '   0: a\n             at b:1:1\n',
  '   0: <<<<&&dyn a as b',
  'Caused by:\n    0: a\n',
  '** (A) b\n    (c 1.0) d.ex:1: E.f/1\n',
  '** (EXIT from ',
  '    (c 1.0) d.ex:1: ',
  'at a (b:1:1)\n',
  'a@b:1:',
  '\n',
  ' ',
  '\r\n',
  '\0',
  '\u{1f642}',
  '\ud800',
];

const starts: Readonly<Record<StackLanguage, string>> = {
  csharp: 'A.B: c\n   at A.B()\n',
  elixir: '** (A) b\n    (c 1.0) d.ex:1: E.f/1\n',
  go: 'panic: x\n\ngoroutine 1 [running]:\n',
  java: 'a.B: c\n\tat a.b(C.java:1)\n',
  javascript: 'Error: x\n    at a (b:1:1)\n',
  php: 'PHP Fatal error:  Uncaught A: b in /c:1\nStack trace:\n',
  python: 'Traceback (most recent call last):\n  File "a", line 1, in b\n',
  ruby: "a:1:in `b': c (D)\n",
  rust: "thread 'a' panicked at a:1:1:\nx\nstack backtrace:\n",
};

function checkBounds(read: StackText | undefined): void {
  const frames = read?.exceptions.reduce((sum, one) => sum + one.frames.length, 0) ?? 0;
  expect(read?.exceptions.length ?? 0).toBeLessThanOrEqual(50);
  expect(frames).toBeLessThanOrEqual(1500);
  for (const [place, { parent, value, type, frames: own }] of (read?.exceptions ?? []).entries()) {
    expect(parent === undefined ? place === 0 : parent < place).toBe(true);
    expect(value.length).toBeLessThanOrEqual(8 * 1024);
    expect(type.length).toBeLessThanOrEqual(2000);
    for (const { lineno } of own) expect(lineno === undefined || Number.isSafeInteger(lineno)).toBe(true);
  }
}

describe.each(languages)('%s', (language) => {
  test('64 kB of each are read at once', () => {
    let slowest = ['', 0] as [string, number];
    for (const piece of pieces) {
      const begun = Date.now();
      checkBounds(readStack(filled(piece), language));
      checkBounds(readStack(starts[language] + filled(piece), language));
      const ms = Date.now() - begun;
      if (ms > slowest[1]) slowest = [piece, ms];
    }
    // Reading either takes a few milliseconds; a machine with much else to do gets a second.
    expect(slowest[1], JSON.stringify(slowest[0])).toBeLessThan(1000);
  });

  test('twice the text takes about twice the time', () => {
    /** Of the processor, the least of some runs, ms. */
    const timeOf = (text: string): number => {
      const times = Array.from({ length: 3 }, () => {
        const begun = process.threadCpuUsage();
        readStack(text, language);
        const { user, system } = process.threadCpuUsage(begun);
        return (user + system) / 1_000;
      });
      return Math.min(...times);
    };
    for (const piece of pieces) {
      const text = starts[language] + filled(piece);
      const [once, twice] = [timeOf(text.slice(0, size / 2)), timeOf(text)];
      if (twice > 20) expect(twice / once, JSON.stringify(piece)).toBeLessThan(5);
    }
  });
});

test('any mixture is read within the bounds', () => {
  const mixture = fc.array(fc.oneof(fc.constantFrom(...pieces, ...Object.values(starts)), fc.string()), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(mixture, (parts) => {
      const text = parts.join('');
      for (const language of languages) checkBounds(readStack(text, language));
      checkBounds(readAnyStack(text));
    }),
    { numRuns: 150 },
  );
});

test('texts without a stack are none', () => {
  for (const text of [
    '',
    'hello',
    'Error: x',
    'at noon',
    'panic: x',
    'Traceback (most recent call last):\nX: y',
    '#0 x',
  ]) {
    expect(readAnyStack(text), text).toBeUndefined();
  }
});

test.each<[StackLanguage, string]>([
  ['javascript', 'Uncaught RangeError: no page 9\n    at turn (/srv/book.js:3:5)\n    at /srv/book.js:9:1'],
  ['java', 'a.B: c\n\tat a.b.C.d(C.java:1)\n\tat a.b.C.e(Unknown Source)'],
  ['csharp', 'A.B: c\n   at A.B.C(String d)\n   at A.B.Main() in /x/B.cs:line 3'],
  ['ruby', "a.rb:1:in 'b': c (D)\n\tfrom a.rb:2:in '<main>'"],
])('a text of which nobody says the language: %s', (language, text) => {
  expect(readAnyStack(text)?.language).toBe(language);
});
