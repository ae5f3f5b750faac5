import { expect, test } from 'vitest';
import { check, faultsOf, readForbidden, textsOf } from './words.ts';

const style = '# Style\n\n- not one\n\n## Words that do not occur\n\n- by itself\n- own work\n';

test('the list stands in the guide', () => {
  expect(readForbidden(style)).toEqual(['by itself', 'own work']);
});

test('whole words, however they are broken over lines; no sentence too long', () => {
  const forbidden = readForbidden(style);
  expect(faultsOf('It turns BY\n  itself.', forbidden)).toEqual(['“by itself”']);
  expect(faultsOf('Nearby itself-made downtown works', forbidden)).toEqual([]);
  expect(faultsOf(`${'word '.repeat(46)}.`, forbidden)).toEqual(['a sentence of more than 45 words']);
  expect(faultsOf(`${'word '.repeat(40)}. ${'word '.repeat(40)}`, forbidden)).toEqual([]);
});

test('texts that are read: literals, templates and what stands between tags, but no statements and names', () => {
  const source = `
    import x from 'two words';
    const a = 'two words', b = "single", c = \`three \${a} more words\`, d = 'SELECT two words FROM x';
    // a comment of words
    const e = <p title="a short title">Some\n  more text</p>;`;
  expect(textsOf('a.tsx', source).map(({ text }) => text)).toEqual([
    'two words',
    'two words',
    'more words',
    'a short title',
    'Some more text',
  ]);
});

test('a finding says where', () => {
  expect(check('a.ts', "\n\nconst a = 'it turns by itself';", ['by itself'])).toEqual([
    { line: 3, text: 'it turns by itself', why: '“by itself”' },
  ]);
  const guide = '# by itself\n\n```\nby itself\n```\n\nOne line\nby itself here.\n';
  expect(check('a.md', guide, ['by itself'])).toHaveLength(1);
});
