import { expect, test } from 'vitest';
import { newsSentence, noNews, withMessage } from './news.ts';

const message = (issueIds: string[], newIssueIds: string[] = []) => ({
  type: 'events' as const,
  projectId: '1',
  projectSlug: 'web',
  issueIds,
  newIssueIds,
  count: 1,
  first: false,
});

test('an issue counts once, and as new when it is', () => {
  let news = withMessage(noNews, message(['1', '2']));
  expect(newsSentence(news)).toBe('New events in 2 issues');
  news = withMessage(news, message(['2', '3'], ['3']));
  expect(newsSentence(news)).toBe('1 new issue, 2 with new events');
  news = withMessage(news, message(['3']));
  expect(newsSentence(news)).toBe('1 new issue, 2 with new events');
});

test('nothing new says nothing', () => {
  expect(newsSentence(noNews)).toBe('');
});
