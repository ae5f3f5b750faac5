/** Visits to the pages of the list: of a full installation and of one that is not set up, by its owner and by a stranger. */
import type { Browser, Page, Response } from 'playwright-core';
import { Server } from '../server/test/harness.ts';
import { launchChromium } from './chromium.ts';
import { follow, openConsole } from './console-page.ts';
import { type FullInstallation, openFullInstallation } from './full-installation.ts';
import { pages } from './page-list.ts';

export class Visits implements AsyncDisposable {
  readonly #browser: Browser;
  readonly #full: FullInstallation;
  readonly #fresh: Server;
  readonly #owner: Page;
  readonly #stranger: Page;
  /** Whether something may lie over the owner's page. */
  #isOpened = true;

  private constructor(browser: Browser, full: FullInstallation, fresh: Server, owner: Page, stranger: Page) {
    this.#browser = browser;
    this.#full = full;
    this.#fresh = fresh;
    this.#owner = owner;
    this.#stranger = stranger;
  }

  static async open(environment: Readonly<Record<string, string>> = {}): Promise<Visits> {
    const browser = await launchChromium();
    const stranger = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    const full = await openFullInstallation(environment);
    const { page: owner } = await openConsole(full.server, browser);
    const fresh = await Server.create(environment, { init: false });
    return new Visits(browser, full, fresh, owner, stranger);
  }

  /** The page by its name in the list, as it is for somebody who waited. */
  async arrive(name: string): Promise<Page> {
    const listed = pages[name];
    if (!listed) throw new Error(`no page ${name}`);
    const { path, as, open } = listed;
    const page = as ? this.#stranger : this.#owner;
    const url =
      as === 'new'
        ? (/http:\S+\/setup#\S+/.exec(this.#fresh.output)?.[0] ?? '')
        : this.#full.server.url + (typeof path === 'string' ? path : path(this.#full.made));
    // Within the application, as a link goes, where nothing was opened that might stay: a third of the processor time.
    await arrive(page, url, { within: !as && !this.#isOpened });
    if (!as) this.#isOpened = open !== undefined;
    return page;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#full[Symbol.asyncDispose]();
    await this.#fresh[Symbol.asyncDispose]();
  }
}

/** Resolves when the page asks for nothing any more; `within`: it is there already, and goes on as by a link, over `by` first. */
export async function arrive(page: Page, url: string, { within = false, by = '' } = {}): Promise<void> {
  const waiting = new Set<unknown>();
  const begun = (request: { resourceType(): string }): void => {
    // Live updates never end.
    if (request.resourceType() !== 'eventsource') waiting.add(request);
  };
  const ended = (request: unknown): void => void waiting.delete(request);
  // Pages for strangers leave what `boot` answers unread, so that it is never finished.
  const answered = (response: Response): void => ended(response.request());
  page.on('request', begun).on('response', answered).on('requestfailed', ended);
  try {
    await (within ? page.evaluate(follow, { url, by }) : page.goto(url));
    await page.locator('#root h1').first().waitFor();
    const deadline = Date.now() + 10_000;
    for (let still = 0; still < 3 && Date.now() < deadline;) {
      await page.waitForTimeout(80);
      still = waiting.size === 0 ? still + 1 : 0;
    }
  } finally {
    page.off('request', begun).off('response', answered).off('requestfailed', ended);
  }
}
