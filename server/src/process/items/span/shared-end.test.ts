import { describe, expect, test } from 'vitest';
import { type ItemContext, defaultProjectSettings } from '../../types.ts';
import { processItem } from '../index.ts';
import { endMark, parseShortened } from './shared-end.ts';

const context: ItemContext = { projectId: 1, settings: defaultProjectSettings, receivedAt: 1_795_249_850_000 };
const header = { type: 'span', item_count: 1 };
const rowsOf = (text: string) => {
  const result = processItem({ type: 'span', header, payload: Buffer.from(text) }, context);
  return { rows: result.rows?.spans, outcomes: result.outcomes, kept: result.kept };
};

const own = (number: number) => `"db.query.text":{"value":"SELECT ${number}","type":"string"}`;
const end =
  '"sentry.segment.id":{"value":"a814504b1a8379df","type":"string"},"sentry.segment.name":{"value":"GET /a\\"},\\"b","type":"string"},' +
  '"sentry.segment.name.source":{"value":"route","type":"string"},"user.id":{"value":"7","type":"string"},' +
  '"sentry.sdk.integrations":{"value":["Http","Express"],"type":"array"},"process.pid":{"value":7,"type":"integer"}';
const span = (number: number, attributes: string, more = '') =>
  `{"name":"step ${number}","span_id":"a814504b1a8379d${number}","trace_id":"de8e2b6fc1c6441a87a64d0552c39a2e",` +
  `"start_timestamp":1795249848.5,"end_timestamp":1795249849.5,"is_segment":false,"status":"ok","attributes":{${attributes}}${more}}`;
const container = (...spans: readonly string[]) => `{"version":2,"items":[${spans.join(',')}]}`;
const numbers = [1, 2, 3, 4, 5];
const usual = numbers.map((number) => span(number, `${own(number)},${end}`));
/** Each by itself is parsed whole. */
const alone = (spans: readonly string[]) => spans.flatMap((one) => rowsOf(container(one)).rows ?? []);

test('what spans end with is taken out, and they are what they are alone', () => {
  const shortened = parseShortened(container(...usual));
  expect(shortened).toMatchObject({ count: 5 });
  expect(Object.keys(shortened?.end ?? {})).toContain('sentry.sdk.integrations');
  expect(rowsOf(container(...usual)).rows).toEqual(alone(usual));
});

test('spans that end otherwise stand among them', () => {
  const spans = [...usual, span(6, own(6)), span(7, `${own(7)},"user.id":{"value":"8"},${end}`), span(8, end)];
  expect(rowsOf(container(...spans)).rows).toEqual(alone(spans));
});

test('a name that comes twice has the value of the last', () => {
  const spans = numbers.map((number) => span(number, `"user.id":{"value":"first"},${own(number)},${end}`));
  expect(parseShortened(container(...spans))?.count).toBe(5);
  expect(rowsOf(container(...spans)).rows?.map(({ user }) => user)).toEqual(numbers.map(() => 'id:7'));
});

describe('the whole is parsed where', () => {
  const cases: Record<string, readonly string[]> = {
    'an attribute has the name of the mark': [...usual, span(6, `${own(6)},"${endMark}":{"value":1}`)],
    'another object ends like attributes do': [
      ...usual,
      span(6, `${own(6)},"nested":{"value":{"x":{"value":1},${end}},"type":"object"}`),
    ],
    'links end like attributes do': [
      ...usual,
      span(
        6,
        `${own(6)},${end}`,
        `,"links":[{"trace_id":"de8e2b6fc1c6441a87a64d0552c39a2e","span_id":"a814504b1a8379df","attributes":{"x":{"value":1},${end}}}]`,
      ),
    ],
    'an object is shared': numbers.map((number) =>
      span(number, `${own(number)},${end},"o":{"value":{"a":"${'x'.repeat(100)}"},"type":"object"}`),
    ),
  };
  test.each(Object.entries(cases))('%s', (_, spans) => {
    expect(rowsOf(container(...spans)).rows).toEqual(alone(spans));
  });

  test('a span is refused', () => {
    const { rows, outcomes, kept } = rowsOf(container(...usual, span(6, `${own(6)},${end}`).replace('de8e', 'wrong')));
    expect(rows).toHaveLength(5);
    expect(outcomes).toContainEqual({
      category: 'span',
      outcome: { kind: 'invalid', reason: 'bad_trace_id' },
      quantity: 1,
    });
    expect(kept?.[0]?.row.payload).toContain('sentry.sdk.integrations');
  });

  test('it is no JSON', () => {
    for (const text of [container(...usual).slice(0, -3), container(...usual, `"${own(6)},${end}}`)]) {
      expect(rowsOf(text).outcomes).toMatchObject([{ outcome: { kind: 'invalid', reason: 'json' } }]);
    }
  });
});
