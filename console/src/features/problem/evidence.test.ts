import { expect, test } from 'vitest';
import { occurrenceOf, splitOp, telling } from './evidence.ts';

const evidenceOf = (evidenceData: object) => occurrenceOf({ occurrence: { evidenceData } }).evidence;
const id = '8efd84a8c32d4e7c';

test('what is there is read', () => {
  expect(
    evidenceOf({
      traceId: 't',
      transaction: 'GET /cart',
      offenderSpanIds: [id, id],
      causeSpanIds: [id],
      parentSpanIds: [],
      offenderDurationMs: 12.5,
    }),
  ).toEqual({
    traceId: 't',
    transaction: 'GET /cart',
    offenders: [id, id],
    causes: [id],
    parents: [],
    durationUs: 12_500,
  });
});

test('what is missing or odd is not', () => {
  const nothing = { traceId: '', transaction: '', offenders: [], causes: [], parents: [], durationUs: undefined };
  expect(evidenceOf({})).toEqual(nothing);
  const odd = {
    traceId: 1,
    transaction: null,
    offenderSpanIds: [7, 'x', null],
    causeSpanIds: 'a',
    offenderDurationMs: NaN,
  };
  expect(evidenceOf(odd)).toEqual(nothing);
});

test('what is shown to people has a name and a text', () => {
  const evidenceDisplay = [
    { name: 'Query', value: 'SELECT 1', important: true },
    { name: 'Odd', value: 7 },
    null,
    { name: 'Parent', value: 'GET /' },
  ];
  expect(occurrenceOf({ occurrence: { type: 'performance_slow_db_query', evidenceDisplay } })).toMatchObject({
    type: 'performance_slow_db_query',
    display: [
      { name: 'Query', value: 'SELECT 1' },
      { name: 'Parent', value: 'GET /' },
    ],
  });
  for (const event of [{}, { occurrence: null }, { occurrence: { evidenceDisplay: 'x', evidenceData: [] } }])
    expect(occurrenceOf(event)).toMatchObject({ type: '', display: [], evidence: { traceId: '' } });
});

test('a fact is told once, by its better name', () => {
  const display = [
    { name: 'Offending spans', value: 'db - SELECT 1' },
    { name: 'Transaction', value: 'GET /cart' },
    { name: 'Repeating query', value: 'SELECT 1' },
    { name: 'Repetitions', value: '12' },
  ];
  expect(telling(display, ['GET /cart']).map(({ name }) => name)).toEqual(['Repeating query', 'Repetitions']);
});

test('the op stands before its text', () => {
  expect(splitOp('db - SELECT 1 - 2')).toEqual({ op: 'db', rest: 'SELECT 1 - 2' });
  expect(splitOp('http.client - GET /a\nb')).toEqual({ op: 'http.client', rest: 'GET /a\nb' });
  expect(splitOp('SELECT 1 - 2')).toEqual({ op: '', rest: 'SELECT 1 - 2' });
  expect(splitOp('')).toEqual({ op: '', rest: '' });
});
