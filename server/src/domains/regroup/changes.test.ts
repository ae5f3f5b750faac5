import { expect, test } from 'vitest';
import { changesOf } from './changes.ts';
import { placesOf, type Regrouped } from './places.ts';

const one = (issueId: number, hash: string, overrides: Partial<Regrouped> = {}): Regrouped => ({
  issueId,
  events: 10,
  stays: false,
  hashes: [hash],
  previous: [],
  title: `title of ${hash}`,
  fingerprint: null,
  exampleEventId: `${issueId}${hash}`,
  ...overrides,
});
const stays = (issueId: number, events = 10) => one(issueId, `old ${issueId}`, { stays: true, events });

const change = (all: readonly Regrouped[], owners: Record<string, number> = {}) =>
  changesOf(placesOf(all, new Map(Object.entries(owners))));

test('what stays is unchanged, wherever a person has put it', () => {
  expect(change([stays(1), stays(2)], { 'old 1': 9 })).toEqual({ merges: [], splits: [], unchanged: 2 });
});

test('a new hash of one issue changes nothing: the issue gets it', () => {
  expect(change([one(1, 'x'), stays(2)])).toEqual({ merges: [], splits: [], unchanged: 2 });
});

test('issues that share a new hash are one, in the one with most events', () => {
  const { merges, unchanged } = change([one(1, 'x'), one(2, 'x', { events: 30 }), one(3, 'x'), stays(4)]);
  expect(merges).toEqual([
    {
      into: 2,
      title: 'title of x',
      issues: [
        { issueId: 2, events: 30 },
        { issueId: 1, events: 10 },
        { issueId: 3, events: 10 },
      ],
    },
  ]);
  expect(unchanged).toBe(1);
});

test('an issue that owns the hash gets the events of others', () => {
  const { merges, unchanged } = change([one(1, 'x'), stays(2)], { x: 2 });
  expect(merges).toMatchObject([{ into: 2, issues: [{ issueId: 1 }, { issueId: 2 }] }]);
  expect(unchanged).toBe(0);
});

test('also one that has no event of its own in the sample', () => {
  expect(change([one(1, 'x')], { x: 7 }).merges).toMatchObject([{ into: 7, issues: [{ issueId: 1 }] }]);
});

test('an issue that breaks apart keeps its largest part; the rest are new', () => {
  const parts = [one(1, 'a', { events: 5 }), one(1, 'b', { events: 20, fingerprint: ['b'] }), stays(1, 1)];
  expect(change(parts)).toEqual({
    merges: [],
    splits: [
      {
        issueId: 1,
        parts: [
          // With what stays as it is.
          { title: 'title of b', events: 21, fingerprint: ['b'], exampleEventId: '1b' },
          { title: 'title of a', events: 5, fingerprint: null, exampleEventId: '1a' },
        ],
      },
    ],
    unchanged: 0,
  });
  // The largest part stays as it is, so each of the others is a new issue.
  expect(placesOf([stays(1, 50), one(1, 'a')], new Map()).map(({ to }) => to)).toEqual([1, 'a']);
});

test('small parts of two issues that meet make a new issue', () => {
  const { merges, splits } = change([stays(1, 50), one(1, 'x'), stays(2, 50), one(2, 'x')]);
  expect(merges).toMatchObject([{ into: null, issues: [{ issueId: 1 }, { issueId: 2 }] }]);
  expect(splits.map(({ issueId }) => issueId)).toEqual([1, 2]);
});

test('after an upgrade the version before leads to the issue, so nothing breaks apart', () => {
  const parts = [one(1, 'a', { previous: ['old'] }), one(1, 'b', { previous: ['old'] })];
  expect(change(parts, { old: 1 })).toEqual({ merges: [], splits: [], unchanged: 1 });
});
