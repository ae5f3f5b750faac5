import { expect, test } from 'vitest';
import { createGate } from './gate.ts';

test('holds no more than its limit and serves those that wait in order', async () => {
  const gate = createGate(10);
  expect(gate.tryTake(6)).toBe(true);
  const order: string[] = [];
  const large = gate.take(8, 60_000).then(() => order.push('large'));
  const small = gate.take(1, 60_000).then(() => order.push('small'));
  // Nothing overtakes, although one unit would fit.
  expect(gate.tryTake(1)).toBe(false);
  gate.release(6);
  await Promise.all([large, small]);
  expect(order).toEqual(['large', 'small']);
  expect(gate.held).toBe(9);
});

test('gives up when no room comes in time, and lets the next one through', async () => {
  const gate = createGate(10);
  gate.tryTake(10);
  expect(await gate.take(5, 1)).toBe(false);
  const next = gate.take(5, 60_000);
  gate.release(10);
  expect(await next).toBe(true);
  expect(gate.held).toBe(5);
});

test('refuses at once when too many wait', async () => {
  const gate = createGate(1, 1);
  gate.tryTake(1);
  const first = gate.take(1, 60_000);
  expect(await gate.take(1, 60_000)).toBe(false);
  gate.release(1);
  expect(await first).toBe(true);
});

test('one that wants more than the limit passes alone', async () => {
  const gate = createGate(10);
  gate.tryTake(1);
  const huge = gate.take(50, 60_000);
  gate.release(1);
  expect(await huge).toBe(true);
  expect(gate.tryTake(1)).toBe(false);
});
