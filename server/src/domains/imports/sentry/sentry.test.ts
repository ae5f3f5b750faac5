import { expect, test } from 'vitest';
import { fromEntries } from './entries.ts';
import { nextCursor } from './index.ts';
import { toIssue } from './issue.ts';
import { ofAlert, ofRule } from './rules.ts';
import * as shapes from './shapes.ts';

test.each([
  [
    '<https://x/?cursor=0:0:1>; rel="previous"; results="false"; cursor="0:0:1", <https://x/?cursor=0:100:0>; rel="next"; results="true"; cursor="0:100:0"',
    '0:100:0',
  ],
  ['<https://x/?cursor=0:100:0>; rel="next"; results="false"; cursor="0:100:0"', undefined],
  ['<https://x/api?cursor=abc%3D>; rel="next"', 'abc='],
  ['nonsense', undefined],
  [undefined, undefined],
])('the next page of %s', (link, cursor) => {
  expect(nextCursor(link)).toBe(cursor);
});

const base = { id: 1, firstSeen: '2026-11-01T00:00:00Z', lastSeen: '2026-11-02T00:00:00.5Z', count: '12' };
const statusOf = (more: object) => toIssue(shapes.Issue.parse({ ...base, ...more })).status;

test.each([
  [{ status: 'unresolved' }, { state: 'unresolved' }],
  [{ status: 'reprocessing' }, { state: 'unresolved' }],
  [{ status: 'resolved' }, { state: 'resolved' }],
  [{ status: 'resolved', statusDetails: { inNextRelease: true } }, { state: 'in_next_release' }],
  [
    { status: 'resolved', statusDetails: { inRelease: 'a@1' } },
    { state: 'in_release', release: 'a@1' },
  ],
  [{ status: 'ignored' }, { state: 'archived_forever' }],
  [{ status: 'ignored', substatus: 'archived_until_escalating' }, { state: 'archived_until_escalating' }],
  [
    { status: 'ignored', statusDetails: { ignoreUntil: '2026-12-01T00:00:00Z' } },
    { state: 'archived_until_condition_met', until: Date.UTC(2026, 11, 1) },
  ],
])('%j', (shown, status) => {
  expect(statusOf(shown)).toEqual(status);
});

test('conditions of rules: those that are known here come, the others are told', () => {
  const rule = shapes.Rule.parse({
    id: '1',
    name: 'R',
    actionMatch: 'all',
    conditions: [
      { id: 'sentry.rules.conditions.regression_event.RegressionEventCondition' },
      { id: 'sentry.rules.conditions.event_frequency.EventUniqueUserFrequencyCondition', value: '9', interval: '5m' },
      { id: 'sentry.rules.conditions.event_frequency.EventFrequencyCondition', value: 9, interval: '1w' },
      { id: '__proto__', value: 1, interval: '__proto__' },
    ],
    filters: [{}],
  });
  expect(ofRule(rule)).toMatchObject({
    match: 'all',
    conditions: [{ type: 'regression' }, { type: 'user_frequency', count: 10, minutes: 5 }],
    lost: ['conditions', 'filters'],
  });
  const alert = shapes.ProjectAlert.parse({ pk: 3, timespan_minutes: 5, quantity: 2 });
  expect(ofAlert(alert)).toMatchObject({ conditions: [{ type: 'event_frequency', count: 2, minutes: 5 }] });
});

test('what is shown is not trusted to be whole', () => {
  for (const entries of [null, 'x', [null, 1, { type: '__proto__', data: {} }, { type: 'exception' }]]) {
    expect(() => fromEntries({ entries, tags: [null, {}], release: null })).not.toThrow();
  }
  const hostile = { type: 'exception', data: { values: [{ stacktrace: { frames: [null, { context: [1, [2]] }] } }] } };
  expect(fromEntries({ entries: [hostile] })).toMatchObject({
    exception: { values: [{ stacktrace: { frames: [{}, {}] } }] },
  });
});
