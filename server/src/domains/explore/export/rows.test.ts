import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { testLogRow } from '../../../ports/events/test-rows.ts';
import { openTestStores, type TestStores } from '../../issues/testing/stores.ts';
import { writeRows } from './rows.ts';

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
});
afterAll(() => stores[Symbol.asyncDispose]());

/** Bodies in the order of the file, and how many rows the largest answer of the store had. */
async function written(projectId: number): Promise<{ bodies: string[]; largest: number }> {
  const query = vi.spyOn(stores.events, 'query');
  const pieces = writeRows(
    stores.events,
    { dataset: 'logs', field: ['body'], query: '', sort: [], environment: [] },
    { projects: [{ id: projectId, slug: 'shop' }], range: { startMs: 0, endMs: Date.now(), open: true } },
    { format: 'jsonl', signal: new AbortController().signal },
    async () => {},
  );
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  const answers = await Promise.all(query.mock.results.map(({ value }) => value as Promise<unknown[]>));
  query.mockRestore();
  const lines = Buffer.concat(parts).toString().split('\n').filter(Boolean);
  return {
    bodies: lines.map((line) => (JSON.parse(line) as { body: string }).body),
    largest: Math.max(...answers.map(({ length }) => length)),
  };
}

test('logs of one moment, more than a page has, are each written once and a page at a time', async () => {
  const now = Date.now() * 1_000;
  const rows = Array.from({ length: 6_000 }, (_, index) => {
    // Long, so that a page has few.
    const body = `${index} ${'x'.repeat(2_000)}`;
    return testLogRow({
      project_id: 1,
      timestamp: index < 5 ? now + 5 - index : now - (index < 5_990 ? 0 : index),
      body,
    });
  });
  await stores.events.insert('logs', rows, 'one moment');
  const { bodies, largest } = await written(1);
  const numbers = bodies.map((body) => Number.parseInt(body, 10));
  expect(numbers.slice(0, 5)).toEqual([0, 1, 2, 3, 4]);
  expect(numbers.slice(-10)).toEqual(Array.from({ length: 10 }, (_, index) => 5_990 + index));
  expect(numbers.toSorted((a, b) => a - b)).toEqual(rows.map((_, index) => index));
  expect(largest).toBeLessThan(2_500);
});

test('no logs are no rows', async () => {
  expect((await written(2)).bodies).toEqual([]);
});
