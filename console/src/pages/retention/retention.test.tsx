import { expect, test } from 'vitest';
import { renderInApp } from '../../ui/testing/in-app.tsx';
import { bytesIn, daysIn, fieldsOf, updateOf } from './fields.ts';
import { Drops } from './RetentionPage.tsx';
import { keptText, storedText } from './words.ts';

const one = {
  name: 'logs' as const,
  days: 14,
  keptDays: 14,
  limitBytes: 10_500_000_000,
  storedBytes: 4_200_000_000,
  storedRows: 1_204,
  overBytes: 0,
};

test('fields hold days and gigabytes, and come back as they were', () => {
  const fields = fieldsOf({ classes: [one] });
  expect(fields).toEqual({ days: { logs: '14' }, sizes: { logs: '10.5' } });
  expect(updateOf(fields)).toEqual({ classes: [{ name: 'logs', days: 14, limitBytes: 10_500_000_000 }] });
  expect(['', '0', '1.5', 'x', '3651', ' 30 '].map(daysIn)).toEqual([
    null,
    undefined,
    undefined,
    undefined,
    undefined,
    30,
  ]);
  expect(['', '0', '-1', '1e99', '0.5'].map(bytesIn)).toEqual([null, undefined, undefined, undefined, 500_000_000]);
  expect(updateOf({ ...fields, days: { ...fields.days, logs: 'soon' } })).toBeUndefined();
});

test('what is kept and stored in words', () => {
  expect(keptText(one)).toMatch(/^14 days, up to .*10\.5\sGB/);
  expect(keptText({ keptDays: 90, limitBytes: null })).toBe('90 days');
  expect(storedText(one)).toMatch(/4\.2\sGB.* stored, 1,204 rows/);
  expect(storedText({ storedBytes: null, storedRows: null })).toBe('Not measured yet');
});

test('what went because of its size says from when it was and why', async () => {
  const date = '2026-11-20T10:00:00.000Z';
  const drop = { name: 'logs' as const, before: '2026-11-02T00:00:00.000Z', bytes: 3e9, rows: 5, date };
  const screen = await renderInApp(
    <Drops
      drops={[
        { ...drop, reason: 'size', done: true },
        { ...drop, name: 'spans', reason: 'disk', done: false },
      ]}
    />,
  );
  const [size, disk] = screen.getByRole('listitem').elements();
  expect(size?.textContent).toMatch(/Logs.*before.*above the size limit.*3\sGB/);
  expect(disk?.textContent).toMatch(/Spans.*disk nearly full.*in progress/);
});
