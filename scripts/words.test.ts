import { expect, test } from 'vitest';
import { check, faultsOf, readStyle, textsOf, textsOfCatalogue, textsOfMarkdown } from './words.ts';

const style = readStyle(`# Style

- not one → nothing

## Words that do not occur

- by itself, by themselves → automatically
- so. → leave out

## Exceptions

| file | words | why |
| --- | --- | --- |
| \`docs/*.md\` | by itself, so. | a quote |
`);
const { forbidden } = style;

test('words, what to write instead and exceptions stand in the guide', () => {
  expect(forbidden.map(({ words, instead }) => [words, instead])).toEqual([
    ['by itself', 'automatically'],
    ['by themselves', 'automatically'],
    ['so.', 'leave out'],
  ]);
  expect(style.exceptions).toEqual([
    { file: 'docs/*.md', words: 'by itself' },
    { file: 'docs/*.md', words: 'so.' },
  ]);
});

test('whole words, however they are broken over lines', () => {
  expect(faultsOf('It turns BY\n  itself.', forbidden, 20)).toEqual(['“by itself” (write: automatically)']);
  expect(faultsOf('Nearby itself-made downtown works', forbidden, 20)).toEqual([]);
  expect(faultsOf('Nothing is found so. Try again.', forbidden, 20)).toEqual(['“so.” (write: leave out)']);
  expect(faultsOf('It is so small', forbidden, 20)).toEqual([]);
});

test('no sentence is too long, none shouts', () => {
  const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');
  expect(faultsOf(`${words(21)}.`, [], 20)).toEqual(['a sentence of 21 words (at most 20)']);
  expect(faultsOf(`${words(15)}. W${words(15)}? W${words(15)}`, [], 20)).toEqual([]);
  expect(faultsOf('Done! Well', [], 20)).toEqual(['an exclamation mark']);
  expect(faultsOf('level:!=info', [], 20)).toEqual([]);
});

test('texts of modules: literals, whole templates and what stands between tags, but no statements and names', () => {
  const source = `
    import x from 'two words';
    const a = 'two words', b = "single", c = \`three \${a} more words\`, d = 'SELECT two words FROM x';
    // a comment of words
    const e = <p title="a short title">Some\n  more text</p>;`;
  expect(textsOf('a.tsx', source).map(({ text }) => text.replaceAll(/\s+/g, ' '))).toEqual([
    'two words',
    'three … more words',
    'a short title',
    'Some more text',
  ]);
});

test('texts of guides: paragraphs, headings, list items and cells, but no code and targets', () => {
  const guide =
    '# Title here\n\nOne `x y` line\n[and](by/itself.md) more.\n- an item\n- another\n\n```\ncode\n```\n\n| a cell | b cell |\n';
  expect(textsOfMarkdown(guide).map(({ text }) => text.replaceAll(/\s+/g, ' '))).toEqual(
    ['Title here', 'One _____ line [and] more.', '- an item', '- another', 'a cell', 'b cell'].map((text, index) =>
      index === 0 ? `# ${text}` : text,
    ),
  );
});

test('texts of catalogues, however deep', () => {
  expect(textsOfCatalogue('{"a": "One", "b": {"one": "It", "other": "They"}}').map(({ text }) => text)).toEqual([
    'One',
    'It',
    'They',
  ]);
});

test('a finding says where; exceptions have none', () => {
  expect(check('a.ts', "\n\nconst a = 'it turns by itself';", style)).toEqual([
    { line: 3, text: 'it turns by itself', why: '“by itself” (write: automatically)' },
  ]);
  expect(check('docs/a.md', 'It turns by itself.', style)).toEqual([]);
});
