import { describe, expect, test } from 'vitest';
import type { LiveMessage } from '../../features/live/live.ts';
import { asksAgain, listAt, listReducer, rowAfter, rowsOf, type ListEvent, type ListState } from './list-state.ts';

const ids = ['1', '2', '3', '4', '5'];
const after = (...events: readonly ListEvent[]): ListState => events.reduce(listReducer, listAt('/issues'));
const selected = (...events: readonly ListEvent[]): string[] => [...after(...events).selected].toSorted();
const toggle = (at: number): ListEvent => ({ type: 'toggled', ids, at });
const extend = (at: number): ListEvent => ({ type: 'extended', ids, at });
const whole: ListEvent = { type: 'all-selected', ids };
const arrived = (issueIds: string[]): Extract<LiveMessage, { type: 'events' }> => ({
  type: 'events',
  projectId: '1',
  projectSlug: 'web',
  issueIds,
  newIssueIds: [],
  count: 1,
  first: false,
});

describe('selection', () => {
  test('row by row', () => {
    expect(selected(toggle(1), toggle(3))).toEqual(['2', '4']);
    expect(selected(toggle(1), toggle(3), toggle(1))).toEqual(['4']);
  });

  test('a range goes from the last row, in both directions, and does what that row did', () => {
    expect(selected(toggle(1), extend(3))).toEqual(['2', '3', '4']);
    expect(selected(toggle(3), extend(1))).toEqual(['2', '3', '4']);
    expect(selected(whole, toggle(1), extend(3))).toEqual(['1', '5']);
    expect(selected(extend(2)), 'without a last row it is that row').toEqual(['3']);
    expect(selected(toggle(1), toggle(1), extend(3)), 'nothing selected').toEqual(['2', '3', '4']);
  });

  test('the page, and back', () => {
    const page = (on: boolean): ListEvent => ({ type: 'page-selected', ids, on });
    expect(selected(page(true))).toEqual(ids);
    expect(selected(page(true), page(false))).toEqual([]);
  });

  test('any other selection ends the selection of all', () => {
    expect(after(whole).whole).toBe(true);
    for (const event of [toggle(0), extend(0), { type: 'cleared' }, { type: 'page-selected', ids, on: true }] as const)
      expect(after(whole, event).whole, event.type).toBe(false);
  });

  test('a change of the status ends it, any other change keeps it', () => {
    const acted = (isStatus: boolean): ListEvent => ({ type: 'acted', ids: ['2'], isStatus });
    expect(selected(toggle(1), acted(true))).toEqual([]);
    expect(selected(toggle(1), acted(false))).toEqual(['2']);
    expect([...after(acted(true), { type: 'acted', ids: ['3'], isStatus: true }).touched]).toEqual(['2', '3']);
  });
});

test('another address forgets all but what is open', () => {
  const open = { what: 'delete', discard: false, targets: [] } as const;
  const state = after(
    whole,
    { type: 'arrived', message: arrived(['1']) },
    { type: 'acted', ids: ['1'], isStatus: false },
    { type: 'merged', into: { shortId: 'WEB-1', project: 'web' } },
    { type: 'opened', open },
    { type: 'moved', address: '/issues?q=x' },
  );
  expect(state).toEqual({ ...listAt('/issues?q=x'), open });
});

test('news last until the list is asked again', () => {
  const news: ListEvent = { type: 'arrived', message: arrived(['1', '2']) };
  expect(after(news).news.risen.size).toBe(2);
  expect(after(news, { type: 'asked' }).news.risen.size).toBe(0);
});

describe('rows', () => {
  const row = (id: string, status: 'unresolved' | 'resolved') => ({ id, status });
  const listed = [row('1', 'unresolved'), row('2', 'resolved'), row('3', 'resolved')];
  const state = { touched: new Set(['2']), selected: new Set(['1', '2', '9']) };

  test('what was changed here leaves a list of another status; what changed elsewhere waits for the answer', () => {
    const { issues, leaving, chosen } = rowsOf(listed, state, 'unresolved');
    expect(issues.map(({ id }) => id)).toEqual(['1', '3']);
    expect([...leaving]).toEqual(['2']);
    expect(
      chosen.map(({ id }) => id),
      'only what is a row',
    ).toEqual(['1']);
  });

  test('a list of several statuses keeps all', () => {
    expect(rowsOf(listed, state, undefined).issues).toHaveLength(3);
  });

  test('the focus goes to the next row that stays, else to the one before', () => {
    const rows = ids.map((id) => ({ id }));
    expect(rowAfter(rows, 1, new Set(['2', '3']))).toBe(3);
    expect(rowAfter(rows, 3, new Set(['4', '5']))).toBe(2);
    expect(rowAfter(rows, 0, new Set(ids))).toBe(0);
  });
});

describe('asking again without a press', () => {
  const issues = ids.map((id) => ({ id, status: 'unresolved' as const }));
  const changed: LiveMessage = { type: 'issues', projectId: '1', projectSlug: 'web', issueIds: ['2'] };
  const rows = { issues, chosen: [] };

  test.each([
    ['the stream is back', { type: 'reconnected' } as const, rows, false, true],
    ['new events', arrived(['1']), rows, false, false],
    ['new events in an empty list', arrived(['1']), { issues: [], chosen: [] }, false, true],
    ['a row was changed', changed, rows, false, true],
    ['another issue was changed', { ...changed, issueIds: ['9'] }, rows, false, false],
    ['a row was changed while some are selected', changed, { issues, chosen: issues.slice(0, 1) }, false, false],
    ['a row was changed by us', changed, rows, true, false],
  ])('%s', (_name, message, shown, isActing, expected) => {
    expect(asksAgain(message, shown, isActing)).toBe(expected);
  });
});
