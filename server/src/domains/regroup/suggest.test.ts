import { expect, test } from 'vitest';
import type { Event } from '../../process/steps/event.ts';
import { defaultGroupingSettings } from '../../process/steps/group/index.ts';
import { suggestRule } from './suggest.ts';

interface Thrown {
  readonly type?: string;
  readonly value: string;
  readonly functions?: readonly string[];
}

const event = ({ type, value, functions = [] }: Thrown): Event => {
  const frames = functions.map((name) => ({ function: name, filename: `${name}.js`, in_app: true }));
  const base = { event_id: '0'.repeat(32), level: 'error', platform: 'node', timestamp: 1, received: 1, tags: [] };
  if (type === undefined) return { ...base, type: 'default', logentry: { formatted: value } };
  return { ...base, type: 'error', exception: { values: [{ type, value, stacktrace: { frames } }] } };
};
const suggest = (own: readonly Thrown[], others: readonly Thrown[] = [], fingerprintRules = '') =>
  suggestRule(
    { own: own.map(event), others: others.map((one, issueId) => ({ issueId, event: event(one) })) },
    { ...defaultGroupingSettings, fingerprintRules },
  );

test('by type and the function that threw', () => {
  const own = [
    { type: 'PayError', value: 'card 1', functions: ['a', 'applyCoupon'] },
    { type: 'PayError', value: 'cash', functions: ['b', 'c', 'applyCoupon'] },
  ];
  expect(suggest(own)).toEqual({
    rule: 'error.type:PayError stack.function:applyCoupon -> payerror-applycoupon',
    why: 'All events share the type PayError and the function applyCoupon',
  });
});

test('by the message where the places differ, with a star for what differs', () => {
  const own = [
    { type: 'Error', value: 'order 12 of ada@example.com is not paid', functions: ['first'] },
    { type: 'Error', value: 'order 7 of bob@example.com is not paid', functions: ['second'] },
  ];
  expect(suggest(own).rule).toBe('error.type:Error message:"order * of * is not paid" -> error-order-of-is-not-paid');
  expect(suggest([{ value: 'cannot read a.txt now' }, { value: 'cannot read bb.txt now' }]).rule).toContain(
    'message:"cannot read *',
  );
});

test('narrower where it would take in others', () => {
  const own = [
    { type: 'Error', value: 'cannot load the basket of 1', functions: ['request'] },
    { type: 'Error', value: 'cannot load the basket of two', functions: ['x', 'request'] },
  ];
  const others = ['a', 'b', 'c'].map((value) => ({ type: 'Error', value, functions: ['request'] }));
  expect(suggest(own, others).rule).toBe(
    'error.type:Error stack.function:request message:"cannot load the basket of *" -> error-request',
  );
  const one = others.slice(0, 1);
  expect(
    suggest(
      own.map((thrown) => ({ ...thrown, value: thrown.value.slice(-3) })),
      one,
    ).why,
  ).toContain('1 other issue');
});

test('none where nothing tells them from others, where they have nothing in common, where there is one kind', () => {
  const own = ['x', 'y'].map((value) => ({ type: 'Error', value, functions: ['request'] }));
  const others = ['a', 'b', 'c'].map((value) => ({ type: 'Error', value, functions: ['request'] }));
  expect(suggest(own, others)).toEqual({
    rule: null,
    why: 'The common parts of the events also match other issues',
  });
  expect(suggest([{ type: 'A', value: 'x', functions: ['f1'] }, { value: 'y' }]).rule).toBeNull();
  expect(suggest(own.slice(1)).rule).toBeNull();
});

test('none where a rule that stands before it would come first', () => {
  const own = ['x', 'y'].map((value) => ({ type: 'PayError', value, functions: ['charge'] }));
  expect(suggest(own, [], 'value:x -> other').rule).toBeNull();
});

test('whatever the names, what is suggested can be read as a rule', () => {
  for (const nasty of [
    '"quoted"',
    'a -> b',
    'st*r?',
    '[x]{y,z}',
    'back\\slash',
    'line\nbreak',
    '{{ default }}',
    '# no',
  ]) {
    const own = ['one', 'two'].map((value) => ({ type: nasty, value, functions: [nasty] }));
    const { rule } = suggest(own);
    expect(rule, nasty).not.toBeNull();
    expect(rule).not.toContain('\n');
  }
});
