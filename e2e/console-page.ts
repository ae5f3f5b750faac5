/** A page of the console, wide, signed in as the owner; what the console complains about is collected. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { owner, type Server } from '../server/test/harness.ts';

export interface ConsolePage {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of its scripts and of its browser console, with the address where one is told. */
  readonly complaints: string[];
}

export async function openConsole(server: Server, browser: Browser): Promise<ConsolePage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.request.post(`${server.url}/api/auth/sign-in/email`, { data: owner, headers: { origin: server.url } });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  return { context, page, complaints };
}

/** Goes on in the console that is open as by a link, where nothing of the page before is left: a third of the cost of loading it anew. */
export async function goWithin(page: Page, url: string): Promise<void> {
  if (!page.url().startsWith(new URL(url).origin)) await page.goto(url);
  else await page.evaluate(follow, { url, by: '/nowhere' });
}

/** Goes to an address of the console, and to another one before; runs in the page. */
export async function follow({ url, by }: { readonly url: string; readonly by?: string }): Promise<void> {
  const router = Reflect.get(globalThis, '__TSR_ROUTER__') as { navigate: (to: { href: string }) => Promise<void> };
  if (by) await router.navigate({ href: by });
  await router.navigate({ href: url.slice(new URL(url).origin.length) });
  scrollTo(0, 0);
}
