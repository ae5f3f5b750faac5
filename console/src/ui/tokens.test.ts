/** Recomputes the contrast of every token against every background it may stand on, in both themes (WCAG 2.2). */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allVisions, difference, differenceTo } from './testing/colour-vision.ts';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const themes = ['light', 'dark'] as const;
const tokens = new Map(
  [...css.matchAll(/(--[\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map((match) => [
    match[1],
    [match[2], match[3]],
  ]),
);
const backgrounds = ['--bg', '--bg-subtle', '--bg-hover', '--bg-selected'];

function colour(token: string, theme: (typeof themes)[number]): string {
  const value = tokens.get(token)?.[themes.indexOf(theme)];
  if (!value) throw new Error(`no token ${token}`);
  return value;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.040_45 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

test('the formula is the one of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('all tokens of the table are there, in both themes', () => {
  expect(tokens.size).toBe(32);
});

const text = [...tokens.keys()].filter((token): token is string => /^--(?:text|accent|level|ok)/.test(token ?? ''));
const marks = [...tokens.keys()].filter((token): token is string =>
  /^--(?:op-|series-|line-control)/.test(token ?? ''),
);

for (const theme of themes) {
  test(`${theme}: text and levels at least 4.7 : 1 on all four backgrounds`, () => {
    expect(text).toHaveLength(10);
    for (const token of text) {
      for (const background of backgrounds) {
        expect(
          contrast(colour(token, theme), colour(background, theme)),
          `${token} on ${background}`,
        ).toBeGreaterThanOrEqual(4.7);
      }
    }
    expect(contrast(colour('--on-accent', theme), colour('--accent', theme))).toBeGreaterThanOrEqual(4.7);
  });

  test(`${theme}: marks and control lines at least 3 : 1 on all four backgrounds`, () => {
    expect(marks).toHaveLength(16);
    for (const token of marks) {
      for (const background of backgrounds) {
        expect(
          contrast(colour(token, theme), colour(background, theme)),
          `${token} on ${background}`,
        ).toBeGreaterThanOrEqual(3);
      }
    }
  });
}

test('the difference is the one of CIE', () => {
  // Of the pairs that its authors published, those where hue turns and where it does not.
  expect(difference([50, 2.6772, -79.7751], [50, 0, -82.7485])).toBeCloseTo(2.0425, 4);
  expect(difference([50, 2.5, 0], [73, 25, -18])).toBeCloseTo(27.1492, 4);
  expect(difference([22.7233, 20.0904, -46.694], [23.0331, 14.973, -42.5619])).toBeCloseTo(2.0373, 4);
  expect(difference([90.8027, -2.0831, 1.441], [91.1528, -1.6435, 0.0447])).toBeCloseTo(1.4441, 4);
});

/** What charts draw beside each other: all series, a measure and the one before, outcomes. */
const beside: readonly (readonly string[])[] = [
  [1, 2, 3, 4, 5, 6, 7].map((place) => `--series-${place}`),
  ['--accent', '--text-faint'],
  ['--level-error', '--text-faint'],
  ['--series-1', '--text-faint', '--series-4', '--series-7', '--level-error'],
];

for (const theme of themes) {
  test.each(allVisions)(`${theme}: neighbours are seen apart at a glance, by eyes with %s`, (vision) => {
    for (const tokens of beside) {
      for (const [index, token] of tokens.slice(1).entries()) {
        const before = tokens[index] ?? '';
        expect(
          differenceTo(vision, colour(before, theme), colour(token, theme)),
          `${before} beside ${token}`,
        ).toBeGreaterThanOrEqual(10);
      }
    }
  });

  test.each(allVisions)(`${theme}: no two series are alike, to eyes with %s`, (vision) => {
    const series = beside[0] ?? [];
    for (const [index, one] of series.entries()) {
      for (const other of series.slice(index + 1)) {
        const apart = differenceTo(vision, colour(one, theme), colour(other, theme));
        expect(apart, `${one} and ${other}`).toBeGreaterThanOrEqual(10);
      }
    }
  });
}

test('the page that stands before the sheets arrive has their colours', () => {
  const html = readFileSync(new URL('../../index.html', import.meta.url), 'utf8');
  const known = new Set([...tokens.values()].map((pair) => pair.join(', ')));
  const used = [...html.matchAll(/light-dark\(([^)]+)\)/g)].map(([, pair = '']) => pair);
  expect(used.length).toBeGreaterThan(5);
  expect(used.filter((pair) => !known.has(pair))).toEqual([]);
});
