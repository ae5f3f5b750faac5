import { describe, expect, it } from 'vitest';
import { compileGlob, compilePathGlob, globWork, toPathText } from './glob.ts';
import { parseFingerprintRules } from './fingerprint-rules.ts';
import { ruleLimits } from './problem.ts';
import { parseStackTraceRules } from './stack-trace-rules.ts';

describe('globs', () => {
  it.each<[string, string, boolean]>([
    ['*', '', true],
    ['', '', true],
    ['a*c', 'abbc', true],
    ['a*c', 'abcd', false],
    ['*timeout*', 'a timeout\nof 3 s', true],
    ['?b?', 'abc', true],
    ['?b?', 'ab', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[]]x', ']x', true],
    ['[x', '[x', true],
    ['{get,post}*', 'postOrder', true],
    ['{get,post}*', 'putOrder', false],
    ['a{b,{c,d}}', 'ad', true],
    ['{x', '{x', true],
    ['\\{\\[\\*\\?\\]\\}', '{[*?]}', true],
    ['Case', 'case', false],
    ['*\ud800*', 'a\ud800', true],
  ])('%s on %j: %s', (pattern, text, expected) => {
    expect(compileGlob(pattern)?.matches(text)).toBe(expected);
  });

  it.each<[string, string, boolean]>([
    ['**/node_modules/**', '/app/node_modules/x/y.js', true],
    ['**/node_modules/**', 'node_modules/x.js', true],
    ['**/node_modules/**', 'C:\\App\\Node_Modules\\x.js', true],
    ['/src/*.js', '/src/a.js', true],
    ['/src/*.js', '/src/a/b.js', false],
    ['/src/**/a.js', '/src/a.js', true],
    ['/src/**/a.js', '/src/x/y/a.js', true],
    ['/src/?/a.js', '/src///a.js', false],
    ['**.ts', 'lib/x.ts', true],
    ['src/**', 'src/x.ts', true],
  ])('of paths: %s on %s: %s', (pattern, path, expected) => {
    expect(compilePathGlob(pattern)?.matches(toPathText(path))).toBe(expected);
  });

  it('with too many alternatives are refused', () => {
    expect(compileGlob('{a,b}'.repeat(7))).toBeUndefined();
    expect(compileGlob('{a,b}'.repeat(6))).toBeDefined();
  });

  it.each([
    ['many stars', `${'*a'.repeat(50)}*b`, 'a'],
    ['stars that must not match', `${'*a'.repeat(50)}c`, 'a'],
    ['stars of folders', `**/${'*a'.repeat(30)}**/b`, 'a/'],
    ['nothing but stars', '*?'.repeat(60), 'x'],
  ])('take time that grows with the text alone: %s', (_name, pattern, text) => {
    const work = [1_000, 10_000].map((length) => globWork(pattern, text.repeat(length / text.length)));
    expect((work[1] ?? 0) / (work[0] ?? 1)).toBeLessThan(11);
    expect(work[1]).toBeLessThanOrEqual(10_000 * (pattern.length + 1));
  });
});

describe('fingerprint rules', () => {
  it('have matchers, entries and a title', () => {
    const text = [
      '# comment',
      '',
      'type:DatabaseUnavailable !level:debug tags."a b":x* -> db-{{ transaction }}, "with space", {{default}} title="DB ({{ transaction }})"',
      'error.value:"say \\"no\\"" stack.function:[ab]c -> x # a comment',
    ].join('\r\n');
    // A name with a space is no name.
    const { rules, problems } = parseFingerprintRules(text);
    expect(problems.map(({ line, message }) => [line, message])).toEqual([[3, expect.stringMatching(/^expected/)]]);
    expect(rules).toMatchObject([{ line: 4, fingerprint: ['x'], text: expect.stringContaining('error.value') }]);
    const second = parseFingerprintRules(text.replace('tags."a b"', '"tags.a:b"'));
    expect(second.problems).toEqual([]);
    expect(second.rules[0]).toMatchObject({
      line: 3,
      fingerprint: ['db-', '{{ transaction }}', 'with space', '{{ default }}'],
      title: 'DB ({{ transaction }})',
      matchers: [{ key: 'type' }, { key: 'level', negated: true }, { key: 'tags.a:b' }],
    });
  });

  it.each<[string, number, number, RegExp]>([
    ['nonsense', 1, 9, /expected a matcher/],
    ['type:A', 7, 8, /-> and the fingerprint/],
    ['type:A ->', 10, 11, /expected a fingerprint/],
    ['tpye:A -> x', 1, 5, /unknown matcher tpye; expected type, value/],
    ['type: -> x', 1, 6, /a value after/],
    ['type:"A -> x', 6, 13, /quotes are not closed/],
    ['app:maybe -> x', 5, 10, /yes or no/],
    ['type:A -> x label="y"', 13, 18, /unknown attribute label/],
    ['[ type:A ] | function:f -> x', 3, 9, /single frame/],
    ['[ function:a | function:f -> x', 14, 15, /space and \]/],
    ['type:A -> {x', 11, 13, /braces in quotes/],
    [`type:${'{a,b}'.repeat(7)} -> x`, 6, 41, /alternatives/],
  ])('%s is wrong from column %i to %i', (text, column, endColumn, message) => {
    const { rules, problems } = parseFingerprintRules(`\n  \n${text}`);
    expect(rules).toEqual([]);
    expect(problems).toEqual([{ line: 3, column, endColumn, message: expect.stringMatching(message) }]);
  });

  it('are bounded', () => {
    const many = parseFingerprintRules('type:A -> x\n'.repeat(ruleLimits.rules + 5));
    expect(many.rules).toHaveLength(ruleLimits.rules);
    expect(many.problems).toMatchObject([{ line: ruleLimits.rules + 1 }]);
    expect(parseFingerprintRules('x'.repeat(ruleLimits.characters + 1))).toMatchObject({ rules: [], problems: [{}] });
    expect(parseFingerprintRules('?\n'.repeat(5_000)).problems).toHaveLength(ruleLimits.problems);
  });
});

describe('stack trace rules', () => {
  it('have matchers of frames and neighbours, and actions', () => {
    const { rules, problems } = parseStackTraceRules(
      [
        'family:javascript path:**/lib/** -app',
        '[ function:outer ] | function:inner* | [ !module:x ] ^-group v+app # why',
        'category:ui max-frames=5 min-frames = 2 category=indirection',
        '__proto__:x -app',
        'constructor:x -app',
      ].join('\n'),
    );
    expect(problems.map(({ line }) => line)).toEqual([4, 5]);
    expect(rules.map(({ actions }) => actions)).toEqual([
      [{ kind: 'app', on: false, range: 'self' }],
      [
        { kind: 'group', on: false, range: 'up' },
        { kind: 'app', on: true, range: 'down' },
      ],
      [
        { kind: 'max-frames', count: 5 },
        { kind: 'min-frames', count: 2 },
        { kind: 'category', value: 'indirection' },
      ],
    ]);
    expect(rules[1]?.matchers).toMatchObject([
      { key: 'function', neighbour: 'caller' },
      { key: 'function', neighbour: 'self' },
      { key: 'module', neighbour: 'callee', negated: true },
    ]);
  });

  it.each<[string, number, number, RegExp]>([
    ['path:**/x', 10, 11, /action such as -app/],
    ['path:**/x -apps', 11, 16, /expected an action/],
    ['path:**/x max-frames=many', 11, 26, /number after max-frames/],
    ['-app', 1, 5, /expected a matcher/],
    ['path:x | function:y -app', 10, 20, /expected \[/],
  ])('%s is wrong from column %i to %i', (text, column, endColumn, message) => {
    const { rules, problems } = parseStackTraceRules(text);
    expect(rules).toEqual([]);
    expect(problems).toEqual([{ line: 1, column, endColumn, message: expect.stringMatching(message) }]);
  });

  it('are read whatever is written', () => {
    const parts = [
      'type',
      ':',
      '"',
      '\\',
      '->',
      '[',
      ']',
      '|',
      '!',
      ' ',
      '\n',
      '\0',
      '\ud800',
      '{{',
      '}}',
      '*',
      '-app',
      '^',
      '=',
      '#',
    ];
    let seed = 7;
    const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648);
    for (let round = 0; round < 2_000; round++) {
      const text = Array.from({ length: next() % 12 }, () => parts[next() % parts.length]).join('');
      const lines = text.split(/\r\n|[\r\n]/);
      for (const { problems } of [parseFingerprintRules(text), parseStackTraceRules(text)]) {
        for (const { line, column, endColumn } of problems) {
          expect(column).toBeGreaterThan(0);
          expect(endColumn).toBeGreaterThan(column);
          expect(endColumn).toBeLessThanOrEqual((lines[line - 1] ?? '').length + 2);
        }
      }
    }
  });
});
