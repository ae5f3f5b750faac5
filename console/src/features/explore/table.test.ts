import { expect, test } from 'vitest';
import { localTime } from '../../ui/relative-time.ts';
import { tableRows, answerSentence } from './table.ts';

const meta = {
  fields: { level: 'string', 'count()': 'integer', 'p95(x)': 'duration', 'failure_rate()': 'percentage' },
  units: { 'p95(x)': 'millisecond' },
};

test('bars are of the greatest on the page, shares of all there are', () => {
  const rows = tableRows(
    [
      { level: 'error', 'count()': 1500, 'p95(x)': 20 },
      { level: null, 'count()': 500, 'p95(x)': null },
    ],
    meta,
    { groups: ['level'], axes: ['count()', 'p95(x)'] },
    4000,
  );
  expect(rows[0]).toEqual({
    key: '["error"]',
    group: '["error"]',
    groups: [{ field: 'level', value: 'error', text: 'error' }],
    measures: [
      { axis: 'count()', text: '1,500', exact: '', bar: 1, share: '38%', error: undefined },
      { axis: 'p95(x)', text: '20\u00a0ms', exact: '', bar: 1, share: undefined, error: undefined },
    ],
  });
  expect(rows[1]?.groups[0]?.text).toBe('(none)');
  expect(rows[1]?.measures).toEqual([
    { axis: 'count()', text: '500', exact: '', bar: 500 / 1500, share: '13%', error: undefined },
    { axis: 'p95(x)', text: '–', exact: '', bar: undefined, share: undefined, error: undefined },
  ]);
});

test('estimated numbers say how far they may be off, exact ones beside them do not', () => {
  const [row] = tableRows(
    [{ level: 'error', 'count()': 1500, 'p95(x)': 20 }],
    meta,
    { groups: ['level'], axes: ['count()', 'p95(x)', 'failure_rate()'] },
    4000,
    [{ 'count()': [1400, 1560], 'failure_rate()': [0, 0.1] }],
  );
  expect(row?.measures.map(({ error }) => error?.text)).toEqual(['±7%', undefined, undefined]);
});

test('one row of totals has neither bar nor share', () => {
  const [row] = tableRows([{ 'count()': 5 }], meta, { groups: [], axes: ['count()'] }, 5);
  expect(row).toMatchObject({ key: '[]', groups: [], measures: [{ text: '5', bar: undefined, share: undefined }] });
});

test('moments are times here', () => {
  const dates = { fields: { 'timestamp.to_hour': 'date', 'last_seen()': 'date' } };
  const [row] = tableRows(
    [{ 'timestamp.to_hour': '2026-11-21T10:00:00Z', 'last_seen()': '2026-11-21T10:30:00Z' }],
    dates,
    { groups: ['timestamp.to_hour'], axes: ['last_seen()'] },
    1,
  );
  expect(row?.groups[0]?.text).toBe(localTime(Date.UTC(2026, 10, 21, 10)));
  expect(row?.measures[0]).toMatchObject({ text: localTime(Date.UTC(2026, 10, 21, 10, 30)), bar: undefined });
});

test('rows are told apart even where they are written alike', () => {
  const rows = tableRows([{ a: '' }, { a: null }, {}], meta, { groups: ['a'], axes: [] }, undefined);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(3);
});

test('the table in a sentence', () => {
  expect(answerSentence(25, true, 1234, 'errors')).toBe('25+ groups of 1,234 errors');
  expect(answerSentence(1, false, 1, 'spans')).toBe('1 group of 1 span');
  expect(answerSentence(2, false, undefined, 'spans')).toBe('2 groups');
  expect(answerSentence(undefined, false, 1234, 'spans')).toBe('1,234 spans');
  expect(answerSentence(undefined, false, undefined, 'spans')).toBe('');
});
