/** The page of an event's issue in the console, signed in. */
import type { Page } from 'playwright-core';
import { owner, type Server } from '../server/test/harness.ts';
import { storedEvent } from './built-script.ts';

export async function openIssueOf(server: Server, page: Page, eventId: string): Promise<void> {
  const event = await server.until(`event ${eventId}`, () => storedEvent(server, eventId));
  const { shortId } = await server.api<{ shortId: string }>(
    `/organizations/${server.installed.organization}/issues/${event.groupID}/`,
  );
  await page.goto(`${server.url}/sign-in`);
  await page.getByLabel('E-mail').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: /sign in/i }).click();
  await page.waitForURL('**/issues**');
  await page.goto(`${server.url}/issues/${shortId}`);
}
