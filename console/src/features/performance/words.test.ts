import { describe, expect, test } from 'vitest';
import { axisTicks, countWithin, histogramSentence, isPicked, placeOf } from './histogram.ts';
import { tracePlace } from './links.ts';
import { transactionSortOf } from './queries.ts';
import { listSearch, transactionSearch } from './search.ts';
import { formatVital, ratingParts, thresholdWords, vitalRating } from './vitals.ts';
import { changeOf, milliseconds, perMinute, rate, share, toMarks } from './words.ts';

test('addresses are read leniently', () => {
  expect(transactionSearch.parse({ from: '120', until: 'x', op: '' })).toStrictEqual({ from: 120, op: '' });
  expect(transactionSearch.parse({ from: '-1', until: '1e99' })).toStrictEqual({});
  expect(listSearch.parse({ sort: 'p95', q: 'cart' })).toStrictEqual({ sort: 'p95', q: 'cart' });
  expect(listSearch.parse({ sort: 5 })).toStrictEqual({});
  expect(transactionSortOf('luck')).toBe(transactionSortOf(undefined));
});

test('rates and shares keep small numbers apart from nothing', () => {
  expect([0, 0.0007, 0.02, 0.5, 12.34, 1234].map(rate)).toEqual([
    '0/min',
    '1/d',
    '1.2/h',
    '30/h',
    '12.3/min',
    '1,234/min',
  ]);
  expect([0, 0.0001, 0.003, 0.0312, 0.2, 1].map(share)).toEqual(['0%', '<0.1%', '0.3%', '3.1%', '20%', '100%']);
});

test('a bucket that is not over counts by the part that is', () => {
  const bucket = { at: 1000, count: 30 };
  expect(perMinute(bucket, 600, 1_000_000_000)).toBe(3);
  expect(perMinute(bucket, 600, 1_300_000)).toBe(6);
  expect(perMinute(bucket, 600, 1_060_000)).toBeNull();
  expect(perMinute(bucket, 600, 0)).toBeNull();
});

describe('change against the period before', () => {
  const change = (now: number, before: number | undefined, good: 'up' | 'down' | 'none' = 'down') =>
    changeOf(now, before, good, milliseconds);

  test('has a direction, a tone and words', () => {
    expect(change(124, 100)).toEqual({
      direction: 'up',
      tone: 'worse',
      text: '24%',
      sentence: '24% higher than the period before, 100\u00a0ms',
    });
    expect(change(50, 100)).toMatchObject({ direction: 'down', tone: 'better', text: '50%' });
    expect(change(310, 100)).toMatchObject({
      text: '3.1×',
      sentence: '3.1× the period before, 100\u00a0ms',
    });
    expect(change(200, 100, 'none')).toMatchObject({ tone: 'neutral' });
    expect(change(200, 100, 'up')).toMatchObject({ tone: 'better' });
  });

  test('of nothing, of next to nothing, and from nothing', () => {
    expect(change(100, undefined)).toBeUndefined();
    expect(change(104, 100)).toMatchObject({ direction: 'same', text: 'no change' });
    expect(change(0, 0)).toMatchObject({ direction: 'same' });
    expect(change(5, 0)).toMatchObject({ direction: 'up', text: 'from 0', sentence: 'Was 0 in the period before' });
  });
});

test('vitals: thresholds belong to the better side, and parts add up to 100', () => {
  expect([2500, 2501, 4000, 4001].map((value) => vitalRating('lcp', value))).toEqual(['good', 'meh', 'meh', 'poor']);
  expect(vitalRating('cls', 0.1)).toBe('good');
  expect(formatVital('cls', 0.123_45)).toBe('0.123');
  expect(thresholdWords('inp')).toBe('good up to 200\u00a0ms, poor above 500\u00a0ms');
  expect(ratingParts({ count: 3, good: 1, poor: 1 }).map(({ percent }) => percent)).toEqual([34, 33, 33]);
  expect(ratingParts({ count: 0, good: 0, poor: 0 }).map(({ percent }) => percent)).toEqual([0, 0, 0]);
});

describe('the histogram', () => {
  const bars = [
    { fromMs: 1, untilMs: 2, count: 10 },
    { fromMs: 2, untilMs: 4, count: 0 },
    { fromMs: 4, untilMs: 8, count: 1000 },
    { fromMs: 8, untilMs: 16, count: 1 },
  ];

  test('what is not picked stands back', () => {
    expect(bars.map((bar) => isPicked(bar, undefined))).toEqual([true, true, true, true]);
    expect(bars.map((bar) => isPicked(bar, { from: 4, until: 8 }))).toEqual([false, false, true, false]);
  });

  test('a sentence says where most are', () => {
    expect(histogramSentence(bars)).toBe('1,011 transactions. Most frequent: 4\u00a0ms to 8\u00a0ms, 1,000 of them.');
    expect(histogramSentence([])).toBe('No transactions');
  });

  test('durations have their place by octaves', () => {
    expect([0, 1, 2, 4 * Math.SQRT2, 16, 99].map((ms) => Math.round(placeOf(ms, bars) * 1000))).toEqual([
      0, 0, 250, 625, 1000, 1000,
    ]);
    expect(placeOf(5, [])).toBe(0);
    expect(placeOf(0.0005, [{ fromMs: 0, untilMs: 0.002, count: 1 }])).toBe(0);
  });

  test('a range has a count', () => {
    expect(countWithin(bars, { from: 4, until: 16 })).toBe(1001);
  });

  test('not more edges are named than fit', () => {
    expect(axisTicks(bars, 2, milliseconds).map(({ label }) => label)).toEqual(['1\u00a0ms', '4\u00a0ms']);
  });
});

test('marks say what happened, and links where', () => {
  const mark = { at: 5, version: 'shop@2', shortVersion: '2' };
  const details = (environment: string | null) => toMarks([{ ...mark, environment }]).map(({ detail }) => detail);
  expect(details('production')).toEqual(['shop@2: deployed to production']);
  expect(details(null)).toEqual(['shop@2: first seen']);
  const marks = ['shop@2', 'api@2', 'api@3'].map((version, at) => ({
    at,
    version,
    shortVersion: version.slice(-1),
    environment: null,
  }));
  expect(toMarks(marks).map(({ label }) => label)).toEqual(['shop@2', 'api@2', '3']);
  expect(tracePlace({ traceId: 'a', spanId: 'b', startUs: 1_700_000_000_900_000 })).toEqual({
    params: { trace: 'a' },
    search: { span: 'b', at: 1_700_000_000 },
  });
});
