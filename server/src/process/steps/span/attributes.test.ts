import { expect, test } from 'vitest';
import { defaultProjectSettings } from '../../types.ts';
import { readAttributes } from './attributes.ts';
import type { SpanRemark } from './input.ts';
import { noColumns } from './names.ts';

function read(attributes: Record<string, unknown>, settings: Partial<typeof defaultProjectSettings> = {}) {
  const remarks: SpanRemark[] = [];
  return {
    ...readAttributes(attributes, { ...defaultProjectSettings, ...settings }, (remark) => remarks.push(remark)),
    remarks,
  };
}

test('texts, numbers and columns part', () => {
  const { attributes, numbers, columns } = read({
    'sentry.op': 'db',
    'http.status_code': '404',
    deviceMemory: '16 GB',
    tenant: 'acme',
    num: 1.5,
    int: 7n,
    bool: true,
    arr: ['a', 'b'],
    object: { a: [1] },
    nothing: null,
    nan: Number.NaN,
    'browser.web_vital.lcp.value': 168,
    'http.request.header.accept': ['*/*'],
    'os.version': '12.11\n',
  });
  expect(attributes).toEqual({
    tenant: 'acme',
    bool: 'true',
    arr: '["a","b"]',
    object: '{"a":[1]}',
    'http.request.header.accept': '*/*',
    'os.version': '12.11',
  });
  expect(numbers).toEqual({
    'http.response.status_code': 404,
    'device.memory.estimated_capacity': 16,
    num: 1.5,
    int: 7,
    lcp: 168,
  });
  expect(columns).toEqual({ ...noColumns, 'sentry.op': 'db' });
});

test('the name of today wins, in any order', () => {
  const now = { 'url.full': 'https://new.example.com/' };
  const before = { 'http.url': 'https://old.example.com/' };
  expect(read({ ...now, ...before }).attributes).toEqual(now);
  expect(read({ ...before, ...now }).attributes).toEqual(now);
  expect(read({ 'http.status_code': 500, 'http.response.status_code': 200 }).numbers).toEqual({
    'http.response.status_code': 200,
  });
});

test('what is secret goes, what people read stays', () => {
  const { attributes, numbers } = read({
    'url.full': 'https://ada:secret@shop.example.com/auth/login?token=abc123&id=1',
    'db.query.text': 'SELECT token FROM auth_tokens WHERE id = $1',
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.request.max_tokens': 100,
    'user.email': 'ada@example.com',
    'http.request.header.authorization': ['Bearer abcdefgh'],
    'http.request.header.cookie': ['sessionid=1; theme=dark'],
    'http.request.header.cookie.sessionid': 'abc',
    'http.request.body.data': '{"password":"hunter2","items":[1]}',
    api_key: 'abc',
    pin_token: 42,
    note: 'my_password',
    card: 4111111111111111,
    'server.address': '10.0.0.1',
  });
  expect(attributes).toEqual({
    'url.full': 'https://ada:[Filtered]@shop.example.com/auth/login?token=[Filtered]&id=1',
    'db.query.text': 'SELECT token FROM auth_tokens WHERE id = $1',
    'user.email': 'ada@example.com',
    'http.request.header.authorization': '[Filtered]',
    'http.request.header.cookie': 'sessionid=[Filtered]; theme=dark',
    'http.request.header.cookie.sessionid': '[Filtered]',
    'http.request.body.data': '{"password":"[Filtered]","items":[1]}',
    api_key: '[Filtered]',
    pin_token: '[Filtered]',
    note: '[Filtered]',
    card: '[Filtered]',
    'server.address': '10.0.0.1',
  });
  expect(numbers).toEqual({ 'gen_ai.usage.input_tokens': 12, 'gen_ai.request.max_tokens': 100 });
});

test("the project's settings hold", () => {
  const sent = {
    'client.address': '203.0.113.9',
    'user.ip_address': '203.0.113.9',
    'app.note': 'from 203.0.113.9',
    x: 'a',
  };
  expect(read(sent, { storeIpAddresses: false }).attributes).toEqual({ 'app.note': 'from [ip]', x: 'a' });
  expect(read({ colour: 'red' }, { sensitiveFields: ['colour'] }).attributes).toEqual({ colour: '[Filtered]' });
  expect(read({ api_key: 'abc' }, { safeFields: ['api_key'] }).attributes).toEqual({ api_key: 'abc' });
  expect(read({ api_key: 'abc' }, { scrubData: false }).attributes).toEqual({ api_key: 'abc' });
});

test('hostile attributes are bounded and noted', () => {
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index % 2 ? 'x' : 1]));
  const bounded = read(many);
  expect(Object.keys(bounded.attributes).length + Object.keys(bounded.numbers).length).toBe(250);
  expect(bounded.remarks).toEqual([{ field: 'attributes', what: 'cut', was: 10_000 }]);

  const long = read({ 'app.text': 'x'.repeat(1_000_000) });
  expect(long.attributes['app.text']).toHaveLength(2000);
  expect(long.remarks).toEqual([{ field: 'app.text', what: 'cut', was: 1_000_000 }]);

  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
  expect(read({ deep, 'app.deep': deep }).attributes.deep?.length).toBeLessThan(2001);

  const odd = read(JSON.parse('{"__proto__":"x","constructor":"y","toString":1,"":"z"}') as Record<string, unknown>);
  expect(Object.entries(odd.attributes)).toEqual([['constructor', 'y']]);
  expect(Object.entries(odd.numbers)).toEqual([['toString', 1]]);
  expect(read({ ['k'.repeat(201)]: 1 }).remarks).toEqual([{ field: 'attributes', what: 'cut', was: 1 }]);
  expect(read({ a: 'x\0y', b: '\ud800', 'c\0': 'z' }).attributes).toEqual({
    a: 'x\uFFFDy',
    b: '\uFFFD',
    'c\uFFFD': 'z',
  });
});
