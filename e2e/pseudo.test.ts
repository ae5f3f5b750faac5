/**
 * The console in a pseudo-locale, of which every text shows that it came from a catalogue, and in which texts are longer
 * and run the other way. Of some, texts stand in their code yet: the list says of which.
 */
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { picture, pictures, takePictures } from './look.ts';
import { pages } from './page-list.ts';
import { isUnmarked, unmarkedTexts } from './pseudo-texts.ts';
import { Visits } from './visits.ts';

const vite = fileURLToPath(new URL('../node_modules/.bin/vite', import.meta.url));

let directory: string;
let visits: Visits;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'culprit-pseudo-'));
  execFileSync(vite, ['build', '--logLevel', 'warn', '--outDir', directory, '--emptyOutDir'], {
    cwd: fileURLToPath(new URL('../console/', import.meta.url)),
    env: { ...process.env, CULPRIT_PSEUDO: 'en-XA', NODE_ENV: 'production' },
    stdio: 'inherit',
  });
  visits = await Visits.open({ CULPRIT_CONSOLE_DIR: directory });
});
afterAll(async () => {
  await visits?.[Symbol.asyncDispose]();
  if (directory) await rm(directory, { recursive: true, force: true });
});

test('what is marked, and what is not', () => {
  expect(['⟦Ĩššûûéé⟧', '⟦\u2068WEB-1 is\u2069 ŕéé⟧', '2.1\u00a0s', 'Nov 21, 14:00', '12.3K', ''].some(isUnmarked)).toBe(
    false,
  );
  expect(['Issues', '⟦Ĩšš⟧ of', '3 events'].every(isUnmarked)).toBe(true);
});

test.each(Object.keys(pages))('%s', async (name) => {
  const page = await visits.arrive(name);
  await pages[name]?.open?.(page);
  const texts = await unmarkedTexts(page);
  if (pages[name]?.unmoved) {
    expect(texts, `${name} is done: take its mark off the list`).not.toEqual([]);
    return;
  }
  expect(texts).toEqual([]);
  if (pictures) await takePictures(page, `pseudo-${name}`);
  for (const dir of ['ltr', 'rtl'])
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const sideways = (): Promise<number> =>
        page.evaluate((direction) => {
          const root = document.documentElement;
          root.dir = direction;
          return root.scrollWidth - root.clientWidth;
        }, dir);
      // Charts follow the width of the page a frame later.
      await expect
        .poll(sideways, { message: `${name} scrolls sideways, ${dir}, ${width} px wide` })
        .toBeLessThanOrEqual(0);
      if (pictures && dir === 'rtl') await picture(page, `pseudo-${name}-rtl-${width}`, true);
    }
});
