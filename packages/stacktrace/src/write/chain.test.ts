import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linksOf } from './chain.ts';

const said = (mechanism?: Record<string, unknown>, source: string[] = []) => ({ type: 'E', mechanism, source });

test('whatever ids an event has, each exception belongs to one before it', () => {
  const id = fc.option(fc.integer({ min: -1, max: 6 }), { nil: undefined });
  const mechanism = fc.record({
    type: fc.constantFrom('chained', 'suppressed'),
    source: fc.constantFrom(undefined, '__cause__', '__context__', 'errors[0]', 'unwrap'),
    exception_id: id,
    parent_id: id,
  });
  fc.assert(
    fc.property(fc.array(mechanism, { maxLength: 7 }), (mechanisms) => {
      for (const [index, { parent }] of linksOf(
        mechanisms.map((each) => said(each)),
        'java',
      ).entries()) {
        if (index === 0) expect(parent).toBeUndefined();
        else expect(parent).toSatisfy((at: number) => at >= 0 && at < index);
      }
    }),
  );
});

test('Python without source leaves open what it was', () => {
  expect(linksOf([said(), said()], 'python')[1]).toEqual({ parent: 0, relation: undefined });
  expect(linksOf([said(undefined, ['raise A from b']), said()], 'python')[1]?.relation).toBe('cause');
  expect(linksOf([said(undefined, ['raise A']), said()], 'python')[1]?.relation).toBe('context');
});
