/** A page as a designer and a person with a screen reader find it: pictures in both themes and two widths, and axe. */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Where pictures of tests go. */
export const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url));

export interface LookOptions {
  /** The picture at 390 px holds all of the page, not only the first screen. */
  readonly whole?: boolean;
  /** Axe's rules beside those of WCAG 2.2 AA. */
  readonly tags?: readonly string[];
  readonly disabledRules?: readonly string[];
}

/** Nothing sideways, nothing that axe minds. Leaves the page light and wide. */
export async function lookAt(page: Page, name: string, options: LookOptions = {}): Promise<void> {
  const { whole = false, tags = [], disabledRules = [] } = options;
  await mkdir(screenshots, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      // Charts and panels settle in their new width.
      await page.waitForTimeout(150);
      const path = `${screenshots}${name}-${colorScheme}-${width}.png`;
      await page.screenshot({ path, fullPage: whole && width === 390 });
      const sideways = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect(sideways, `${name} scrolls sideways at ${width}`).toBeLessThanOrEqual(0);
    }
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', ...tags])
      .disableRules([...disabledRules])
      .analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    expect(found, `${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
