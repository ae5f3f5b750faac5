import { describe, expect, test } from 'vitest';
import { describeSpan } from './index.ts';
import { fileWithoutHash, resourceWithoutHashes } from './resource.ts';
import { withoutLiterals } from './sql.ts';

describe('SQL', () => {
  test.each([
    ["SELECT * FROM users WHERE id = 1 AND name = 'O''Hara'", 'SELECT * FROM users WHERE id = %s AND name = %s'],
    ['SELECT a, b, count(c, d) FROM t WHERE x = $1', 'SELECT .. FROM t WHERE x = %s'],
    ['SELECT DISTINCT a, b FROM t', 'SELECT DISTINCT .. FROM t'],
    ['SELECT a FROM t', 'SELECT a FROM t'],
    ['SELECT a FROM (SELECT b, c FROM d) e', 'SELECT a FROM (SELECT .. FROM d) e'],
    ['SELECT a, (SELECT b, c FROM d) FROM e', 'SELECT .. FROM e'],
    ['SELECT * FROM t WHERE id IN (1, 2, 3)', 'SELECT * FROM t WHERE id IN (%s)'],
    ['SELECT * FROM t WHERE id in ( ?,?, ? )', 'SELECT * FROM t WHERE id in (%s)'],
    ['SELECT * FROM t WHERE id = ANY(%(ids)s)', 'SELECT * FROM t WHERE id = ANY(%s)'],
    ['INSERT INTO t (a, b) VALUES (1, -2), (3, NULL), (5, 6)', 'INSERT INTO t (..) VALUES (%s)'],
    ['INSERT INTO t (a) VALUES ($1) RETURNING id', 'INSERT INTO t (..) VALUES (%s) RETURNING id'],
    ['UPDATE t SET a = :name, b = @p1 WHERE c > 1.5e3', 'UPDATE t SET a = %s, b = %s WHERE c > %s'],
    ['SAVEPOINT s140177518376768_x2', 'SAVEPOINT %s'],
    ['ROLLBACK TO SAVEPOINT "s1"', 'ROLLBACK TO SAVEPOINT %s'],
    ["select now()::date -- at 12:00\n, 'x' /* trace 123 */;", 'select now()::date , %s'],
    ['SELECT * FROM "User2" WHERE "id" = 0xff', 'SELECT * FROM "User2" WHERE "id" = %s'],
    ['SELECT * FROM t WHERE done = TRUE AND gone IS NULL', 'SELECT * FROM t WHERE done = %s AND gone IS NULL'],
    ["SELECT * FROM t WHERE a = 'unclosed", 'SELECT * FROM t WHERE a = %s'],
    ['', ''],
  ])('%s', (sql, text) => {
    expect(withoutLiterals(sql)).toBe(text);
    expect(withoutLiterals(text)).toBe(text);
  });

  test('MySQL writes texts in double quotes', () => {
    expect(withoutLiterals('SELECT * FROM `a1` WHERE b = "x"', true)).toBe('SELECT * FROM `a1` WHERE b = %s');
  });

  test('hostile text takes no longer than its length', () => {
    for (const part of ['/*', '--', "'", '"', '((', '(1,', 'SELECT (', '%(', '$', '\\', 'SELECT a,b FROM (']) {
      expect(withoutLiterals(part.repeat(20_000)).length, part).toBeLessThanOrEqual(20_000);
    }
  });
});

const described = (op: string, name: string, attributes: Record<string, string> = {}): string =>
  describeSpan(op, name, attributes).description;

describe('descriptions by op', () => {
  test('outgoing requests: method, host, path without ids', () => {
    const full = { 'url.full': 'https://Pay.example.com:8443/v1/charge/42?key=1#x', 'http.request.method': 'post' };
    expect(described('http.client', 'POST pay.example.com', full)).toBe('POST pay.example.com:8443/v1/charge/*');
    expect(described('http.client', 'GET https://pay.example.com/a/7')).toBe('GET pay.example.com/a/*');
    expect(described('http.client', 'GET /api/7', { 'server.address': 'shop.example.com' })).toBe(
      'GET shop.example.com/api/*',
    );
    expect(described('http.client', 'GET shop.example.com')).toBe('GET shop.example.com');
    expect(described('http.client', 'GET https://ada:x@a.example.com')).toBe('GET a.example.com/');
  });

  test('both generations of an SDK say the same', () => {
    const before = describeSpan('resource.script', '/assets/index-B8fmGyRO.js', { 'server.address': 'a.example.com' });
    const now = describeSpan('resource.script', 'a.example.com', {
      'url.full': 'https://a.example.com/assets/index-BNZ-yPBJ.js',
    });
    expect(before).toEqual(now);
    expect(now.description).toBe('a.example.com/assets/index-*.js');
    expect(now.hash).toMatch(/^[\da-f]{16}$/);
    const sql = { 'db.query.text': 'SELECT * FROM t WHERE id = $1' };
    expect(describeSpan('db', 'SELECT t', sql).hash).toBe(
      describeSpan('db.query', "SELECT * FROM t WHERE id = 'x'", {}).hash,
    );
  });

  test('the family of the op counts', () => {
    expect(describeSpan('ui', 'render', {}).hash).not.toBe(describeSpan('function', 'render', {}).hash);
    expect(describeSpan('ui', '', {})).toEqual({ description: '', hash: '' });
  });

  test('stores of keys and documents', () => {
    expect(described('db.redis', 'get user:42:cart')).toBe('GET *');
    expect(described('db', 'PING', { 'db.system.name': 'redis' })).toBe('PING');
    expect(described('cache.get', 'user:42:cart, user:43:cart')).toBe('user:*:cart, user:*:cart');
    expect(described('db', '{"find":"orders","filter":{"_id":"64b","n":{"$in":[1,2]}},"limit":5}')).toBe(
      '{"find":"orders","filter":{"_id":"?","n":{"$in":["?"]}},"limit":"?"}',
    );
    expect(described('db', '{"find": "orders"')).toBe('{"find": "orders"');
  });

  test('all else is as it is', () => {
    expect(described('http.server', 'GET /users/:id')).toBe('GET /users/:id');
    expect(described('http.server', 'GET /users/42?a=1')).toBe('GET /users/*');
    expect(described('pageload', '/users/42')).toBe('/users/*');
    expect(described('function', 'render 12')).toBe('render 12');
    expect(described('browser.connect', 'https://a.example.com/p/12?b=1&a=2')).toBe(
      'https://a.example.com/p/*?a=*&b=*',
    );
    expect(described('function', 'x'.repeat(5000))).toHaveLength(2000);
  });
});

test.each([
  ['index-B8fmGyRO.js', 'index-*.js'],
  ['rolldown-runtime-CNOWq4Kh.js', 'rolldown-runtime-*.js'],
  ['main.3f2a9c1b.chunk.css', 'main.*.chunk.css'],
  ['page-4d2b9e8f1a2b3c4d.js', 'page-*.js'],
  ['framework-settings.js', 'framework-settings.js'],
  ['jquery-3.7.1.min.js', 'jquery-3.7.1.min.js'],
  ['0f8fad5b-d9cb-469f-a165-70867728950e.png', '*.png'],
  ['12345678.jpg', '*.jpg'],
  ['favicon.ico', 'favicon.ico'],
  ['.well-known', '.well-known'],
  ['', ''],
])('file %s is %s', (name, without) => {
  expect(fileWithoutHash(name)).toBe(without);
});

test('resources without an address of their own', () => {
  expect(resourceWithoutHashes('data:image/png;base64,AAAA', 'a')).toBe('data:image/png');
  expect(resourceWithoutHashes('/img/7/a.png?x=1', 'a.example.com')).toBe('a.example.com/img/*/a.png');
});
