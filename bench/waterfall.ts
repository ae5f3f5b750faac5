/** `waterfall`: a trace of many spans in Chromium: when its rows are seen, and what scrolling through all of them drops. */
import { launchChromium } from '../e2e/chromium.ts';
import { budgets } from './budgets.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { initCulprit, owner, startCulprit } from './culprit.ts';
import { createReport, finding, type Report } from './report.ts';

export interface WaterfallOptions {
  readonly spans: number;
  readonly rounds: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

const traceId = 'b'.repeat(32);
const viewport = { width: 1440, height: 900 };
const frameMs = 1000 / 60;
const longMs = 50;
/** px a frame: 6,000 a second, as fast as a wheel turned quickly. */
const stepPx = 100;
/** How far a round scrolls; through all rows would take most of a minute. */
const scrolledPx = 90_000;
/** What begins once a page is there has begun and ended. */
const settledMs = 1500;

/** A root and what it did, ten below each; neighbours differ, so that every span has its own row. */
const traceSql = (projectId: string, spans: number, nowMs: number): string => {
  const id = (n: string): string => `leftPad(lower(hex(toUInt64(${n}))), 16, '0')`;
  return `INSERT INTO spans (project_id, trace_id, span_id, parent_span_id, segment_id, is_segment, started_at, duration_us, exclusive_us,
      received_at, op, name, description_hash, transaction, status, service, platform)
    SELECT ${projectId}, '${traceId}', ${id('number + 1')}, if(number = 0, '', ${id('intDiv(number - 1, 10) + 1')}), ${id('1')}, number = 0,
      fromUnixTimestamp64Micro(${nowMs}000 - 600000000 + toInt64(number) * 50, 'UTC'), if(number = 0, ${spans} * 60, 900 + number % 7 * 300), 10,
      now64(3) - 600, multiIf(number = 0, 'http.server', number % 3 = 0, 'db', number % 3 = 1, 'http.client', 'function'),
      concat('step ', toString(number), ' of a report with a name as long as they are'), toString(number % 7), 'GET /report', 'ok',
      if(number % 50 = 0, 'api', 'web'), 'node'
    FROM numbers(${spans})`;
};

/** Resolves when the first row has been painted, with the ms since the page's own clock began. */
const firstRowPainted = `new Promise((resolve) => {
  const look = (observer) => {
    if (!document.querySelector('[role=row][data-at]')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
  };
  new MutationObserver((_, observer) => look(observer)).observe(document, { childList: true, subtree: true });
})`;

/** Runs before the page's own scripts. */
const noteFirstRow = `window.firstRowMs = ${firstRowPainted};`;

const linkToTrace = `a[data-row][href*="${traceId}"]`;

/** Follows the link in the list of traces, without the pointer passing over it before; resolves to ms. */
const clickThrough = `(async () => {
  const painted = ${firstRowPainted};
  const from = performance.now();
  document.querySelector('${linkToTrace}').click();
  return (await painted) - from;
})()`;

/** Scrolls down from the first row, a step a frame; what is in sight has to be drawn. */
const scrollThrough = `new Promise((resolve, reject) => {
  const grid = document.querySelector('[role=treegrid]');
  const frames = [];
  let most = 0;
  let last;
  const step = (now) => {
    if (last !== undefined) frames.push(now - last);
    last = now;
    const box = grid.getBoundingClientRect();
    const seen = document.elementFromPoint(box.x + 40, box.y + box.height / 2);
    if (!seen || !seen.closest('[data-at]')) reject(new Error('nothing is drawn at ' + grid.scrollTop + ' px'));
    if (frames.length % 20 === 0) most = Math.max(most, grid.querySelectorAll('[role=row]').length);
    if (grid.scrollTop >= Math.min(${scrolledPx}, grid.scrollHeight - grid.clientHeight - 1)) resolve({ frames, most });
    else { grid.scrollTop += ${stepPx}; requestAnimationFrame(step); }
  };
  requestAnimationFrame(step);
})`;

export async function runWaterfall({ spans, rounds, dir, progress }: WaterfallOptions): Promise<Report> {
  const root = makeTempDir(dir);
  const dataDir = `${root}/data`;
  const account = await initCulprit(dataDir);
  const culprit = await startCulprit(dataDir);
  await culprit.engine(traceSql(account.projectId, spans, Date.now()));
  const browser = await launchChromium({ optimizing: true });
  const address = `${culprit.url}/traces/${traceId}`;
  const cold: number[] = [];
  const clicked: number[] = [];
  const longest: number[] = [];
  const long: number[] = [];
  const dropped: number[] = [];
  const rows: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const context = await browser.newContext({ viewport });
    await context.request.post(`${culprit.url}/api/auth/sign-in/email`, {
      data: owner,
      headers: { origin: culprit.url },
    });
    const page = await context.newPage();
    await page.addInitScript(noteFirstRow);
    await page.goto(address);
    cold.push(await page.evaluate<number>('window.firstRowMs'));
    await page.goto(`${culprit.url}/traces`);
    await page.locator(linkToTrace).waitFor();
    // The code of the page is there, as for whoever has read the list.
    await page.waitForTimeout(settledMs);
    clicked.push(await page.evaluate<number>(clickThrough));
    await page.waitForTimeout(settledMs);
    const { frames, most } = await page.evaluate<{ frames: number[]; most: number }>(scrollThrough);
    const lost = frames.reduce((sum, ms) => sum + Math.max(0, Math.round(ms / frameMs) - 1), 0);
    longest.push(Math.max(...frames));
    long.push(frames.filter((ms) => ms > longMs).length);
    dropped.push((lost / (lost + frames.length)) * 100);
    rows.push(most);
    progress(
      `round ${round}: first rows ${Math.round(clicked.at(-1) ?? 0)} ms after the click, ${frames.length} frames, longest ${Math.round(longest.at(-1) ?? 0)} ms, ${lost} dropped`,
    );
    await context.close();
  }
  await browser.close();
  await culprit.stop();
  removeTempDir(root);
  return createReport(
    'waterfall',
    { spans, rounds },
    [
      finding('first rows painted after navigation, empty cache', 'ms', cold),
      finding('first rows painted after a click in the list of traces', 'ms', clicked, budgets.waterfallFirstRowsMs),
      finding('longest frame while scrolling', 'ms', longest),
      finding(`frames over ${longMs} ms`, '', long, budgets.waterfallLongFrames),
      finding('dropped of 60 frames a second', '%', dropped),
      finding('rows in the document, at most', '', rows, budgets.waterfallRows),
    ],
    [
      `Headless Chromium without a graphics card, ${viewport.width} × ${viewport.height}, ${stepPx} px a frame over ${scrolledPx.toLocaleString('en')} px; browser, server and engine share the machine.`,
    ],
  );
}
