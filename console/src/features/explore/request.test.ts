import { expect, test } from 'vitest';
import { askedOf, columnsOf, curlOf, differsFrom, questionBody, savedBody, searchOfSaved } from './request.ts';
import type { ExploreSearch } from './search.ts';

const search: ExploreSearch = {
  dataset: 'spans',
  query: 'span.op:db',
  groupBy: 'transaction',
  yAxis: 'count(),p95(span.duration)',
  sort: '-p95(span.duration)',
  project: 'web',
  environment: 'production',
  range: '7d',
};

test('the question has its range by itself', () => {
  expect(askedOf({})).toEqual({ dataset: 'errors', query: '', statsPeriod: '24h' });
  expect(askedOf({ ...search, start: 'a', end: 'b' })).toEqual({
    dataset: 'spans',
    query: 'span.op:db',
    start: 'a',
    end: 'b',
    project: ['web'],
    environment: ['production'],
  });
});

test('the columns are those of the tab', () => {
  expect(columnsOf(search)).toEqual({
    field: ['transaction', 'count()', 'p95(span.duration)'],
    sort: ['-p95(span.duration)'],
  });
  expect(columnsOf({ ...search, tab: 'samples', field: 'trace,timestamp' })).toEqual({
    field: ['trace', 'timestamp'],
    sort: [],
  });
  expect(questionBody({})).toMatchObject({ project: [], environment: [], groupBy: [], yAxis: ['count()'] });
});

test('what is saved is asked again as it was', () => {
  for (const each of [
    {},
    search,
    { ...search, range: undefined, start: '2026-11-21T00:00:00.000Z', end: '2026-11-22T00:00:00.000Z' },
    { tab: 'samples', field: 'timestamp,title', sort: 'title', query: 'level:error' },
  ] satisfies ExploreSearch[]) {
    const saved = savedBody(each);
    const again = searchOfSaved(saved, '7');
    expect(again.saved).toBe('7');
    expect(savedBody(again)).toEqual(saved);
    expect(differsFrom(again, saved)).toBe(false);
    expect(differsFrom({ ...again, query: 'other' }, saved)).toBe(true);
    expect(differsFrom({ ...again, cursor: 'c', selection: '1-2' }, saved)).toBe(false);
  }
});

test('a saved question of another console opens as far as it makes sense', () => {
  const saved = { ...savedBody({}), dataset: 'logs', view: { tab: 'heat' } };
  expect(searchOfSaved(saved, '1')).toMatchObject({ saved: '1' });
});

test('the call for a terminal is one line whose address is quoted', () => {
  const call = curlOf({ ...search, query: `message:"it's $HOME"` }, 'my org', 'https://culprit.example');
  expect(call).toMatch(/^curl -H "Authorization: Bearer \$CULPRIT_TOKEN" '?https:\/\/culprit\.example\/api\/0/);
  expect(call).toContain('/organizations/my%20org/events/?field=transaction&field=count%28%29');
  expect(call).toContain('query=message%3A%22it%27s+%24HOME%22');
  expect(call).not.toContain('$HOME');
});
