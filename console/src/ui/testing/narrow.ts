import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { violations } from './axe.ts';

/** What a test shows has room at 390 px, and axe minds nothing there. */
export async function expectToFitNarrow(): Promise<void> {
  await page.viewport(390, 700);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  expect(await violations()).toEqual([]);
}

/** What no layout expects: one word without end, markup, and writing from right to left. */
export const hostileText = `<b>${'x'.repeat(600)}</b> \u05e9\u05dc\u05d5\u05dd ${'long '.repeat(80)}`;
