/** Web vitals by the browser's own performance entries and their published definitions, apart from any library. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Server } from '../server/test/harness.ts';

const vitalNames = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const;

/** ms; `cls` has no unit. */
export type Vitals = Readonly<Record<(typeof vitalNames)[number], number>>;

interface Seen {
  lcp: number;
  readonly shifts: { readonly at: number; readonly value: number }[];
  /** By interaction: the longest of its events. */
  readonly interactions: Record<number, number>;
}

type Watched = Window & { seenVitals?: Seen };
type Entry = PerformanceEntry & {
  readonly value: number;
  readonly hadRecentInput: boolean;
  readonly interactionId: number;
};

/** To be called before the page is opened. */
export async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: Seen = { lcp: 0, shifts: [], interactions: {} };
    (window as Watched).seenVitals = seen;
    // Without a window to draw in, the browser may never call itself idle.
    const whenIdle = window.requestIdleCallback.bind(window);
    window.requestIdleCallback = (callback, options) => whenIdle(callback, { timeout: 1000, ...options });
    const watch = (type: string, note: (entry: Entry) => void): void => {
      const observer = new PerformanceObserver((list) => list.getEntries().forEach((entry) => note(entry as Entry)));
      observer.observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
    };
    watch('largest-contentful-paint', ({ startTime }) => (seen.lcp = startTime));
    watch('layout-shift', ({ startTime, value, hadRecentInput }) => {
      if (!hadRecentInput) seen.shifts.push({ at: startTime, value });
    });
    watch('event', ({ interactionId, duration }) => {
      if (interactionId) seen.interactions[interactionId] = Math.max(seen.interactions[interactionId] ?? 0, duration);
    });
  });
}

/**
 * What gives a page its vitals, each once the browser has measured it: it is painted, something comes in above what is
 * there, and a click is answered late. Resolves to what was measured when nothing can change it any more.
 */
export async function sufferVitals(page: Page, click: () => Promise<void>): Promise<Vitals> {
  await page.waitForFunction(() => ((window as Watched).seenVitals?.lcp ?? 0) > 0);
  await page.evaluate(() => {
    const notice = document.createElement('div');
    notice.style.height = '120px';
    document.body.prepend(notice);
  });
  await page.waitForFunction(() => ((window as Watched).seenVitals?.shifts.length ?? 0) > 0);
  await page.evaluate(() => {
    const keepBusy = (): void => {
      const until = performance.now() + 80;
      while (performance.now() < until);
    };
    document.addEventListener('click', keepBusy, { capture: true, once: true });
  });
  await click();
  await page.waitForFunction(() =>
    Object.values((window as Watched).seenVitals?.interactions ?? {}).some((ms) => ms >= 80),
  );
  // SDKs look at an interaction when the page is idle next; of one that they have not looked at when the page is hidden
  // they say nothing. Callbacks for that are called in the order of their coming.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  return measuredVitals(page);
}

function measuredVitals(page: Page): Promise<Vitals> {
  return page.evaluate(() => {
    const { lcp, shifts, interactions } = (window as Watched).seenVitals as Seen;
    // The worst window: shifts less than a second apart, at most five seconds in all.
    let cls = 0;
    let sum = 0;
    let first = -Infinity;
    let last = -Infinity;
    for (const { at, value } of shifts) {
      const goesOn = at - last < 1000 && at - first < 5000;
      sum = goesOn ? sum + value : value;
      if (!goesOn) first = at;
      last = at;
      cls = Math.max(cls, sum);
    }
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return {
      lcp,
      cls,
      inp: Math.max(...Object.values(interactions)),
      fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      ttfb: navigation?.responseStart ?? 0,
    };
  });
}

interface Span {
  readonly id: string;
  readonly op: string;
  readonly transaction: string;
  readonly numbers: Readonly<Record<string, number>>;
}

interface VitalsGroup {
  readonly name: string;
  readonly vitals: readonly { readonly vital: keyof Vitals; readonly count: number; readonly p75: number }[];
}

/**
 * What was stored of the trace, and what the page of web vitals says, is what the browser measured. Resolves to the spans
 * that say vitals: all are told with the same page.
 */
export async function expectVitals(
  server: Server,
  { traceId, project, measured }: { traceId: string; project: string; measured: Vitals },
): Promise<Span[]> {
  const organization = `/organizations/${server.installed.organization}`;
  const spans = await server.until(`vitals of the trace ${traceId}`, async () => {
    const path = `${organization}/trace/${traceId}/spans/`;
    const { rows } = await server.api<{ rows: { id: string; op: string }[] }>(path);
    const listed = rows.filter(({ op }) => op === 'pageload' || /^ui\.(?:webvital|interaction)\./.test(op));
    const found = await Promise.all(listed.map(({ id }) => server.api<Span>(`${path}${id}/`)));
    return vitalNames.every((name) => found.some(({ numbers }) => name in numbers)) && found;
  });
  for (const name of vitalNames) {
    for (const { numbers } of spans) {
      if (name in numbers) expect(numbers[name], `${name} of the trace`).toBeCloseTo(measured[name], 6);
    }
  }
  const [transaction = '', ...others] = new Set(spans.map((span) => span.transaction));
  expect(others).toEqual([]);

  const path = `${organization}/vitals/?project=${project}&transaction=${encodeURIComponent(transaction)}`;
  // Aggregates may come a moment after the rows that they are made of.
  const group = await server.until(`vitals of ${transaction}`, async () => {
    const [found] = await server.api<VitalsGroup[]>(path);
    return found?.vitals.length === vitalNames.length && found;
  });
  expect(group.vitals.map(({ vital, count }) => [vital, count])).toEqual(vitalNames.map((name) => [name, 1]));
  for (const { vital, p75 } of group.vitals) {
    // As exact as percentiles are; those of a single sample are its value.
    const error = Math.abs(p75 - measured[vital]);
    expect(error, `${vital}: ${p75}, measured ${measured[vital]}`).toBeLessThanOrEqual(measured[vital] * 0.010_001);
  }
  return spans;
}
