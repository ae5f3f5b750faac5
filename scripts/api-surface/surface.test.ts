import { expect, test } from 'vitest';
import { type Document, surfaceOf, toText } from './surface.ts';

const document: Document = {
  paths: {
    '/api/0/things/{thing}/': {
      get: {
        security: [],
        parameters: [
          { in: 'path', name: 'thing', required: true, schema: { type: 'string', maxLength: 20 } },
          { in: 'query', name: 'kind', schema: { enum: ['a b', 'c'] } },
        ],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
      },
      put: {
        security: [{ token: [] }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  at: { type: 'string', format: 'date-time', pattern: 'as the format says' },
                  count: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
                },
                required: ['at'],
              },
            },
          },
        },
        responses: { 204: {}, '4XX': { content: {} } },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        oneOf: [
          { type: 'object', properties: { of: { const: 'point' }, x: { type: 'number' } }, required: ['of', 'x'] },
          {
            type: 'object',
            properties: { of: { const: 'line' }, ends: { type: 'array', prefixItems: [{ type: 'number' }, {}] } },
            required: ['of'],
          },
        ],
      },
      Named: {
        type: 'object',
        properties: {
          either: {
            anyOf: [
              { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
              { type: 'object', properties: { b: { type: ['string', 'null'] } }, required: ['b'] },
              { type: 'null' },
            ],
          },
          'odd name': { type: 'object', additionalProperties: { type: 'boolean' } },
        },
        required: ['either', 'odd name'],
      },
    },
  },
};

test('a document as lines', () => {
  expect(toText(surfaceOf(document))).toBe(`\
@Named
  .either null object
  .either.a? string
  .either.b? null string
  = object
  ["odd\\u0020name"] object
  ["odd\\u0020name"]{}? boolean
@Thing
  <of="line">.ends? array
  <of="line">.ends[0] number
  <of="line">.ends[1] any
  <of="line">.of "line"
  <of="line">? object
  <of="point">.of "point"
  <of="point">.x number
  <of="point">? object
  = object
GET /things/{thing}/ public
  200 @Thing
  path.thing string(length<=20)
  query.kind? "a\\u0020b" "c"
PUT /things/{thing}/
  204 nothing
  body object
  body.at string:date-time
  body.count? integer(>0;<=9)
`);
});
