/** What a page is for whoever uses it by keyboard or by ear, beside what axe knows. */
import type { Page } from 'playwright-core';
import { lasting } from '../server/src/base/testing.ts';

/** What is wrong with the headings: one of the first level, and none is skipped. */
export const headingFaults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const levels = [...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
      .filter((each) => each.checkVisibility() && !each.closest('[role="dialog"], [aria-hidden="true"]'))
      .map((each) => ({ level: Number(each.tagName[1]), text: each.textContent.trim() }));
    const firsts = levels.filter(({ level }) => level === 1).length;
    return [
      ...(firsts === 1 ? [] : [`${firsts} headings of the first level`]),
      ...levels.flatMap(({ level, text }, index) => {
        const before = levels[index - 1]?.level ?? 0;
        return level > before + 1 ? [`"${text}" is of level ${level} after one of level ${before}`] : [];
      }),
    ];
  });

/** Roles that are only boxes around what is named. */
const boxes = new Set(['RootWebArea', 'generic', 'none', 'dialog', 'main', 'paragraph', 'Iframe', 'document']);

/** What takes the focus and has no name for a screen reader. */
export async function namelessControls(page: Page): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  try {
    const { nodes } = await client.send('Accessibility.getFullAXTree');
    return nodes.flatMap(({ ignored, role, name, properties = [], nodeId }) => {
      const takesFocus = properties.some((each) => each.name === 'focusable' && each.value.value === true);
      if (ignored || !takesFocus || boxes.has(String(role?.value)) || String(name?.value ?? '').trim()) return [];
      return [`${String(role?.value)} ${nodeId} has no name`];
    });
  } finally {
    await client.detach();
  }
}

interface Walk {
  /** What had the focus, in this order. */
  readonly stops: Element[];
  readonly unseen: Set<Element>;
}

/** Presses that are sent before it is asked where they led. */
const stride = 30;
/** What comes after so many of a list of hundreds is of the same parts. */
const longest = lasting(120, 600);

/** Tab from the top of the page to its end, or for so long: what it does not reach, where its focus is not seen, where it goes back. */
export async function tabFaults(page: Page): Promise<string[]> {
  await page.evaluate(startWalk);
  const client = await page.context().newCDPSession(page);
  try {
    const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
    let isAround = false;
    for (let pressed = 0, known = -1; pressed < longest && !isAround; pressed += stride) {
      await Promise.all(
        Array.from({ length: stride }, () => client.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key })),
      );
      const reached = await page.evaluate(() => (Reflect.get(globalThis, 'walk') as Walk).stops.length);
      // Once around: nothing was new.
      isAround = reached === known;
      known = reached;
    }
    return await page.evaluate(endWalk, isAround);
  } finally {
    await client.detach();
  }
}

/** Runs in the page. */
function startWalk(): void {
  const walk: Walk = { stops: [], unseen: new Set() };
  const isSeen = (element: Element): boolean => {
    for (let [each, ups]: [Element | null, number] = [element, 0]; each && ups < 4; each = each.parentElement, ups += 1)
      for (const part of [undefined, '::before', '::after']) {
        const { outlineStyle, outlineWidth } = getComputedStyle(each, part);
        if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return true;
      }
    return false;
  };
  const tabbable = (): Element[] =>
    [
      ...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex], [contenteditable]'),
    ].filter(
      (each) =>
        each instanceof HTMLElement &&
        each.tabIndex >= 0 &&
        !each.matches(':disabled, [data-base-ui-focus-guard]') &&
        !each.closest('[inert]') &&
        each.checkVisibility({ visibilityProperty: true }) &&
        // Of a group of radio buttons one is reached.
        !(each instanceof HTMLInputElement && each.type === 'radio' && !each.checked),
    );
  const wanted = tabbable();
  const ended = new AbortController();
  // From the top, wherever the focus was.
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || walk.stops.includes(target)) return;
    walk.stops.push(target);
    if (!isSeen(target)) walk.unseen.add(target);
  };
  addEventListener('focusin', onFocus, { signal: ended.signal });
  Object.assign(globalThis, { walk, wanted, tabbable, endWalking: () => ended.abort() });
}

/** Runs in the page; `isAround`: all of it was walked, else what stands behind the last stop was not. */
function endWalk(isAround: boolean): string[] {
  (Reflect.get(globalThis, 'endWalking') as () => void)();
  const { stops, unseen } = Reflect.get(globalThis, 'walk') as Walk;
  const all = Reflect.get(globalThis, 'wanted') as Element[];
  const wanted = isAround ? all : all.slice(0, all.findLastIndex((each) => stops.includes(each)) + 1);
  const still = new Set((Reflect.get(globalThis, 'tabbable') as () => Element[])());
  const called = (element: Element): string => {
    const label = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
    return `<${element.tagName.toLowerCase()}> "${label}" in <${element.parentElement?.tagName.toLowerCase()} class="${element.parentElement?.className}">`;
  };
  const isBack = (from: Element, to: Element): boolean => {
    if (from.parentElement !== to.parentElement) return false;
    const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
    return b.bottom <= a.top || (b.right <= a.left && b.top < a.bottom);
  };
  return [
    ...wanted.filter((each) => still.has(each) && !stops.includes(each)).map((each) => `not reached: ${called(each)}`),
    ...[...unseen].map((each) => `focus not seen: ${called(each)}`),
    ...stops.flatMap((each, index) => {
      const next = stops[index + 1];
      return next && isBack(each, next) ? [`${called(next)} comes before ${called(each)}`] : [];
    }),
  ];
}
