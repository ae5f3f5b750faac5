import { expect, test } from 'vitest';
import { parseEventsUrl } from './open.ts';

test('an address of a ClickHouse', () => {
  expect(parseEventsUrl('https://u%40x:p%3Aw@ch.example.com:8443/telemetry?cluster=main')).toEqual({
    url: 'https://ch.example.com:8443',
    username: 'u@x',
    password: 'p:w',
    database: 'telemetry',
    cluster: 'main',
  });
  expect(parseEventsUrl('http://localhost:8123')).toEqual({
    url: 'http://localhost:8123',
    username: 'default',
    password: '',
    database: 'culprit',
  });
});

test.each(['nonsense', 'http://h/a%20b', 'http://h/a/b', "http://h/d?cluster='x"])('%s is refused', (url) => {
  expect(() => parseEventsUrl(url)).toThrow(/CULPRIT_EVENTS_URL/);
});
