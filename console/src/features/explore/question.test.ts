import { expect, test } from 'vitest';
import {
  axisLabel,
  groupedBy,
  questionOf,
  savedPart,
  selectionOf,
  withAxes,
  withDataSet,
  withGroups,
  withoutSelection,
  withQuery,
  withSelection,
  withSort,
  zoomed,
} from './question.ts';
import { exploreSearch, type ExploreSearch } from './search.ts';

test('an empty address counts errors', () => {
  expect(questionOf({})).toMatchObject({
    dataSet: 'errors',
    query: '',
    groups: [],
    axes: ['count()'],
    sort: '-count()',
    samplesSort: '-timestamp',
  });
});

test('the address is read as far as it makes sense', () => {
  expect(
    exploreSearch.parse({ dataset: 'logs', tab: 'x', selection: '10-', query: 'a', yAxis: 'count()', other: '1' }),
  ).toEqual({ query: 'a', yAxis: 'count()' });
  const { axes, groups, sort } = questionOf({
    dataset: 'spans',
    yAxis: 'count(),p95(span.duration),a(),b(),c()',
    groupBy: 'span.op, tags[x,number]',
    sort: '-gone',
  });
  expect(axes).toHaveLength(4);
  expect(groups).toEqual(['span.op', 'tags[x,number]']);
  expect(sort).toBe('-count()');
});

test('an order holds for the table that has its column', () => {
  const search: ExploreSearch = { groupBy: 'level', sort: 'level' };
  expect(questionOf(search)).toMatchObject({ sort: 'level', samplesSort: '-timestamp' });
  expect(questionOf({ ...search, tab: 'samples' }).samplesSort).toBe('level');
});

test('another data set keeps what both know', () => {
  const search: ExploreSearch = {
    project: 'web',
    range: '1h',
    query: 'error.type:x',
    groupBy: 'error.type',
    cursor: 'c',
  };
  expect(withDataSet(search, 'spans')).toEqual({ project: 'web', range: '1h', dataset: 'spans' });
  const spans: ExploreSearch = { dataset: 'spans', query: 'span.op:db', groupBy: 'span.op' };
  expect(withDataSet(spans, 'transactions')).toEqual({ ...spans, dataset: 'transactions' });
  expect(withDataSet(spans, 'errors').dataset).toBeUndefined();
});

test('changes ask from the first page on', () => {
  const search: ExploreSearch = { cursor: 'c', query: 'a', groupBy: 'level' };
  expect(withAxes(search, ['count()'])).toEqual({ query: 'a', groupBy: 'level' });
  expect(withAxes(search, ['count()', 'p95(x)']).yAxis).toBe('count(),p95(x)');
  expect(withGroups(search, [])).toEqual({ query: 'a' });
  expect(withQuery(search, '  ')).toEqual({ groupBy: 'level' });
  expect(groupedBy({ ...search, tab: 'samples' }, 'release')).toEqual({ query: 'a', groupBy: 'level,release' });
  expect(groupedBy(search, 'level').groupBy).toBe('level');
});

test('a column is sorted by the greatest first, and then the other way', () => {
  expect(withSort({}, 'count()', '-level').sort).toBe('-count()');
  expect(withSort({}, 'count()', '-count()').sort).toBe('count()');
});

test('a drawn part is compared, zoomed into or let go', () => {
  const search = withSelection({ range: '1h', cursor: 'c' }, 60_000, 120_500);
  expect(search).toEqual({ range: '1h', tab: 'compare', selection: '60-121' });
  expect(selectionOf(search)).toEqual({ from: 60, until: 121 });
  expect(selectionOf({ selection: '9-5' })).toBeUndefined();
  expect(withoutSelection(search)).toEqual({ range: '1h' });
  expect(zoomed(search, { from: 60, until: 120 })).toMatchObject({
    range: undefined,
    start: '1970-01-01T00:01:00.000Z',
    end: '1970-01-01T00:02:00.000Z',
  });
  expect(savedPart({ ...search, cursor: 'c' })).toEqual({ range: '1h' });
});

test('aggregates in words', () => {
  expect(axisLabel('count()')).toBe('count');
  expect(axisLabel('failure_rate()')).toBe('failure rate');
  expect(axisLabel('p95(span.duration)')).toBe('p95(span.duration)');
});
