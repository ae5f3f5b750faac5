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
