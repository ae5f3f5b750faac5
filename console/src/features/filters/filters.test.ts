import { expect, test } from 'vitest';
import { filtersSchema } from './filters.ts';
import { rangeLabel } from './range-words.ts';
import { rangeParameters } from './parameters.ts';

test('an address is read leniently: what makes no sense is absent', () => {
  expect(filtersSchema.parse({ range: '24h', project: 'web', junk: '1' })).toEqual({ range: '24h', project: 'web' });
  expect(filtersSchema.parse({ range: 'forever', start: 'yesterday' })).toEqual({
    range: undefined,
    start: undefined,
  });
  expect(filtersSchema.parse({ start: '2026-11-21T00:00:00Z' }).start).toBe('2026-11-21T00:00:00.000Z');
});

test('two instants win over a range; without any the server decides', () => {
  const start = '2026-11-20T00:00:00.000Z';
  const end = '2026-11-21T00:00:00.000Z';
  expect(rangeParameters({ range: '24h', start, end })).toEqual({ start, end });
  expect(rangeParameters({ range: '24h', start })).toEqual({ statsPeriod: '24h' });
  expect(rangeParameters({})).toEqual({});
});

test('ranges have names', () => {
  expect(rangeLabel({})).toBe('Last 14 days');
  expect(rangeLabel({ range: '3h' })).toBe('Last 3 hours');
  expect(rangeLabel({}, '')).toBe('Any time');
});
