import { expect, test } from 'vitest';
import { goesBy, goesForRoom, type Unit } from './goes.ts';

const day = 86_400_000;
const now = 100 * day;
const unit = (beforeDay: number, bytes: number, bySize = true): Unit => ({
  before: beforeDay * day,
  bytes,
  rows: bytes * 10,
  bySize,
});
const stored = { units: [unit(70, 10), unit(75, 3, false), unit(80, 20), unit(90, 30), unit(104, 40)] };

test('by age go the parts of which all is old', () => {
  expect(goesBy(stored, { days: 90, limitBytes: null }, now)).toEqual({
    bytes: 0,
    rows: 0,
    before: null,
    overBytes: 0,
  });
  expect(goesBy(stored, { days: 20, limitBytes: null }, now)).toMatchObject({ bytes: 33, rows: 330, before: 80 * day });
  expect(goesBy(stored, { days: 21, limitBytes: null }, now)).toMatchObject({ bytes: 13, before: 75 * day });
});

test('by size the oldest go until the rest fits; counts by month stay, and so does what is written still', () => {
  expect(goesBy(stored, { days: 90, limitBytes: 103 }, now)).toMatchObject({ bytes: 0, overBytes: 0 });
  expect(goesBy(stored, { days: 90, limitBytes: 102 }, now)).toMatchObject({
    bytes: 10,
    before: 70 * day,
    overBytes: 0,
  });
  expect(goesBy(stored, { days: 90, limitBytes: 92 }, now)).toMatchObject({ bytes: 30, before: 80 * day });
  expect(goesBy(stored, { days: 90, limitBytes: 1 }, now)).toMatchObject({
    bytes: 60,
    before: 90 * day,
    overBytes: 42,
  });
});

test('by age and size together nothing counts twice', () => {
  expect(goesBy(stored, { days: 20, limitBytes: 60 }, now)).toMatchObject({
    bytes: 63,
    before: 90 * day,
    overBytes: 0,
  });
  expect(goesBy({ units: [] }, { days: 1, limitBytes: 0 }, now)).toMatchObject({ before: null, overBytes: 0 });
});

test('for room the oldest of all that have a limit go, and no more than is needed', () => {
  const classes = { logs: stored, spans: { units: [unit(77, 5), unit(104, 50)] }, errors: { units: [unit(10, 99)] } };
  const gone = goesForRoom(classes, ['logs', 'spans'], 12, now);
  expect([...gone]).toEqual([
    ['logs', { bytes: 10, rows: 100, before: 70 * day }],
    ['spans', { bytes: 5, rows: 50, before: 77 * day }],
  ]);
  expect([...goesForRoom(classes, [], 12, now)]).toEqual([]);
});
