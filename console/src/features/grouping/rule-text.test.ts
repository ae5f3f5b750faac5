import { expect, test } from 'vitest';
import { countRules, offsetOf, ruleLines, sentence, withRule, type RuleProblem } from './rule-text.ts';

const problem = (line: number, column: number, endColumn: number): RuleProblem => ({
  line,
  column,
  endColumn,
  message: 'x',
});
const shown = (text: string, ...problems: RuleProblem[]): string[] =>
  ruleLines(text, problems).map((pieces) =>
    pieces
      .map((piece) => ({ rule: piece.text, comment: `#${piece.text}`, problem: `[${piece.text}]` })[piece.kind])
      .join(''),
  );

test('problems stand at their line and columns, beside each other and overlapping', () => {
  const text = 'error.type:A -> a\nerrr.type:B => b\n# note';
  expect(shown(text, problem(2, 1, 10), problem(2, 13, 15))).toEqual([
    'error.type:A -> a',
    '[errr.type]:B [=>] b',
    '## note',
  ]);
  expect(shown('abcdef', problem(1, 1, 4), problem(1, 3, 6))).toEqual(['[abc][de]f']);
});

test('a place of no length, or behind the line, marks a character; one in no line marks nothing', () => {
  expect(shown('abc', problem(1, 2, 2))).toEqual(['a[b]c']);
  expect(shown('abc', problem(1, 9, 12))).toEqual(['ab[c]']);
  expect(shown('', problem(1, 1, 1), problem(7, 1, 2))).toEqual(['']);
  expect(shown('abc', problem(1, -4, 0))).toEqual(['[a]bc']);
});

test('line and column lead to an offset inside the text', () => {
  const text = 'one\ntwo\n';
  expect([offsetOf(text, 1, 1), offsetOf(text, 2, 2), offsetOf(text, 2, 99), offsetOf(text, 9, 9)]).toEqual([
    0, 5, 7, 8,
  ]);
  expect(offsetOf('', 1, 0)).toBe(0);
});

test('a rule is added once, in a line of its own', () => {
  expect(withRule('', 'a -> b')).toBe('a -> b\n');
  expect(withRule('# mine\nx -> y', ' a -> b ')).toBe('# mine\nx -> y\na -> b\n');
  expect(withRule('x -> y\na -> b\n', 'a -> b')).toBe('x -> y\na -> b\n');
  expect(withRule('x', '')).toBe('x');
});

test('comments and empty lines are no rules', () => {
  expect([countRules(''), countRules('# a\n\n  \n'), countRules('a -> b\n # c\nd -> e')]).toEqual([0, 0, 2]);
});

test('remarks are told as sentences', () => {
  expect(['there is no matcher x', 'Why? ', ''].map(sentence)).toEqual(['There is no matcher x.', 'Why?', '']);
});
