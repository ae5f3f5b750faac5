import { expect, test } from 'vitest';
import type { Condition, IssueTrigger } from '../types.ts';
import { type IssueFacts, judge, memoryOf, typesOf } from './judge.ts';

const facts = (overrides: Partial<IssueFacts> = {}): IssueFacts => ({
  issueId: 7,
  happenings: [],
  sightings: [],
  measured: new Map(),
  lastFiring: 0,
  ...overrides,
});
const any = (...conditions: Condition[]): IssueTrigger => ({ match: 'any', conditions });
const all = (...conditions: Condition[]): IssueTrigger => ({ match: 'all', conditions });
const often: Condition = { type: 'event_frequency', count: 10, minutes: 5 };
const many: Condition = { type: 'user_frequency', count: 3, minutes: 90 };
const isNew = { id: 4, types: ['new_issue' as const], at: 1_000 };
const causes = (trigger: IssueTrigger, overrides: Partial<IssueFacts>) =>
  judge(trigger, facts(overrides)).map((one) => one.cause);

test('each thing that happened is a cause', () => {
  const cameBack = { id: 9, types: ['escalating' as const, 'unarchived' as const], at: 2_000 };
  expect(causes(any({ type: 'new_issue' }), { happenings: [isNew, cameBack] })).toEqual(['activity:4']);
  // Once, though both conditions are about it.
  expect(causes(any({ type: 'escalating' }, { type: 'unarchived' }), { happenings: [cameBack] })).toEqual([
    'activity:9',
  ]);
  expect(causes(any({ type: 'regression' }), { happenings: [isNew] })).toEqual([]);
});

test('what holds is a cause again after the rule has fired', () => {
  expect(causes(any(often), { measured: new Map([[0, 9]]) })).toEqual([]);
  expect(judge(any(often), facts({ measured: new Map([[0, 12]]) }))).toMatchObject([
    { cause: 'holds:7:0', why: '12 events in 5 minutes', value: 12, threshold: 10, isHappening: false },
  ]);
  expect(
    causes(any(often, many), {
      measured: new Map([
        [0, 12],
        [1, 3],
      ]),
      lastFiring: 88,
    }),
  ).toEqual(['holds:7:88']);
});

test('all of several conditions', () => {
  const trigger = all({ type: 'new_issue' }, often);
  expect(causes(trigger, { happenings: [isNew] })).toEqual([]);
  expect(causes(trigger, { measured: new Map([[1, 10]]) })).toEqual([]);
  // The cause is what happened: however often it holds, it fires once.
  expect(judge(trigger, facts({ happenings: [isNew], measured: new Map([[1, 10]]), lastFiring: 3 }))).toMatchObject([
    { cause: 'all:activity:4', why: 'New issue; 10 events in 5 minutes', value: 10, isHappening: true },
  ]);
  expect(
    causes(all(often, many), {
      measured: new Map([
        [0, 10],
        [1, 5],
      ]),
    }),
  ).toEqual(['holds:7:0']);
  expect(memoryOf(all({ type: 'new_issue' }, many))).toBe(90 * 60_000);
  expect(memoryOf(trigger)).toBe(60 * 60_000);
});

test('digests that somebody waits for, and digests by name', () => {
  const sightings = [
    { digest: '123', watchId: 5, at: 1 },
    { digest: '456', watchId: undefined, at: 1 },
  ];
  expect(causes(any({ type: 'watched_digest', digest: null }), { sightings })).toEqual(['watch:5:123']);
  expect(causes(any({ type: 'watched_digest', digest: '456' }), { sightings })).toEqual(['holds:7:0']);
  expect(causes(any({ type: 'watched_digest', digest: '789' }), { sightings })).toEqual([]);
});

test('what entries of the activity mean', () => {
  expect(typesOf('first_seen', {})).toEqual(['new_issue']);
  expect(typesOf('set_escalating', { from: 'ongoing' })).toEqual(['escalating']);
  expect(typesOf('set_escalating', { from: 'archived_until_escalating' })).toEqual(['escalating', 'unarchived']);
  expect(typesOf('archived_condition_met', {})).toEqual(['unarchived']);
  expect(typesOf('set_resolved', {})).toEqual([]);
  expect(typesOf('__proto__', {})).toEqual([]);
});
