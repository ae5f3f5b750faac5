/** What is read from the payload of an event instead of its row is what its row says. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { run } from '../testing.ts';
import { saidColumns } from './rows.ts';

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.constantFrom('', ' ', '\ud800', 'a\0b', '{}'));
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined | null> =>
  fc.oneof(value, fc.constantFrom(undefined, null));

const event = fc.record({
  level: fc.constantFrom('error', 'warning', 'nonsense', undefined),
  platform: fc.constantFrom('javascript', 'node', 'python', undefined),
  environment: maybe(text),
  release: maybe(text),
  dist: maybe(text),
  transaction: maybe(text),
  logentry: maybe(fc.record({ formatted: maybe(text), message: maybe(text) })),
  user: maybe(fc.record({ id: maybe(text), email: maybe(text), username: maybe(text), ip_address: maybe(text) })),
  sdk: maybe(fc.record({ name: maybe(text), version: maybe(text) })),
  contexts: fc.record({
    trace: maybe(fc.record({ trace_id: text, span_id: fc.constantFrom('0123456789abcdef', 'x') })),
  }),
  tags: maybe(fc.oneof(fc.dictionary(text, text), fc.array(fc.tuple(text, text)))),
  exception: maybe(
    fc.record({
      values: fc.array(
        fc.record({
          type: maybe(text),
          value: maybe(text),
          mechanism: maybe(fc.record({ type: text, handled: maybe(fc.boolean()) })),
        }),
      ),
    }),
  ),
});

it('is the same for any event', () => {
  let rows = 0;
  fc.assert(
    fc.property(event, (sent) => {
      for (const { row } of run('event', { event_id: 'a'.repeat(32), ...sent }).events ?? []) {
        rows += 1;
        const said = saidColumns(JSON.parse(row.payload));
        const asStored = Object.entries(said).map(([name]) => [name, inColumn(row[name as keyof typeof said])]);
        expect(said).toEqual(Object.fromEntries(asStored));
      }
    }),
  );
  expect(rows).toBeGreaterThan(0);
});

/** Columns are UTF-8. */
const inColumn = (value: unknown): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null)
    ? JSON.parse(JSON.stringify(value, (_, one: unknown) => (typeof one === 'string' ? one.toWellFormed() : one)))
    : value;
