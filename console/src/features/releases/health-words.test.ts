import { expect, test } from 'vitest';
import { adoptionWords, badShare, freeShare, healthTone } from './health-words.ts';

test.each([
  [null, '–'],
  [1, '100%'],
  [0.999999, '>99.99%'],
  [0.99996, '>99.99%'],
  [0.9995, '99.95%'],
  [0.99996 - 0.0001, '99.98%'],
  [0.9849, '98.4%'],
  [0.5, '50%'],
  [0.05, '5%'],
  [0, '0%'],
])('crash-free %s is %s', (value, words) => {
  expect(freeShare(value)).toBe(words);
});

test.each([
  [null, '–'],
  [0, '0%'],
  [0.00001, '<0.01%'],
  [0.0003, '0.03%'],
  [0.04567, '4.57%'],
  [0.1234, '12.3%'],
  [1, '100%'],
])('bad %s is %s', (value, words) => {
  expect(badShare(value)).toBe(words);
});

test('tones', () => {
  expect([null, 1, 0.995, 0.99, 0.9].map(healthTone)).toEqual(['none', 'good', 'good', 'meh', 'poor']);
});

test('adoption', () => {
  expect(adoptionWords({ adoption: null, stage: null })).toMatchObject({ share: '–', stage: '' });
  expect(adoptionWords({ adoption: 0.004, stage: 'low' })).toMatchObject({ share: '<1%', stage: 'low' });
  expect(adoptionWords({ adoption: 0.42, stage: 'adopted' }).sentence).toMatch(/^42% of the sessions of the last 24 h/);
  expect(adoptionWords({ adoption: 0, stage: 'replaced' })).toMatchObject({ share: '0%', stage: 'replaced' });
});
