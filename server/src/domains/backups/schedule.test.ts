import { expect, test } from 'vitest';
import { isOverdue, nextDue, nextMoment } from './schedule.ts';

const daily = '30 3 * * *';
const at = (text: string): number => Date.parse(`2026-11-${text}Z`);
const minuteMs = 60_000;

test('an expression is read in UTC', () => {
  expect(nextMoment(daily, at('26T03:29:59'))).toBe(at('26T03:30:00'));
  expect(nextMoment(daily, at('26T03:30:00'))).toBe(at('27T03:30:00'));
  expect(nextMoment('0 */6 * * *', at('26T03:30:00'))).toBe(at('26T06:00:00'));
});

test.each([
  ['none yet', undefined, at('26T03:30:00')],
  ['taken late', { state: 'done', createdAt: at('26T09:00:00'), endedAt: at('26T09:10:00') }, at('27T03:30:00')],
  ['failed', { state: 'failed', createdAt: at('26T03:30:00'), endedAt: at('26T03:40:00') }, at('26T04:10:00')],
  [
    'failed just before the next',
    { state: 'failed', createdAt: at('26T03:00:00'), endedAt: at('26T03:20:00') },
    at('26T03:30:00'),
  ],
  ['under way', { state: 'running', createdAt: at('26T03:30:00'), endedAt: null }, undefined],
  ['waiting', { state: 'waiting', createdAt: at('26T03:30:00'), endedAt: null }, undefined],
] as const)('the next is due: %s', (_, last, due) => {
  expect(nextDue(daily, last, at('26T00:00:00'))).toBe(due);
});

test('one that did not come is overdue two hours later', () => {
  const taken = at('25T03:35:00');
  expect(isOverdue(daily, taken, at('26T03:30:00') + 119 * minuteMs)).toBe(false);
  expect(isOverdue(daily, taken, at('26T03:30:00') + 121 * minuteMs)).toBe(true);
});
