/**
 * A page as a designer and a person with a screen reader find it: axe, nothing sideways at two widths, and with
 * `CULPRIT_TEST_PICTURES=1` a picture of each. Where tests are to last, also its colours, in both themes, and all rows of
 * its lists: each token is tested on each background (`ui/tokens.test.ts`), and each route in both themes (`pages.test.ts`).
 */
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { endurance } from '../server/test/harness.ts';
import { isScaled } from '../server/test/form/scaled.ts';
import { violations } from './axe.ts';

/** Where pictures of tests go. */
export const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url));

export interface LookOptions {
  /** The pictures hold all of the page, not only the first screen. */
  readonly whole?: boolean;
  /** Axe's rules beside those of WCAG 2.2 AA. */
  readonly tags?: readonly string[];
  readonly disabledRules?: readonly string[];
  /** In both themes with each run, not only where tests are to last. */
  readonly isColorful?: boolean;
}

/** Pictures are for people to look at, and cost as much as the checks. */
export const pictures = process.env['CULPRIT_TEST_PICTURES'] !== undefined;

const themes = ['light', 'dark'] as const;

/** `npm run endurance` runs most of these tests in the scaled form. */
const isLasting = endurance || isScaled || pictures;
const widths = [1440, 390] as const;

/** The only rule of axe whose findings depend on the theme. */
const colors = 'color-contrast';

/** Nothing sideways, nothing that axe minds; pictures where they are asked for. Leaves the page light and wide. */
export async function lookAt(page: Page, name: string, options: LookOptions = {}): Promise<void> {
  const { whole = false, tags = [], disabledRules = [], isColorful = false } = options;
  for (const colorScheme of isColorful || isLasting ? themes : (['light'] as const)) {
    for (const width of colorScheme === 'light' || pictures ? widths : ([390] as const)) {
      await show(page, colorScheme, width);
      if (pictures) await picture(page, `${name}-${colorScheme}-${width}`, whole);
      // A chart on a busy machine hears of its new width late.
      await expect
        .poll(() => page.evaluate(sideways), { message: `${name} scrolls sideways at ${width}` })
        .toBeLessThanOrEqual(0);
    }
    if (colorScheme === 'dark' && disabledRules.includes(colors)) continue;
    const rules =
      colorScheme === 'light' ? ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', ...tags] : [colors];
    const found = await violations(page, colorScheme === 'light' ? 'tag' : 'rule', rules, {
      disabledRules: isColorful || isLasting ? disabledRules : [...disabledRules, colors],
      whole: isLasting,
    });
    expect(found, `${name}, ${colorScheme}`).toEqual([]);
  }
  await show(page, 'light', 1440);
}

/** All of the page in both themes and at both widths. Leaves it light and wide. */
export async function takePictures(page: Page, name: string): Promise<void> {
  for (const colorScheme of themes)
    for (const width of widths) {
      await show(page, colorScheme, width);
      await picture(page, `${name}-${colorScheme}-${width}`, true);
    }
  await show(page, 'light', 1440);
}

export async function picture(page: Page, name: string, whole: boolean): Promise<void> {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: `${screenshots}${name.replaceAll(/[ ,]+/g, '-')}.png`, fullPage: whole });
}

async function show(page: Page, colorScheme: (typeof themes)[number], width: (typeof widths)[number]): Promise<void> {
  // Without motion: Playwright takes it for wanted unless told, and colours half-way between two themes are of neither.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
  await settled(page);
}

/** By how many pixels the page is wider than its window; runs in the page. */
function sideways(): number {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth - clientWidth;
}

/** Charts and panels have found their new width, and no colour is on its way any more. */
async function settled(page: Page): Promise<void> {
  await page.waitForTimeout(150);
  await page.evaluate(async () => {
    const frame = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
    // A change of theme is seen in one frame, and what it starts in the next.
    for (let still = 0; still < 2;) {
      await frame();
      still = document.getAnimations().some((one) => one instanceof CSSTransition) ? 0 : still + 1;
    }
  });
}
