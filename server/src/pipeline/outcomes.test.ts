import { expect, test } from 'vitest';
import { createOutcomeCounter } from './outcomes.ts';

const at = 1_763_700_030_000;
const accepted = (category: string, quantity: number) => ({
  category,
  outcome: { kind: 'accepted' } as const,
  quantity,
});
const refused = { kind: 'invalid', reason: 'store_refused' } as const;

const countsOf = (counter: ReturnType<typeof createOutcomeCounter>) =>
  counter.rows().map(({ category, outcome, reason, quantity }) => [category, outcome, reason, quantity]);

test('what is lost on its way is what it ended in, and no longer accepted', () => {
  const counter = createOutcomeCounter();
  counter.count({ projectId: 1, receivedAt: at }, accepted('span', 3));
  counter.lose({ projectId: 1, receivedAt: at }, 'span', refused);
  const expected = [
    ['span', 'accepted', '', 2],
    ['span', 'invalid', 'store_refused', 1],
  ];
  expect(countsOf(counter)).toEqual(expected);
  expect(countsOf(counter)).toEqual(expected);
});

test('nothing is lost that was not on its way: an item of several rows ends once', () => {
  const counter = createOutcomeCounter();
  counter.count({ projectId: 1, receivedAt: at }, accepted('session', 1));
  for (let row = 0; row < 3; row++) counter.lose({ projectId: 1, receivedAt: at }, 'session', refused);
  counter.lose({ projectId: 2, receivedAt: at }, 'session', refused);
  counter.lose({ projectId: 1, receivedAt: at + 60_000 }, 'session', refused);
  counter.lose({ projectId: 1, receivedAt: at }, 'error', refused);
  expect(countsOf(counter)).toEqual([['session', 'invalid', 'store_refused', 1]]);
});
