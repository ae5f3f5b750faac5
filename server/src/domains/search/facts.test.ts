/** What is in no column of events is found in their facts, and of those that were stored before in their payload. */
import { keysOf, parseSearch } from '@culprit/search';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testErrorRow } from '../../ports/events/test-rows.ts';
import { factsText } from '../../process/steps/facts.ts';
import { openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { compileFilter } from './filter.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const paths = keysOf('events').flatMap(({ name, type, place }) =>
  place.kind === 'path' ? [{ name, path: place.path, value: type === 'text' ? `"it's ${name}, ü"` : '503' }] : [],
);

/** With something at each path of a key. */
const event = {
  type: '',
  contexts: { app: { build: 42, device: { note: 'a\tb' } }, flags: { values: [{ flag: 'new-cart', result: true }] } },
  request: { headers: [['Referer', 'https://example.com/"']] },
  exception: { values: [{ type: 'Error' }] },
};
for (const { name, path, value } of paths) {
  let at = event as Record<string, unknown>;
  for (const part of path.slice(0, -1)) at = (at[part] ??= {}) as Record<string, unknown>;
  at[path.at(-1) ?? ''] = value === '503' ? 503 : `it's ${name}, ü`;
}

const payload = JSON.stringify(event);
const common = { project_id: 1, timestamp: now };
const rows = [
  testErrorRow({ ...common, event_id: 'a'.repeat(32), payload: '', facts: factsText(event) }),
  testErrorRow({ ...common, event_id: 'b'.repeat(32), payload }),
  testErrorRow({ ...common, event_id: 'c'.repeat(32), payload, facts: factsText({}) }),
  // Parts of forms that events do not have any more, if they ever had.
  testErrorRow({
    ...common,
    event_id: 'd'.repeat(32),
    payload: JSON.stringify({
      contexts: '[Filtered]',
      user: { geo: '[Filtered]' },
      request: { method: 'PATCH', headers: 7 },
    }),
  }),
  testErrorRow({ ...common, event_id: 'e'.repeat(32), payload: '' }),
];

let stores: TestStores;
beforeAll(async () => {
  stores = await openTestStores();
  await stores.events.insert('errors', rows, 'errors');
});
afterAll(() => stores[Symbol.asyncDispose]());

async function found(query: string): Promise<string> {
  const { root, problems } = parseSearch(query, 'events');
  expect(problems).toEqual([]);
  const { conditions, params } = compileFilter(root, 'events', { nowMs: now, projects: [{ id: 1, slug: 'web' }] });
  const ids = await stores.events.query<{ id: string }>(
    `SELECT event_id AS id FROM errors WHERE ${conditions.join(' AND ')} ORDER BY id`,
    params,
  );
  return ids.map(({ id }) => id[0]).join('');
}

/** Which rows each finds, and which where all that there is is their payloads. */
const queries = [
  ...paths.map(({ name, value }) => [`${name}:${value}`, 'ab', 'bc'] as const),
  ['http.referer:"https://example.com/\\""', 'ab', 'bc'],
  ['contexts.app.build:42', 'ab', 'bc'],
  ['contexts.app.device.note:a*b', 'ab', 'bc'],
  ['flags["new-cart"]:true', 'ab', 'bc'],
  ['!flags["new-cart"]:true', 'cde', 'ade'],
  ['http.method:PATCH', 'd', 'd'],
  ['!has:http.method', 'ce', 'ae'],
] as const;

test.each(queries)('%s', async (query, expected) => {
  expect(await found(query)).toBe(expected);
});

test('what a merge stores of earlier rows is what was computed of them', async () => {
  await stores.events.command('ALTER TABLE errors CLEAR COLUMN facts SETTINGS mutations_sync = 2');
  await stores.events.command('OPTIMIZE TABLE errors FINAL');
  await stores.events.command("ALTER TABLE errors UPDATE payload = '' WHERE 1 SETTINGS mutations_sync = 2");
  for (const [query, , ofPayloads] of queries) expect([query, await found(query)]).toEqual([query, ofPayloads]);
});
