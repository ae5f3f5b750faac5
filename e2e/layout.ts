/** How a page stands on the screen, measured: what should be in line, what should not break, what should not be empty. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Nothing is in line to less than a pixel. */
const tolerance = 1;

/** px of white that nobody takes for a hole. */
export const maxWhite = 120;

/** Cells that neither begin, end nor stand in the middle where their heading does; `heads` and `cells` are lists of siblings. */
async function misplaced(page: Page, heads: string, rows: string, end: 'right' | 'first' = 'right'): Promise<string[]> {
  return page.evaluate(
    ([head, row, least, last]) => {
      /** The left and right of what is seen in it; `first`: where its first part ends, which a share may follow. */
      const extent = (element: Element): { left: number; right: number; first: number } | undefined => {
        const seen: DOMRect[] = [...element.querySelectorAll('svg, img')].map((each) => each.getBoundingClientRect());
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          if (!node.textContent?.trim() || node.parentElement?.closest('.visually-hidden')) continue;
          const range = document.createRange();
          range.selectNodeContents(node);
          seen.push(range.getBoundingClientRect());
        }
        const boxes = seen.filter(({ width }) => width > 0);
        return boxes.length
          ? {
              left: Math.min(...boxes.map(({ left }) => left)),
              right: Math.max(...boxes.map(({ right }) => right)),
              first: boxes[0]?.right ?? NaN,
            }
          : undefined;
      };
      const found: string[] = [];
      for (const line of document.querySelectorAll(head)) {
        const scope = line.closest('table') ?? document;
        const headings = [...line.children];
        for (const each of scope.querySelectorAll(row)) {
          const cells = [...each.children].slice(-headings.length);
          if (cells.length < headings.length) continue;
          headings.forEach((heading, index) => {
            const [a, b] = [extent(heading), cells[index] && extent(cells[index])];
            if (!a || !b) return;
            const off = [a.left - b.left, a.right - b[last], (a.left + a.right - b.left - b.right) / 2].map(Math.abs);
            if (Math.min(...off) > least)
              found.push(
                `${heading.textContent} is ${Math.round(Math.min(...off))} px off ${cells[index]?.textContent}`,
              );
          });
        }
      }
      return [...new Set(found)];
    },
    [heads, rows, tolerance, end] as const,
  );
}

/** `first`: numbers that their share follows end with their heading, not the shares. */
export const misplacedInTables = (page: Page, end?: 'right' | 'first'): Promise<string[]> =>
  misplaced(page, 'table thead tr', 'tbody tr', end);

/** The heads are no table's: the line whose last heading has this text. */
export async function misplacedInList(page: Page, lastHeading: string, rows: string): Promise<string[]> {
  const line = page.getByText(lastHeading, { exact: true }).locator('..');
  await line.evaluate((element) => element.setAttribute('data-measured', ''));
  return misplaced(page, '[data-measured]', rows);
}

/** px between the end of the bar on top of the page and that of `selector`. */
export async function pastTheBar(page: Page, selector: string): Promise<number> {
  return page.evaluate((content) => {
    const ends = ['main header > :last-child', content].map(
      (each) => document.querySelector(each)?.getBoundingClientRect().right ?? NaN,
    );
    return Math.abs((ends[0] ?? NaN) - (ends[1] ?? NaN));
  }, selector);
}

/** Values that stand apart from their unit, or may: on two lines, or with a space that breaks. */
export async function brokenUnits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const unit = /\d(\s?)(?:µs|ms|s|min|h|d|mo|y|B|kB|MB|GB|[kKMG]|%|×)(?![\p{L}\d])/gu;
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // What applications have sent is theirs.
      if (node.parentElement?.closest('code, pre, script, style, option')) continue;
      for (const match of node.textContent?.matchAll(unit) ?? []) {
        const range = document.createRange();
        range.setStart(node, match.index);
        range.setEnd(node, match.index + match[0].length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (match[1] === ' ' || lines.size > 1) found.push(node.textContent?.trim() ?? '');
      }
    }
    return [...new Set(found)];
  });
}

/** At both widths; leaves the page wide. */
export async function expectWholeUnits(page: Page): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => brokenUnits(page), { message: `units at ${width}` }).toEqual([]);
  }
}

/** px of white that the side column of an issue page has beside it at most: between two panels, or after the last. */
export async function whiteBesideAside(page: Page): Promise<number> {
  return page.evaluate(() => {
    const side = document.querySelector('aside[aria-label="Issue details"]');
    if (!side?.parentElement) return Infinity;
    const panels = [...side.parentElement.querySelectorAll('section')]
      .filter((each) => !side.contains(each))
      .map((each) => each.getBoundingClientRect())
      .filter(({ height }) => height > 0)
      .toSorted((a, b) => a.top - b.top);
    const { top, bottom } = side.getBoundingClientRect();
    let [filled, most] = [top, 0];
    for (const each of panels) {
      most = Math.max(most, Math.min(each.top, bottom) - filled);
      filled = Math.max(filled, each.bottom);
    }
    return Math.round(Math.max(most, bottom - filled));
  });
}
