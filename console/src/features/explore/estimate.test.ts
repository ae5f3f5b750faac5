import { expect, test } from 'vitest';
import { localTime } from '../../ui/relative-time.ts';
import { errorWords, estimateSentence, type Interval } from './estimate.ts';
import type { Measure } from './values.ts';

const count = { type: 'integer', unit: null };
const ms = { type: 'duration', unit: 'millisecond' };

test.each<[string, number, Interval, Measure, string, string]>([
  ['the larger side counts', 1000, [950, 1100], count, '±10%', '950 to 1,100, in 19 of 20 cases'],
  ['hardly off', 1000, [995, 1005], count, '±0.5%', '995 to 1,005, in 19 of 20 cases'],
  ['hardly known', 300, [40, 2400], ms, '±>100%', '40\u00a0ms to 2.4\u00a0s, in 19 of 20 cases'],
  ['known', 300, [300, 300], count, '', '300 to 300, in 19 of 20 cases'],
  ['none seen', 0, [0, 300], count, '≤ 300', '0 to 300, in 19 of 20 cases'],
  ['the greatest', 2970, [2970, null], ms, 'or more', '2.97\u00a0s in the sample. All rows may have more.'],
  ['the least', 2, [null, 2], count, 'or less', '2 in the sample. All rows may have less.'],
  ['not known', 2, [null, null], count, '±?', 'The sample is too small for a range'],
])('%s', (_, value, interval, measure, text, range) => {
  expect(errorWords(value, interval, measure)).toEqual({ text, range });
});

test('the last of the sample is a time that there may be later ones than', () => {
  const at = '2026-11-25T18:26:32.095Z';
  expect(errorWords(at, [at, null], { type: 'date', unit: null })).toEqual({
    text: 'or later',
    range: `${localTime(Date.parse(at))} in the sample. All rows may have later ones.`,
  });
});

test('an estimate says from how much it is', () => {
  expect(estimateSentence(0.105, 'spans')).toBe('Estimated from 11% of spans');
  expect(estimateSentence(0.0004, 'errors')).toBe('Estimated from <1% of errors');
});
