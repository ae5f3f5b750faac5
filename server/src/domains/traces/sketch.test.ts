import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenedEvents } from '../../ports/events/open.ts';
import { openPreparedEvents } from '../../ports/events/testing/prepared.ts';
import { accuracy, setAllRight, setRight } from './sketch.ts';

let dataDir: string;
let store: OpenedEvents;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'culprit-sketch-'));
  store = await openPreparedEvents(dataDir);
});
afterAll(async () => {
  await store?.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Signed error of the percentile of one value, the least and the greatest, of values from one power of ten to another. */
async function errorsBetween(low: number, high: number, read: (said: string) => string): Promise<[number, number]> {
  const rows = await store.events.query<{ least: number; greatest: number }>(
    `SELECT min(error) AS least, max(error) AS greatest FROM (
       SELECT pow(10, ({low:Float64} + ({high:Float64} - {low:Float64}) * number / 20000)) AS value,
         ${read(`quantileDD(${accuracy}, 0.75)(value)`)} / value - 1 AS error
       FROM numbers(20001) GROUP BY number
     )`,
    { low, high },
  );
  return [rows[0]?.least ?? NaN, rows[0]?.greatest ?? NaN];
}

const within = (errors: readonly number[], limit: number): void => {
  for (const error of errors) expect(Math.abs(error)).toBeLessThanOrEqual(limit + 1e-9);
};

test('what the engine says is too large below 1', async () => {
  const [least, greatest] = await errorsBetween(-4, -1, (said) => said);
  expect(least).toBeGreaterThan(0.0099);
  expect(greatest).toBeGreaterThan(0.03);
  within(await errorsBetween(0.01, 7, (said) => said), accuracy);
});

test('percentiles are within 1 % of the value, around 1 within 2.1 %', async () => {
  within(await errorsBetween(-4, Math.log10(0.98), setRight), accuracy);
  within(await errorsBetween(Math.log10(0.98), Math.log10(1.0203), setRight), 0.021);
  within(await errorsBetween(Math.log10(1.0203), 7, setRight), accuracy);
});

test('of several in an array, of zeros and of none', async () => {
  const read = setAllRight(`quantilesDD(${accuracy}, 0, 0.75)(value)`);
  const rows = await store.events.query<{ q: (number | null)[] }>(
    `SELECT ${read} AS q FROM (SELECT arrayJoin([0.05, 0.1, 0.2, 800.]) AS value)
     UNION ALL SELECT ${read} AS q FROM (SELECT toFloat64(0) AS value)
     UNION ALL SELECT ${read} AS q FROM (SELECT 1. AS value) WHERE value > 1`,
  );
  const answers = rows.map(({ q }) => q).toSorted((a, b) => (b[1] ?? -1) - (a[1] ?? -1));
  expect(answers[0]?.[0]).toBeCloseTo(0.05, 3);
  expect(answers[0]?.[1]).toBeCloseTo(0.2, 2);
  expect(answers.slice(1)).toEqual([
    [0, 0],
    [null, null],
  ]);
});
