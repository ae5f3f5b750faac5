/** Every event of other languages: what was sent stands on its page, field by field. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listLanguageFixtures, readLanguageFixture } from '../fixtures/index.ts';
import { Server } from '../server/test/harness.ts';
import { compareWithPage, leaves, newReport, patternOf, told } from '../server/test/languages/compare.ts';
import type { Json } from '../server/test/languages/json.ts';
import { neutral } from '../server/test/languages/neutral.ts';
import { createSaid, drawing, type PageText } from '../server/test/languages/page.ts';
import { eventsOf, replay, type SentEvent } from '../server/test/languages/replay.ts';
import { launchChromium } from './chromium.ts';
import { openConsole } from './console-page.ts';

/** Shown first: what is loaded when it is first seen is there from then on. */
export const openers = ['java-8.62-default/thread', 'java-8.53/logback', 'python-2/group', 'ruby-5.3/rack-2'];

/** The fewest that have each field that an SDK sent, or nearly so. */
export function covering(events: readonly SentEvent[]): SentEvent[] {
  const free = /(vars|extra|data|contexts|tags|modules|headers)\..*/;
  const fieldsOf = ({ name, event }: SentEvent): string[] =>
    [...leaves(neutral(event))].map(([path]) => `${name.split('/')[0]} ${patternOf(path).replace(free, '$1')}`);
  const all = events.map((event) => ({ event, fields: new Set(fieldsOf(event)) }));
  const left = new Set(all.flatMap(({ fields }) => [...fields]));
  const chosen: SentEvent[] = [];
  while (left.size > 0) {
    const newIn = ({ fields }: (typeof all)[number]): number => [...fields].filter((field) => left.has(field)).length;
    const [best] = all.map((one) => ({ one, count: newIn(one) })).toSorted((a, b) => b.count - a.count);
    if (!best) break;
    for (const field of best.one.fields) left.delete(field);
    chosen.push(best.one.event);
  }
  return chosen;
}

export function describePages(choose: (events: readonly SentEvent[]) => readonly SentEvent[]): void {
  const fixtures = listLanguageFixtures()
    .map(readLanguageFixture)
    .filter((fixture) => eventsOf(fixture).length > 0);
  const chosen = choose(fixtures.flatMap(eventsOf));

  describe('the page of an event in another language', () => {
    let server: Server;
    let browser: Browser;
    let page: Page;
    beforeAll(async () => {
      [server, browser] = await Promise.all([Server.create(), launchChromium()]);
      ({ page } = await openConsole(server, browser));
      const left = fixtures.filter(({ name }) => chosen.some((event) => event.name === name));
      const next = async (): Promise<void> => {
        for (let one = left.shift(); one; one = left.shift()) {
          expect((await replay(one, server.installed)).status, one.name).toBe(200);
        }
      };
      await Promise.all(Array.from({ length: 4 }, next));
      await server.drained();
    }, 240_000);
    afterAll(async () => {
      await browser?.close();
      await server?.[Symbol.asyncDispose]();
    });

    test('says all that its SDK sent', { timeout: 900_000 }, async () => {
      const events = await Promise.all(chosen.map((event) => stored(server, event)));
      // One issue after another: what is of the issue stays where it is.
      events.sort((a, b) => Number(a.issue) - Number(b.issue));
      await page.goto(`${server.url}/issues`);
      for (const name of openers) {
        await show(page, events.find((event) => event.name === name) as StoredEvent);
        await page.waitForLoadState('networkidle');
      }
      const report = newReport();
      for (const event of events) {
        const [sent, kept] = [neutral(event.event), neutral(event.kept)];
        compareWithPage(report, { name: event.name, sent, kept, said: createSaid(await show(page, event)) }, drawing);
      }
      console.log(told(`pages of ${events.length} events`, report));
      expect([...report.lost]).toEqual([]);
    });
  });
}

interface StoredEvent extends SentEvent {
  readonly issue: string;
  readonly kept: Json;
}

async function stored(server: Server, sent: SentEvent): Promise<StoredEvent> {
  const path = `/projects/${server.installed.organization}/${server.installed.project}/events/${sent.id}/`;
  const [kept, { groupID }] = await Promise.all([
    server.api<Json>(`${path}json/`),
    server.api<{ groupID: string }>(path),
  ]);
  return { ...sent, kept, issue: groupID };
}

/** As its router goes there: a load for each would be the most of the time. */
async function show(page: Page, { issue, id }: StoredEvent): Promise<PageText> {
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/issues/${issue}?event=${id}`);
  await page.locator(`main code[data-tip="${id}"]`).waitFor();
  return page.evaluate(readUnfolded);
}

/** Runs in the page: opens what is folded, then reads all. */
async function readUnfolded(): Promise<PageText> {
  const main = document.querySelector('main');
  if (!main) throw new Error('no page');
  const drawn = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const all = <E extends HTMLElement>(query: string): E[] => [...main.querySelectorAll<E>(query)];
  const press = async (name: string): Promise<void> => {
    for (const button of all('button')) if (button.innerText === name) button.click();
    await drawn();
    await drawn();
  };
  await press('Full');
  for (let round = 0, folded = 1; folded > 0 && round < 40; round++) {
    const closed = all('button[aria-expanded="false"]:not([aria-haspopup])');
    const further = all('button').filter(({ innerText }) => innerText.startsWith('Show all'));
    for (const button of [...closed, ...further]) {
      button.click();
      // Drawn before the next press, as for people.
      await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(undefined))));
    }
    const details = all<HTMLDetailsElement>('details:not([open])');
    for (const one of details) one.open = true;
    folded = closed.length + further.length + details.length;
    await drawn();
  }
  const whole = main.innerText;
  const tips = all('[title], [data-tip], time').flatMap((one) =>
    ['title', 'data-tip', 'datetime'].flatMap((name) => one.getAttribute(name) ?? []),
  );
  await press('Raw');
  const raw = main.querySelector('[aria-label="Stack trace as text"]')?.textContent ?? '';
  return { whole, raw, tips };
}
