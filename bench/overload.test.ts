import { expect, test } from 'vitest';
import { caughtUpPerSecond, hiddenLags } from './overload.ts';

const sample = (atMs: number, records: number, lagSeconds: number) => ({ atMs, records, lagSeconds });

test('what is caught up counts from the end of the offer until all is stored', () => {
  const samples = [sample(0, 100, 1), sample(1000, 3000, 2), sample(2000, 2000, 2), sample(4000, 0, 0)];
  expect(caughtUpPerSecond(samples, 900, 4000)).toBe(1000);
  expect(caughtUpPerSecond(samples, 9000, 9000)).toBeNaN();
});

test('a lag must show where more waits than a second takes', () => {
  const samples = [sample(0, 500, 0), sample(1, 5000, 0.2), sample(2, 5000, 3)];
  expect(hiddenLags(samples, 1000)).toBe(1);
});
