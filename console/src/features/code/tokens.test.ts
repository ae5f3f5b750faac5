import { expect, test } from 'vitest';
import { markColumn, sharedIndent, splitLines } from './tokens.ts';
import { highlight } from './highlight.ts';
import { addLanguage } from './more-languages.ts';

const plain = (text: string) => [{ text, scope: '' }];

test('pieces that span lines are cut at the breaks', () => {
  expect(
    splitLines([
      { text: '/* a\n b */', scope: 'comment' },
      { text: ' x', scope: '' },
    ]),
  ).toEqual([
    [{ text: '/* a', scope: 'comment' }],
    [
      { text: ' b */', scope: 'comment' },
      { text: ' x', scope: '' },
    ],
  ]);
  expect(splitLines([])).toEqual([[]]);
});

test('the identifier at the column is marked, across pieces', () => {
  const marked = markColumn([...plain('return item.'), { text: 'price', scope: 'property' }, ...plain(';')], 13);
  expect(marked.filter((piece) => piece.marked)).toEqual([{ text: 'price', scope: 'property', marked: true }]);
  expect(markColumn(plain('a.b'), 2).filter((piece) => piece.marked)[0]?.text).toBe('.');
});

test('columns outside the line mark nothing', () => {
  for (const column of [null, 0, -3, 99])
    expect(markColumn(plain('abc'), column).some((piece) => piece.marked)).toBe(false);
});

test('the shared indent leaves out empty lines', () => {
  expect(sharedIndent(['    a', '', '      b'])).toBe(4);
  expect(sharedIndent([])).toBe(0);
});

test('the highlighter gives the text back unchanged, whatever it is', async () => {
  await addLanguage('python');
  const source = "const a = `x ${b.c('d')} y`; // <b>&amp;\nfunction f() { return null }\n\u0000\ud800";
  for (const language of ['typescript', 'python', 'nothing-known']) {
    expect(
      highlight(source, language)
        .map((line) => line.map((piece) => piece.text).join(''))
        .join('\n'),
    ).toBe(source);
  }
  expect(highlight('const a = 1', 'typescript')[0]?.[0]).toEqual({ text: 'const', scope: 'keyword' });
});
