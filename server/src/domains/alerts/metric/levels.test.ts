import { expect, test } from 'vitest';
import { errorCount } from '../testing/metric.ts';
import type { MetricState } from '../types.ts';
import { nextState, type Reading, readingOf, tellingOf, thresholdsOf, type NotifiedState } from './levels.ts';

const metric = errorCount({ warning: 50, critical: 100 });

/** After one such reading, and after a second one, in a state that no reading has eased yet. */
const table: Record<MetricState, Record<Reading, readonly [MetricState, MetricState]>> = {
  ok: {
    critical: ['critical', 'critical'],
    warning: ['warning', 'warning'],
    between: ['ok', 'ok'],
    normal: ['ok', 'ok'],
    none: ['ok', 'ok'],
    learning: ['learning', 'learning'],
  },
  warning: {
    critical: ['critical', 'critical'],
    warning: ['warning', 'warning'],
    between: ['warning', 'warning'],
    normal: ['warning', 'ok'],
    none: ['warning', 'ok'],
    learning: ['warning', 'ok'],
  },
  critical: {
    critical: ['critical', 'critical'],
    warning: ['critical', 'warning'],
    between: ['critical', 'critical'],
    normal: ['critical', 'ok'],
    none: ['critical', 'ok'],
    learning: ['critical', 'ok'],
  },
  no_data: {
    critical: ['critical', 'critical'],
    warning: ['warning', 'warning'],
    between: ['ok', 'ok'],
    normal: ['ok', 'ok'],
    none: ['ok', 'ok'],
    learning: ['learning', 'learning'],
  },
  learning: {
    critical: ['critical', 'critical'],
    warning: ['warning', 'warning'],
    between: ['ok', 'ok'],
    normal: ['ok', 'ok'],
    none: ['ok', 'ok'],
    learning: ['learning', 'learning'],
  },
};

const cases = Object.entries(table).flatMap(([state, row]) =>
  Object.entries(row).map(([reading, [once, twice]]) => [state, reading, once, twice] as const),
);

test.each(cases)('%s, read as %s, is %s and then %s', (state, reading, once, twice) => {
  const first = nextState({ state: state as MetricState, calm: 0 }, reading as Reading, 'ok');
  expect(first.state).toBe(once);
  expect(nextState(first, reading as Reading, 'ok').state).toBe(twice);
});

test.each(Object.keys(table))('without data %s stays or says so, as the rule wants it', (name) => {
  const state = name as MetricState;
  expect(nextState({ state, calm: 1 }, 'none', 'keep')).toEqual({ state, calm: 0 });
  expect(nextState({ state, calm: 1 }, 'none', 'alert').state).toBe('no_data');
});

test('what goes up and down around a threshold is one alarm', () => {
  let held = { state: 'ok' as MetricState, calm: 0 };
  const states: MetricState[] = [];
  for (const value of [60, 48, 52, 47, 51, 44, 53, 44, 44]) {
    held = nextState(held, readingOf(value, thresholdsOf(metric)), 'ok');
    states.push(held.state);
  }
  expect(states).toEqual([...Array.from({ length: 8 }, () => 'warning'), 'ok']);
});

test('thresholds as scores, the larger the worse', () => {
  expect(thresholdsOf(metric)).toEqual({ warning: 50, critical: 100, resolve: 45 });
  expect(thresholdsOf({ ...metric, resolve: 10 }).resolve).toBe(10);
  const below = thresholdsOf({ ...metric, direction: 'below', warning: 99, critical: 95 });
  expect(below).toMatchObject({ warning: -99, critical: -95 });
  expect(below.resolve).toBeCloseTo(-108.9);
  expect(readingOf(-98, below)).toBe('warning');
  expect(readingOf(-90, below)).toBe('critical');
  expect(readingOf(-100, below)).toBe('between');
  expect(readingOf(null, below)).toBe('none');
});

test.each<[MetricState, NotifiedState, NotifiedState | undefined]>([
  ['ok', 'ok', undefined],
  ['ok', 'critical', 'ok'],
  ['ok', 'no_data', 'ok'],
  ['warning', 'ok', 'warning'],
  ['warning', 'warning', undefined],
  // A step down is no news; that it is over is.
  ['warning', 'critical', undefined],
  ['critical', 'warning', 'critical'],
  ['critical', 'critical', undefined],
  ['no_data', 'ok', 'no_data'],
  ['no_data', 'critical', undefined],
  ['learning', 'critical', undefined],
])('in %s, after %s was told, %s is told', (state, notified, telling) => {
  expect(tellingOf(state, notified)).toBe(telling);
});
