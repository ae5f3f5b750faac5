import { expect, test } from 'vitest';
import { type InsertRequest, type QueryRequest, readInsert, readQuery } from './request.ts';

const read = (search: Record<string, string>, body = '', contentType = ''): InsertRequest | QueryRequest => {
  const params = new URLSearchParams(search);
  return readInsert(params, () => 'fresh') ?? readQuery(params, Buffer.from(body), contentType, () => 'fresh');
};

test('a query in the body, with parameters and settings', () => {
  expect(
    read(
      { query_id: 'q-1', database: 'd', max_execution_time: '5', param_a: 'x', param_unused: 'y' },
      'SELECT {a:String}',
    ),
  ).toEqual({
    kind: 'read',
    queryId: 'q-1',
    database: 'd',
    settings: { max_execution_time: '5' },
    sql: 'SELECT {a:String}',
    params: { a: 'x' },
    format: 'TabSeparated',
  });
});

test.each([
  ['SELECT 1', 'read'],
  [' -- x\n /* y */ (select 1)', 'read'],
  ['WITH 1 AS a SELECT a', 'read'],
  ['EXPLAIN SELECT 1', 'read'],
  ['CREATE TABLE t (a UInt8)', 'command'],
  ['INSERT INTO t SELECT 1', 'command'],
  ['SELECTED', 'command'],
])('%s is a %s', (sql, kind) => {
  expect(read({}, sql).kind).toBe(kind);
});

test('an insert is known before its rows are read', () => {
  expect(
    read({ query: 'INSERT INTO errors (a, b) FORMAT JSONEachRow', insert_deduplication_token: 't' }, '{}\n'),
  ).toEqual({
    kind: 'insert',
    queryId: 'fresh',
    database: 'default',
    settings: { insert_deduplication_token: 't' },
    table: 'errors',
    columns: ['a', 'b'],
    format: 'JSONEachRow',
  });
});

test('a form carries long parameters', () => {
  const form =
    '--B\r\nContent-Disposition: form-data; name="query"\r\n\r\nSELECT {a:String}\r\n--B\r\nContent-Disposition: form-data; name="param_a"\r\n\r\nx\r\ny\r\n--B--\r\n';
  expect(read({}, form, 'multipart/form-data; boundary=B')).toMatchObject({
    sql: 'SELECT {a:String}',
    params: { a: 'x\r\ny' },
  });
});

test.each([
  [{ session_id: 's' }, 'SELECT 1', 48],
  [{}, ' ', 62],
  [{}, 'SELECT 1\0', 62],
  [{ database: 'a; b' }, 'SELECT 1', 36],
  [{ 'a b': '1' }, 'SELECT 1', 115],
  [{ "x'": '1' }, 'SELECT 1', 115],
  [{ query: 'INSERT INTO t FORMAT Parquet' }, 'x', 73],
  [{ param_a: '[' }, 'SELECT {a:Array(String)}', 457],
])('%j %s is refused', (search, body, code) => {
  expect(() => read(search as Record<string, string>, body)).toThrow(expect.objectContaining({ code }) as Error);
});

test('an id that could end a comment is replaced', () => {
  expect(read({ query_id: '*/ DROP' }, 'SELECT 1').queryId).toBe('fresh');
});

test('a broken form is no form', () => {
  for (const body of [
    '',
    '--B',
    '--B\r\n\r\n',
    '--B\r\nContent-Disposition: form-data; name="query"\r\n\r\nSELECT 1',
  ]) {
    expect(() => read({}, body, 'multipart/form-data; boundary=B')).not.toThrow(TypeError);
  }
});
