import { expect, test } from 'vitest';
import { slopePerHour } from './soak.ts';

test('growth is the slope through all minutes, not from the first to the last', () => {
  expect(slopePerHour([100, 101, 102, 103])).toBeCloseTo(60);
  expect(slopePerHour([100, 110, 100, 110, 100])).toBeCloseTo(0);
});
