/** What each part looks like, in both themes, wide and narrow, and from right to left. `npm run snapshots` takes the pictures again. */
import { beforeAll, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { violations } from './testing/axe.ts';
import { gallery } from './testing/gallery.tsx';

const widths = { wide: 1000, narrow: 390 };

beforeAll(async () => {
  // Only the shipped typeface is the same on every machine.
  document.documentElement.style.setProperty('--mono', 'var(--font)');
  await Promise.all([400, 600].map((weight) => document.fonts.load(`${weight} 13px Inter`)));
});

async function look(name: string, picture: string, pixels: number): Promise<void> {
  await page.viewport(pixels, 900);
  const screen = await render(
    <div data-testid="part" style={{ padding: 16, background: 'var(--bg)', pointerEvents: 'none' }}>
      {gallery[name]}
    </div>,
  );
  await expect(screen.getByTestId('part')).toMatchScreenshot(picture);
  expect(await violations()).toEqual([]);
}

describe.each(['light', 'dark'])('%s', (theme) => {
  beforeAll(() => {
    document.documentElement.dataset['theme'] = theme;
    return () => delete document.documentElement.dataset['theme'];
  });

  describe.each(Object.entries(widths))('%s', (width, pixels) => {
    test.each(Object.keys(gallery))('%s', (name) => look(name, `${name}-${theme}-${width}`, pixels));
  });
});

describe('from right to left', () => {
  beforeAll(() => {
    document.documentElement.dir = 'rtl';
    return () => document.documentElement.removeAttribute('dir');
  });

  test.each(Object.keys(gallery))('%s', (name) => look(name, `${name}-rtl`, widths.wide));
});
