import { expect, test } from 'vitest';
import { isSql, problemAdvice, problemSentence } from './words.ts';

const types = [
  'performance_n_plus_one_db_queries',
  'performance_consecutive_db_queries',
  'performance_slow_db_query',
  'performance_n_plus_one_api_calls',
  'performance_consecutive_http',
  'performance_large_http_payload',
  'performance_render_blocking_asset_span',
  'performance_uncompressed_assets',
  'performance_http_overhead',
  'performance_file_io_main_thread',
  'performance_db_main_thread',
  'query_injection_vulnerability',
];

test.each([...types, 'something_newer', '__proto__', 'toString'])('%s is one sentence and a way out', (type) => {
  for (const offenders of [1, 12])
    expect(problemSentence({ type, offenders, transaction: 'GET /cart' })).toMatch(/^In GET \/cart: [A-Z0-9].*[^.]\.$/);
  expect(problemSentence({ type, offenders: 2, transaction: '' })).toMatch(/^[A-Z0-9].*[^.]\.$/);
  expect(problemAdvice(type)).toMatch(/\.$/);
});

test('every kind that is known has words of its own', () => {
  expect(new Set([...types, 'other'].map(problemAdvice)).size).toBe(types.length + 1);
  expect(problemSentence({ type: types[0] ?? '', offenders: 12, transaction: 'GET /cart' })).toBe(
    'In GET /cart: 12 queries of the same shape ran one after the other.',
  );
});

test('SQL is known by how it begins', () => {
  expect(['SELECT 1', ' with x as (select 1) select 2', 'insert into a'].every(isSql)).toBe(true);
  expect(['GET /select', 'selection', '', '12\u00a0ms'].some(isSql)).toBe(false);
});
