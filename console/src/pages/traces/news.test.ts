import { expect, test } from 'vitest';
import { newsSentence, noNews, withSpans } from './news.ts';

const message = (...traceIds: string[]) =>
  ({ type: 'spans', projectId: '1', projectSlug: 'web', count: 9, traceIds, first: false }) as const;

test('traces are counted once, and those on the screen are no news', () => {
  const news = withSpans(withSpans(noNews, message('a', 'b'), new Set(['b'])), message('a', 'c'), new Set());
  expect([...news]).toEqual(['a', 'c']);
  expect(withSpans(news, message('a'), new Set())).toBe(news);
  expect(newsSentence(news, false)).toBe('2 new traces');
  expect(newsSentence(new Set(['a']), true)).toBe('1 new trace, before filters');
  expect(newsSentence(noNews, true)).toBe('');
});

test('beyond a thousand nobody counts', () => {
  const many = withSpans(noNews, message(...Array.from({ length: 1001 }, (_, index) => `t${index}`)), new Set());
  expect(withSpans(many, message('another'), new Set())).toBe(many);
  expect(newsSentence(many, false)).toMatch(/^1\D?000\+ new traces$/);
});
