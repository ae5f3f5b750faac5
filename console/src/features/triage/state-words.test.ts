import { expect, test } from 'vitest';
import { archive, resolve } from './actions.ts';
import { stateWords } from './state-words.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
const words = (status: 'unresolved' | 'resolved' | 'ignored', substatus: string | null, statusDetails: object = {}) => {
  const { word, how } = stateWords({ status, substatus, statusDetails: { ...statusDetails } }, now);
  return how ? `${word} ${how}` : word;
};

test('unresolved ones say what is special about them', () => {
  expect(words('unresolved', 'ongoing')).toBe('unresolved');
  expect(words('unresolved', 'new')).toBe('new first seen in the last 7 days');
  expect(words('unresolved', 'regressed')).toBe('regressed seen again after it was resolved');
  expect(words('unresolved', 'escalating')).toBe('escalating more events than forecast');
});

test('what an action shows at once has the words that its answer will have', () => {
  const { patch } = archive({ until: 'events', count: 100, minutes: 60 });
  expect(words('ignored', patch.substatus ?? null, patch.statusDetails)).toBe(
    'archived until 100 more events within 1 hour',
  );
  const day = archive({ until: 'time', minutes: 1440 }).patch;
  expect(words('ignored', day.substatus ?? null, day.statusDetails)).toBe('archived for 1 day');
  expect(words('resolved', null, resolve({ in: 'next' }).patch.statusDetails)).toBe('resolved in the next release');
  expect(words('resolved', null, resolve({ in: 'commit', commit: '4f2c1ab' }).patch.statusDetails)).toBe(
    'resolved by commit 4f2c1ab, as soon as a release contains it',
  );
});

test('resolved: where; archived: until when', () => {
  expect(words('resolved', null)).toBe('resolved');
  expect(words('resolved', 'in_release', { inRelease: 'shop@2.0.0' })).toBe('resolved in shop@2.0.0');
  expect(words('resolved', 'in_release', { inRelease: `shop@${'4f2c'.repeat(10)}` })).toBe(
    'resolved in shop@4f2c4f2c4f2c',
  );
  expect(words('resolved', 'in_release', { inRelease: '@scope/shop@2' })).toBe('resolved in @scope/shop@2');
  expect(words('ignored', 'archived_forever')).toBe('archived forever');
  expect(words('ignored', 'archived_until_escalating')).toBe('archived until it escalates');
  expect(words('ignored', 'archived_until_condition_met', { ignoreUntil: '2026-11-22T13:00:00Z' })).toBe(
    'archived for another 3\u00a0h',
  );
  expect(words('ignored', 'archived_until_condition_met', { ignoreCount: 5, ignoreUserCount: 2 })).toBe(
    'archived until 5 more events, or until 2 more users',
  );
  expect(words('ignored', 'archived_until_condition_met', { ignoreCount: 100, ignoreCountSoFar: 42 })).toBe(
    'archived until 100 more events (42 until now)',
  );
});

test('what is broken in the answer leaves words out', () => {
  expect(words('ignored', 'archived_until_condition_met', { ignoreCount: 'x', ignoreUntil: 7 })).toBe('archived');
  expect(words('resolved', 'in_commit', { inCommit: null })).toBe('resolved');
  const actor = { actor: { name: 'Ada' } };
  expect(stateWords({ status: 'resolved', substatus: null, statusDetails: actor }, now).by).toBe('Ada');
  expect(stateWords({ status: 'resolved', substatus: null, statusDetails: { actor: [] } }, now).by).toBe('');
});
