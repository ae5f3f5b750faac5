import { expect, test } from 'vitest';
import { fold, raisedThreshold, type Spark } from './fold.ts';

const minute = 60_000;
const at = (minutes: number, issueId = 1, value = 0): Spark => ({ at: minutes * minute, issueId, why: '', value });
const times = (sparks: readonly Spark[], throttleMinutes: number, digestMinutes = 0) => {
  const { fired, messages } = fold(sparks, { throttleMinutes, digestMinutes });
  return { fired: fired.map((one) => one.at / minute), messages };
};

test('a throttle is of one issue', () => {
  expect(times([at(0), at(10), at(10, 2), at(30), at(59), at(60)], 30)).toEqual({
    fired: [0, 10, 30, 60],
    messages: 4,
  });
  expect(times([at(0), at(0.5), at(1)], 0).fired).toEqual([0, 1]);
});

test('the first is told at once, what follows is gathered', () => {
  const storm = Array.from({ length: 12 }, (_, index) => at(index / 10, index));
  expect(times(storm, 30, 5)).toEqual({ fired: storm.map((one) => one.at / minute), messages: 2 });
  expect(times([...storm, at(5.5, 20), at(40, 21)], 30, 5).messages).toBe(4);
  expect(times([at(0), at(6, 2), at(12, 3)], 30, 5).messages).toBe(3);
  expect(times([], 30, 5).messages).toBe(0);
});

test('a threshold that is reached seldom', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1);
  const raised = raisedThreshold(values, 100, (threshold) => values.filter((value) => value >= threshold).length);
  expect(raised).toEqual({ threshold: 200, count: 1 });
  expect(raisedThreshold([], 0, () => 0)).toBeUndefined();
  expect(raisedThreshold([5, 5, 5, 5, 5, 5, 5], 0, () => 7)).toBeUndefined();
  // What is exceeded all the time begins once.
  expect(raisedThreshold([0, 3, 12, 40], 10, (threshold) => (threshold < 1 ? 1 : threshold > 12 ? 2 : 80))).toEqual({
    threshold: 40,
    count: 2,
  });
});
