/** Texts of a page in a pseudo-locale that did not come from a catalogue: those without its marks. */
import type { Page } from 'playwright-core';

const attributes = [
  'alt',
  'aria-description',
  'aria-label',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
  'data-tip',
  'placeholder',
  'title',
];

/** What a user or an event supplied, and what is written alike in all languages. */
const data = '[translate="no"], code, kbd, pre, samp, script, style, time, textarea';

/** Each text with the element that has it, as it stands there. */
export async function unmarkedTexts(page: Page): Promise<string[]> {
  const found = await page.evaluate(
    ({ attributes: names, data: left }) => {
      const texts: string[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (node.parentElement && !node.parentElement.closest(left)) texts.push(node.nodeValue ?? '');
      for (const name of names)
        for (const element of document.body.querySelectorAll(`[${name}]`))
          if (!element.closest(left)) texts.push(element.getAttribute(name) ?? '');
      return texts;
    },
    { attributes, data },
  );
  return [...new Set(found.filter((text) => isUnmarked(text)).map((text) => text.trim()))];
}

/** By `Intl`, which knows no pseudo-locale, and symbols of units. */
const formatted = [
  /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b/g,
  /\b(?:UTC|GMT(?:[+-][\d:]+)?)\b/g,
  /(?<=[\d±×]\u00a0?)(?:µs|ms|s|min|h|d|B|kB|MB|GB|TB|PB|px)\b/g,
  /(?<=\d)[KMBT]\b/g,
  /\b(?:in )?[\d,]+\u00a0(?:sec|min|hr|days?|mo|yr)(?: ago)?\b/g,
  /\bCulprit\b/g,
];

/** Whether letters are left that are none of the pseudo-locale's, which puts data between marks of direction. */
export function isUnmarked(text: string): boolean {
  let rest = text;
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/\u2068[^\u2068\u2069]*\u2069/g, '');
  }
  return /[a-z]{2}/i.test(formatted.reduce((left, pattern) => left.replaceAll(pattern, ''), rest));
}
