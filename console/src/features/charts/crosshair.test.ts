import { expect, test, vi } from 'vitest';
import { createCrosshair } from './crosshair.ts';

test('whoever listens hears of another moment, and of no moment twice', () => {
  const crosshair = createCrosshair();
  const heard = vi.fn<() => void>();
  const stop = crosshair.subscribe(heard);
  crosshair.set(60);
  crosshair.set(60);
  expect([crosshair.get(), heard.mock.calls.length]).toEqual([60, 1]);
  crosshair.set(undefined);
  expect(heard).toHaveBeenCalledTimes(2);
  stop();
  crosshair.set(1);
  expect(heard).toHaveBeenCalledTimes(2);
});
