import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockShift, sensibleTimes } from './clock.ts';
import { attachSpans } from './attach-spans.ts';
import type { SpanRemark } from './input.ts';
import { selfTime } from './self-time.ts';

test('self time counts what no child covers, once', () => {
  const span = { startUs: 100, endUs: 200 };
  expect(selfTime(span, [])).toBe(100);
  expect(selfTime(span, [{ startUs: 110, endUs: 120 }])).toBe(90);
  expect(
    selfTime(span, [
      { startUs: 130, endUs: 160 },
      { startUs: 110, endUs: 140 },
    ]),
  ).toBe(50);
  expect(
    selfTime(span, [
      { startUs: 0, endUs: 150 },
      { startUs: 190, endUs: 900 },
    ]),
  ).toBe(40);
  expect(
    selfTime(span, [
      { startUs: 0, endUs: 50 },
      { startUs: 300, endUs: 310 },
    ]),
  ).toBe(100);
  expect(selfTime(span, [{ startUs: 150, endUs: 110 }])).toBe(100);
  expect(selfTime({ startUs: 5, endUs: 5 }, [span])).toBe(0);
});

test('self time is the number of moments outside of all children', () => {
  const interval = fc.tuple(fc.nat(60), fc.nat(60)).map(([startUs, length]) => ({ startUs, endUs: startUs + length }));
  fc.assert(
    fc.property(interval, fc.array(interval, { maxLength: 8 }), (span, children) => {
      let free = 0;
      for (let at = span.startUs; at < span.endUs; at++) {
        if (!children.some(({ startUs, endUs }) => startUs <= at && at < endUs)) free++;
      }
      expect(selfTime(span, children)).toBe(free);
    }),
  );
});

const hang = (...pairs: [string, string][]) =>
  attachSpans(
    'root',
    pairs.map(([spanId, parentSpanId]) => ({ spanId, parentSpanId })),
  ).map(({ parent, broken }) => [parent, broken ?? '']);

test('spans hang where they say, and else on the root', () => {
  expect(hang(['a', 'root'], ['b', 'a'], ['c', 'gone'], ['d', ''])).toEqual([
    [-1, ''],
    [0, ''],
    [-1, 'parent_missing'],
    [-1, 'parent_missing'],
  ]);
  expect(hang(['a', 'a'])).toEqual([[-1, 'parent_cycle']]);
  expect(hang(['a', 'c'], ['b', 'a'], ['c', 'b'], ['d', 'c'])).toEqual([
    [-1, 'parent_cycle'],
    [0, ''],
    [1, ''],
    [2, ''],
  ]);
  expect(hang(['a', 'root'], ['a', 'root'], ['b', 'a'], ['root', 'a'])).toEqual([
    [-1, ''],
    [-1, 'duplicate_span_id'],
    [0, ''],
    [0, 'duplicate_span_id'],
  ]);
});

test('whatever the parents, each span leads to the root', () => {
  const id = fc.constantFrom('root', 'a', 'b', 'c', 'd', 'e', 'gone');
  fc.assert(
    fc.property(fc.array(fc.tuple(id, id), { maxLength: 12 }), (pairs) => {
      const places = attachSpans(
        'root',
        pairs.map(([spanId, parentSpanId]) => ({ spanId, parentSpanId })),
      );
      for (const start of places.keys()) {
        let steps = 0;
        for (let at = start; at >= 0; at = places[at]?.parent ?? -1) expect(++steps).toBeLessThanOrEqual(places.length);
      }
    }),
  );
});

const day = 86_400_000_000;
const receivedAt = Date.UTC(2026, 10, 21);
const received = receivedAt * 1000;

function sensible(startUs: number, endUs: number) {
  const remarks: SpanRemark[] = [];
  const times = sensibleTimes({ startUs, endUs }, receivedAt, (remark) => remarks.push(remark));
  return [times.startUs - received, times.endUs - times.startUs, remarks.map(({ what }) => what)];
}

test('times beyond sense', () => {
  expect(sensible(received - 5, received)).toEqual([-5, 5, []]);
  expect(sensible(received, received - 7)).toEqual([0, 0, ['negative_duration']]);
  expect(sensible(received + day, received + 2 * day)).toEqual([-day, day, ['future_timestamp']]);
  expect(sensible(received - 365 * day, received)).toEqual([-30 * day, 30 * day, ['long_span']]);
  expect(sensible(0, 9)).toEqual([-30 * day, 9, ['past_timestamp']]);
  expect(sensible(Number.NaN, Number.POSITIVE_INFINITY)).toEqual([0, 0, []]);
});

test('spans that came together are moved together, whatever one of them says', () => {
  const sentAt = receivedAt - 10;
  expect(clockShift([received - 9, received - 5, 9e18], { receivedAt, sentAt })).toEqual({ shiftUs: 0 });
  const late = { receivedAt, sentAt: receivedAt - 7_200_000 };
  expect(clockShift([received - 7_200_000_500], late)).toMatchObject({
    shiftUs: 7_200_000_000,
    remark: { what: 'clock_drift' },
  });
  expect(clockShift([received + 3_600_000_000], { receivedAt })).toMatchObject({
    shiftUs: -3_600_000_000,
    remark: { what: 'future_timestamp' },
  });
  expect(clockShift([], { receivedAt })).toEqual({ shiftUs: 0 });
});
