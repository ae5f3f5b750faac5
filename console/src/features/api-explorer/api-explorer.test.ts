import { expect, test } from 'vitest';
import { type Document, operationsOf, typeOf } from './document.ts';
import { addressOf, missingIn } from './request.ts';
import { asClient, asCurl } from './request-snippets.ts';

const document: Document = {
  components: { schemas: {} },
  paths: {
    '/api/0/things/{name}/': {
      put: {
        operationId: 'changeThing',
        parameters: [
          { name: 'name', in: 'path', required: true, description: 'As in `things`.', schema: { type: 'string' } },
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'deep', in: 'query', schema: { type: 'boolean' } },
          { name: 'sort', in: 'query', schema: { type: 'array', items: { enum: ['a', 'b'] } } },
        ],
        requestBody: { content: { 'application/json': {} } },
        responses: {},
      },
    },
  },
};
const [operation] = operationsOf(document);
const draft = (values: Record<string, string>, body = '{}') => {
  if (!operation) throw new Error('there is one');
  return { operation, values, body };
};

test('lists of alternatives are lists, and descriptions are plain', () => {
  expect(operation?.parameters.map(({ type }) => type)).toEqual(['string', 'integer', 'boolean', '("a" | "b")[]']);
  expect(operation?.parameters[0]?.description).toBe('As in things.');
  expect(typeOf(document, { type: 'array' })).toBe('any[]');
});

test('an address goes where it says: names are encoded, and ways up are none', () => {
  expect(addressOf(draft({ name: 'a/b?', sort: ' a,, b,' }))).toBe('/api/0/things/a%2Fb%3F/?sort=a&sort=b');
  expect(['', ' ', '.', '..', '...', 'a'].map((name) => missingIn(draft({ name })))).toEqual([
    'name',
    'name',
    'name',
    'name',
    undefined,
    undefined,
  ]);
});

test('code of the client has values of their types, and quotes what is no name', () => {
  const code = asClient(
    draft({ name: 'x', limit: '10', deep: 'true', sort: 'a' }, '{"2fa": 1, "on": {"a-b": 2}}'),
    'o',
  );
  for (const part of ['limit: 10', 'deep: true', '"2fa": 1', 'on: {', '"a-b": 2']) expect(code).toContain(part);
  expect(asClient(draft({ name: 'x', limit: 'many' }), 'o')).toContain('limit: "many"');
});

test('what is no word of a shell is quoted', () => {
  expect(asCurl(draft({ name: "it's" }), 'http://127.0.0.1')).toContain(`it'\\''s`);
});
