import { expect, test } from 'vitest';
import { parseLiveMessage } from './live.ts';

test('takes the known messages and ignores everything else', () => {
  const events = {
    type: 'events',
    projectId: '1',
    projectSlug: 'web',
    issueIds: ['1'],
    newIssueIds: [],
    count: 3,
    first: true,
  };
  expect(parseLiveMessage(JSON.stringify(events))).toEqual(events);
  expect(parseLiveMessage('{"type":"issues","issueIds":["7"]}')).toMatchObject({ type: 'issues' });
  expect(parseLiveMessage('{"type":"spans","traceIds":["a"]}')).toMatchObject({ type: 'spans' });
  for (const text of ['', 'null', '[]', '{"type":"other"}', '{"a":1', '7'])
    expect(parseLiveMessage(text)).toBeUndefined();
});
