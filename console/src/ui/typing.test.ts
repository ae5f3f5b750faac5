import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { keepTyped, stopKeeping } from './typing.ts';

const page = new EventTarget();
// Node takes a boolean for `capture` when a listener is added, and not when it is removed; there is one phase here anyway.
vi.stubGlobal('addEventListener', (type: string, listener: EventListener) => page.addEventListener(type, listener));
vi.stubGlobal('removeEventListener', (type: string, listener: EventListener) =>
  page.removeEventListener(type, listener),
);
afterEach(() => void stopKeeping());
afterAll(() => void vi.unstubAllGlobals());

/** Whether anybody else gets it. */
const press = (key: string): boolean =>
  page.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key }));

test('keys are kept for the box, with what is taken back and whether it is sent', () => {
  keepTyped(() => {}, Promise.resolve());
  expect([...'got', 'Backspace', 'Shift', ' ', '1', 'Enter', 'x'].map(press)).toEqual([
    ...Array<boolean>(4).fill(false),
    true,
    ...Array<boolean>(3).fill(false),
    true,
  ]);
  expect(stopKeeping()).toEqual({ text: 'go 1', isSent: true });
  expect(press('x')).toBe(true);
});

test('Escape, and a box that cannot be loaded, give the keys back', async () => {
  const cancel = vi.fn();
  keepTyped(cancel, Promise.resolve());
  expect(press('Escape')).toBe(false);
  expect(cancel).toHaveBeenCalledOnce();
  expect(press('x')).toBe(true);

  keepTyped(cancel, Promise.reject(new Error('no network')));
  expect(press('x')).toBe(false);
  await Promise.resolve();
  expect(press('y')).toBe(true);
  expect(cancel).toHaveBeenCalledOnce();
  expect(stopKeeping().text).toBe('');
});
