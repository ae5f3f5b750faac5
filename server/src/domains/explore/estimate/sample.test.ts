import { expect, test } from 'vitest';
import { drawSample, type SamplingLimits, samplingLimits, shareOf } from './sample.ts';

const limits: SamplingLimits = { exactRows: 3_000_000, stretches: 256, stretchRows: 2_048 };

test('what is no more than a second is read as it is', () => {
  expect(drawSample(6_000_000, 6_000_000, samplingLimits)).toBeUndefined();
  expect(drawSample(0, 0, samplingLimits)).toBeUndefined();
});

test.each([4e6, 1e7, 1e8, 1e9])('of %d rows as many are read as of any', (rows) => {
  const sample = drawSample(rows, rows, limits);
  const read = (sample?.drawn.length ?? 0) * (sample?.stretchRows ?? 0);
  expect(read).toBeGreaterThan(400_000);
  expect(read).toBeLessThan(700_000);
  expect(sample && shareOf(sample) * rows).toBeGreaterThan(400_000);
});

test('of a part of a table so many are drawn that enough are of the part, up to what goes with a question', () => {
  const part = drawSample(1e7, 1e8, limits);
  expect(part?.stretchRows).toBe(2_048);
  expect(part?.drawn.length).toBeGreaterThan(2_000);
  const sliver = drawSample(1e7, 1e10, limits);
  expect(sliver?.drawn.length).toBeLessThan(9_000);
  expect(sliver?.stretchRows).toBeGreaterThan(50_000);
});

test('two different stretches of each stratum, in order, the same for the same table', () => {
  const sample = drawSample(2e7, 2e7, limits);
  if (!sample) throw new Error('there is enough to draw from');
  const { drawn, perStratum } = sample;
  for (let index = 0; index < drawn.length; index += 2) {
    const [first = 0, second = 0] = drawn.slice(index, index + 2);
    expect(second).toBeGreaterThan(first);
    expect([Math.floor(first / perStratum), Math.floor(second / perStratum)]).toEqual([index / 2, index / 2]);
  }
  expect(drawSample(2e7, 2e7, limits)).toEqual(sample);
  expect(drawSample(2e7, 2e7 + 1, limits)?.drawn).not.toEqual(drawn);
});

test('no stretch is likelier than another', () => {
  const counts = Array.from({ length: 40 }, () => 0);
  const few: SamplingLimits = { exactRows: 10, stretches: 8, stretchRows: 10 };
  for (let seed = 1; seed <= 4000; seed += 1) {
    for (const stretch of drawSample(400, 400, few, seed)?.drawn ?? []) counts[stretch] = (counts[stretch] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(700);
  expect(Math.max(...counts)).toBeLessThan(900);
});
