import { describe, expect, test } from 'vitest';
import { imageHost, parseMarkdown, safeLink, splitMentions } from './parse.ts';

const types = (text: string) => parseMarkdown(text).map(({ type }) => type);

describe('Markdown', () => {
  test('is a tree of tokens', () => {
    expect(types('# A\n\ntext **b**\n\n- one\n- two\n\n```ts\nx\n```\n\n> q\n\n| a |\n|---|\n| b |')).toEqual(
      expect.arrayContaining(['heading', 'paragraph', 'list', 'code', 'blockquote', 'table']),
    );
  });

  test('HTML stays text of its own kind', () => {
    expect(types('<script>alert(1)</script>')).toEqual(['html']);
  });

  const n = 16_384;
  test.each([
    ['emphasis', '**a *b '.repeat(n / 8)],
    ['underscores', '_a_'.repeat(n / 3)],
    ['brackets', '['.repeat(n)],
    ['images', '![a]('.repeat(n / 5)],
    ['links', '[a]('.repeat(n / 4)],
    ['quotes', '>'.repeat(n)],
    ['many paragraphs', '**a *b '.repeat(60).concat('\n\n').repeat(30)],
    ['lone surrogates', '\ud800'.repeat(n)],
  ])('hostile %s are read and lost nowhere', (_, text) => {
    const tokens = parseMarkdown(text);
    expect(tokens.map(({ raw }) => raw).join('').length).toBeGreaterThanOrEqual(text.trimEnd().length);
  });

  test('a paragraph of too many marks is plain text', () => {
    const [paragraph] = parseMarkdown('*a* '.repeat(400));
    expect(paragraph && 'tokens' in paragraph ? paragraph.tokens?.map(({ type }) => type) : []).toEqual(['text']);
  });
});

test('only addresses of the web and of mail are links', () => {
  expect(
    [
      'https://a.example/x',
      'mailto:a@b.c',
      'javascript:alert(1)',
      ' JavaScript:x',
      'data:text/html,x',
      '/path',
      'https://',
    ].map(safeLink),
  ).toEqual(['https://a.example/x', 'mailto:a@b.c', undefined, undefined, undefined, undefined, undefined]);
  expect([imageHost('https://img.example/a.png'), imageHost('data:image/png;base64,x')]).toEqual([
    'img.example',
    undefined,
  ]);
});

test('names stand out, without what ends the sentence', () => {
  const names = new Set(['@jane', '#payments', '@a.b']);
  expect(splitMentions('Ask @Jane. Or #payments, @a.b, @none, x@jane, @jane/lib', names)).toEqual([
    { text: 'Ask ', mention: false },
    { text: '@Jane', mention: true },
    { text: '. Or ', mention: false },
    { text: '#payments', mention: true },
    { text: ', ', mention: false },
    { text: '@a.b', mention: true },
    { text: ', @none, x@jane, @jane/lib', mention: false },
  ]);
});
