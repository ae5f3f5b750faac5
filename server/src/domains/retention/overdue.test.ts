import { expect, test } from 'vitest';
import { eachClass } from '../../base/retention.ts';
import { agesBy, daysFor, longestOf } from './ages.ts';
import { groupsOf, overdueOf } from './overdue.ts';
import { changedPolicies, chosenBy } from './policies.ts';

const now = Date.parse('2026-03-04T12:00:00Z');
const policies = [
  { id: 1, name: 'Short', days: 14 },
  { id: 2, name: 'Long', days: 365 },
];
const choices = [
  { projectId: 7, name: 'logs', policyId: 1 },
  { projectId: 8, name: 'logs', policyId: 2 },
  { projectId: 9, name: 'logs', policyId: 1 },
  { projectId: 8, name: 'errors', policyId: 1 },
] as const;
const rules = eachClass(() => ({ days: null, limitBytes: null }));
const ages = agesBy({ rules, policies, choices }, 90);

test('a project has the age that it chose for a class, and that of the class elsewhere', () => {
  expect([7, 8, 1].map((id) => daysFor(ages.logs, id))).toEqual([14, 365, 90]);
  expect([7, 8, 1].map((id) => daysFor(ages.errors, id))).toEqual([90, 14, 90]);
});

test('whole parts go by the longest age: that of the class at least', () => {
  expect(longestOf(ages.logs)).toBe(365);
  expect(longestOf(ages.errors)).toBe(90);
  expect(longestOf(ages.spans)).toBe(90);
});

test('where nobody chose anything, nothing goes row by row', () => {
  expect(overdueOf('timestamp', groupsOf(ages.spans), { engineDays: 90, now })).toBeUndefined();
});

test('rows go that are older than the week of their age, each project by its own', () => {
  const overdue = overdueOf('timestamp', groupsOf(ages.logs), { engineDays: 365, now });
  // 90 and 14 days ago, each the Monday before.
  const [ninety, fourteen] = ['2025-12-01', '2026-02-16'].map((day) => Date.parse(day));
  expect(overdue).toEqual({
    condition:
      `((timestamp < fromUnixTimestamp64Milli(${ninety}, 'UTC') AND project_id NOT IN {projects0:Array(UInt64)}) OR ` +
      `(timestamp < fromUnixTimestamp64Milli(${fourteen}, 'UTC') AND project_id IN {projects1:Array(UInt64)}))`,
    params: { projects0: [7, 8, 9], projects1: [7, 9] },
  });
});

test('of a project on hold nothing goes, whatever it chose; of all others all does, since the engine lets nothing go', () => {
  const groups = groupsOf(ages.logs, [7, 3]);
  expect(groups).toEqual([
    { days: 90, projects: [7, 8, 9, 3], isOthers: true },
    { days: 365, projects: [8], isOthers: false },
    { days: 14, projects: [9], isOthers: false },
  ]);
  expect(overdueOf('hour', groups, { engineDays: null, now })?.condition.split(' OR ')).toHaveLength(3);
});

test('policies are known by their name, whatever its case, and one that is used stays', () => {
  expect(changedPolicies(policies, choices, [{ name: 'short', days: 7 }, ...policies.slice(1)])).toEqual([
    { id: 1, name: 'short', days: 7 },
    { id: 2, name: 'Long', days: 365 },
  ]);
  expect(() => changedPolicies(policies, choices, policies.slice(1))).toThrow(
    'The policy "Short" is used by 3 projects; choose another one for them before you delete it',
  );
  const twice = ['Short', 'SHORT'].map((name) => ({ name, days: 3 }));
  expect(() => changedPolicies([], [], twice)).toThrow('The policy "Short" appears twice');
});

test('a choice is changed by class; null goes back to the class, and others stay', () => {
  expect(chosenBy(policies, choices, 8, { logs: null, spans: 'LONG' })).toEqual([
    { projectId: 8, name: 'errors', policyId: 1 },
    { projectId: 8, name: 'spans', policyId: 2 },
  ]);
  expect(() => chosenBy(policies, choices, 8, { logs: 'never' })).toThrow('There is no retention policy "never"');
});
