import { expect, test } from 'vitest';
import { placeOf, sampleCells } from './samples.ts';

const id = 'a'.repeat(32);

test('an error leads to its event, or to what finds it', () => {
  expect(placeOf({ id, issue: 'SHOP-1' }, 'errors')).toEqual({ kind: 'event', issue: 'SHOP-1', event: id });
  expect(placeOf({ id, issue: null }, 'errors')).toEqual({ kind: 'find', text: id });
  expect(placeOf({ issue: 'SHOP-1' }, 'errors')).toEqual({ kind: 'none' });
});

test('a span leads to its place in the trace', () => {
  expect(placeOf({ id: 'b', trace: id, timestamp: '1970-01-01T00:01:00.9Z' }, 'spans')).toEqual({
    kind: 'trace',
    trace: id,
    span: 'b',
    at: 60,
  });
  expect(placeOf({ trace: id }, 'transactions')).toEqual({ kind: 'trace', trace: id, span: undefined, at: undefined });
  expect(placeOf({ id: 'b', trace: '' }, 'spans')).toEqual({ kind: 'none' });
});

test('cells are written by their type', () => {
  const meta = {
    fields: { timestamp: 'date', 'span.duration': 'duration', 'http.status_code': 'integer', level: 'string' },
    units: { 'span.duration': 'millisecond' },
  };
  const cells = sampleCells(
    { timestamp: '1970-01-01T00:00:01Z', 'span.duration': 12.5, 'http.status_code': 5001, level: null },
    meta,
    ['timestamp', 'span.duration', 'http.status_code', 'level', '__proto__'],
  );
  expect(cells.map(({ text, numeric, atMs }) => [text, numeric, atMs])).toEqual([
    ['1970-01-01T00:00:01Z', false, 1000],
    ['12.5\u00a0ms', true, undefined],
    ['5001', true, undefined],
    ['(none)', false, undefined],
    ['(none)', false, undefined],
  ]);
});
