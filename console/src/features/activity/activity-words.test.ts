import { expect, test } from 'vitest';
import { activityWords } from './activity-words.ts';

const words = (type: string, data: Record<string, unknown> = {}) => activityWords({ type, data }, 'SHOP');

test.each([
  ['set_resolved', {}, 'Resolved'],
  ['set_resolved_in_release', { version: 'shop@2' }, 'Resolved in shop@2'],
  [
    'set_resolved_in_release',
    { inNextRelease: true, version: '', currentVersion: '1.9' },
    'Resolved in the next release, after 1.9',
  ],
  [
    'set_resolved_in_commit',
    { commit: '4f2c1ab99ffee0011', version: 'shop@2', message: 'fixes SHOP-1' },
    'Resolved by commit 4f2c1ab99ffe in shop@2: “fixes SHOP-1”',
  ],
  ['set_regression', { version: 'shop@3' }, 'Regressed in shop@3'],
  ['set_escalating', { count: 412, forecast: 60 }, 'Escalating: 412 events in an hour, at most 60 expected'],
  ['set_ignored', { to: 'archived_until_escalating' }, 'Archived until it escalates'],
  ['set_ignored', { to: 'archived_until_condition_met', ignoreDuration: 1440 }, 'Archived for 1 day'],
  [
    'set_ignored',
    { to: 'archived_until_condition_met', ignoreCount: 100, ignoreWindow: 60 },
    'Archived until 100 more events within 1 hour',
  ],
  ['archived_condition_met', { ignoreCount: 100, events: 100 }, 'Unresolved again after 100 more events'],
  ['archived_condition_met', { ignoreDuration: 5 }, 'Unresolved again: the archive period ended'],
  ['assigned', { assigneeType: 'team', assigneeName: 'web', why: 'ownership' }, 'Assigned to #web by ownership rules'],
  ['assigned', { assigneeType: 'user', assigneeName: '', assigneeEmail: 'a@b.c', why: 'user' }, 'Assigned to a@b.c'],
  ['set_priority', { priority: 'high', reason: 'escalating' }, 'Priority high because it escalates'],
  ['merged', { issues: [{ number: 3 }], count: 1 }, 'SHOP-3 merged into this issue'],
  ['set_unresolved', { undo: true, from: 'resolved' }, 'Undone: the previous status is back'],
])('%s %j', (type, data, expected) => {
  expect(words(type, data)).toBe(expected);
});

test('what is broken or unknown is still words', () => {
  expect(words('set_ignored', { to: 7, ignoreCount: 'x' })).toBe('Archived');
  expect(words('assigned', {})).toBe('Assigned to someone');
  expect(words('set_escalating', { count: null })).toBe('Escalating');
  expect(words('something_new')).toBe('something new');
  expect(words('__proto__').trim()).toBe('proto');
  expect(words('auto_set_ongoing')).toBe('Ongoing after seven days as new, regressed or escalating');
  expect(words('mark_reviewed')).toBe('Marked as reviewed');
});
