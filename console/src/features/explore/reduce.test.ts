import { describe, expect, test } from 'vitest';
import { answerKind, type ExploreEvent, reduce } from './reduce.ts';
import type { ExploreSearch } from './search.ts';

const before: ExploreSearch = { project: 'shop', query: 'level:error', groupBy: 'release', cursor: 'page-2' };

describe('each event leads to an address, from its first page on', () => {
  const table: Record<ExploreEvent['type'], readonly [event: ExploreEvent, changes: ExploreSearch]> = {
    searched: [{ type: 'searched', query: ' level:fatal ' }, { query: 'level:fatal' }],
    aggregated: [{ type: 'aggregated', axes: ['count()', 'epm()'] }, { yAxis: 'count(),epm()' }],
    grouped: [{ type: 'grouped', groups: [] }, { groupBy: undefined }],
    columned: [{ type: 'columned', fields: ['title', 'user'] }, { field: 'title,user' }],
    brushed: [
      { type: 'brushed', startMs: 1500, endMs: 2500 },
      { tab: 'compare', selection: '1-3', subset: undefined },
    ],
    'value-filtered': [
      { type: 'value-filtered', field: 'release', value: '1.0', negated: true },
      { query: 'level:error !release:1.0' },
    ],
    'value-grouped': [
      { type: 'value-grouped', field: 'user' },
      { groupBy: 'release,user', tab: undefined },
    ],
    'value-compared': [
      { type: 'value-compared', field: 'release', value: '1.0' },
      { tab: 'compare', selection: undefined, subset: 'release:1.0' },
    ],
  };
  test.each(Object.entries(table))('%s', (_, [event, changes]) => {
    expect(reduce(before, event)).toEqual({ ...before, cursor: undefined, ...changes });
  });
});

test('what was grouped, filtered and compared before stays', () => {
  const events: readonly ExploreEvent[] = [
    { type: 'value-grouped', field: 'user' },
    { type: 'value-filtered', field: 'user', value: 'ada', negated: false },
    { type: 'brushed', startMs: 0, endMs: 60_000 },
  ];
  expect(events.reduce(reduce, before)).toMatchObject({
    project: 'shop',
    groupBy: 'release,user',
    query: 'level:error user:ada',
    selection: '0-60',
  });
});

test.each([
  [undefined, 3, false, 'answer'],
  [undefined, undefined, false, 'answer'],
  [undefined, 0, true, 'answer'],
  [undefined, 0, false, 'nothing'],
  [new Error('bad'), 0, false, 'bad-query'],
] as const)('a wrong query of %s and a count of %s, old %s: %s', (error, count, isOld, kind) => {
  expect(answerKind(error, count, isOld)).toBe(kind);
});
