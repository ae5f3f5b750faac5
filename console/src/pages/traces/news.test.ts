import { expect, test } from 'vitest';
import { newsSentence, noNews, unseen, withSpans } from './news.ts';

const message = (...traceIds: string[]) =>
  ({ type: 'spans', projectId: '1', projectSlug: 'web', count: 9, traceIds, first: false }) as const;

test('traces are counted once, and those on the screen are no news', () => {
  const news = unseen(withSpans(withSpans(noNews, message('a', 'b')), message('a', 'c')), [{ traceId: 'b' }]);
  expect([...news]).toEqual(['a', 'c']);
  expect(withSpans(news, message('a'))).toBe(news);
  expect(newsSentence(news, false)).toBe('2 new traces');
  expect(newsSentence(new Set(['a']), true)).toBe('1 new trace, before filters');
  expect(newsSentence(noNews, true)).toBe('');
});

test('beyond a thousand nobody counts', () => {
  const many = withSpans(noNews, message(...Array.from({ length: 1001 }, (_, index) => `t${index}`)));
  expect(withSpans(many, message('another'))).toBe(many);
  expect(newsSentence(many, false)).toMatch(/^1\D?000\+ new traces$/);
});
