/**
 * A page as a designer and a person with a screen reader find it: axe in both themes, nothing sideways at two widths, and with
 * `CULPRIT_TEST_PICTURES=1` a picture of each.
 */
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

/** Pictures are for people to look at, and cost as much as the checks. */
const pictures = process.env['CULPRIT_TEST_PICTURES'] !== undefined;

/** The only rule of axe whose findings depend on the theme. */
const colors = 'color-contrast';

/** Nothing sideways, nothing that axe minds; pictures where they are asked for. Leaves the page light and wide. */
export async function lookAt(page: Page, name: string, options: LookOptions = {}): Promise<void> {
  const { whole = false, tags = [], disabledRules = [] } = options;
  if (pictures) await mkdir(screenshots, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of colorScheme === 'light' || pictures ? [1440, 390] : [390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      // Charts and panels settle in their new width.
      await page.waitForTimeout(150);
      if (pictures) {
        const path = `${screenshots}${name}-${colorScheme}-${width}.png`;
        await page.screenshot({ path, fullPage: whole && width === 390 });
      }
      const sideways = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect(sideways, `${name} scrolls sideways at ${width}`).toBeLessThanOrEqual(0);
    }
    if (colorScheme === 'dark' && disabledRules.includes(colors)) continue;
    // The pages have no frames, for which it would open a page of its own each time.
    const axe = new AxeBuilder({ page }).setLegacyMode().disableRules([...disabledRules]);
    const rules =
      colorScheme === 'light'
        ? axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', ...tags])
        : axe.withRules([colors]);
    const { violations } = await rules.analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    expect(found, `${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1440, height: 900 });
}
