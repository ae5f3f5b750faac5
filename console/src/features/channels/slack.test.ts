import { expect, test } from 'vitest';
import { namedChannel } from './slack.ts';

const listed = [
  { id: 'C1', name: 'alerts', isPrivate: false, isMember: true },
  { id: 'C2', name: 'ops', isPrivate: true, isMember: true },
];

test('a channel that is listed goes by its id, with its name for people', () => {
  for (const typed of ['#alerts', 'alerts', ' #alerts ', 'C1'])
    expect(namedChannel(typed, listed)).toEqual({ channel: 'C1', channelName: 'alerts' });
});

test('any other goes as it was typed', () => {
  expect(namedChannel(' #random ', listed)).toEqual({ channel: '#random' });
  expect(namedChannel('C9', [])).toEqual({ channel: 'C9' });
});
