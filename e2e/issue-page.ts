/** The page of an event's issue in the console, signed in. */
import type { Page } from 'playwright-core';
import { owner, type Server } from '../server/test/harness.ts';
import { storedEvent } from './built-script.ts';

export async function openIssueOf(server: Server, page: Page, eventId: string): Promise<void> {
  const event = await server.until(`event ${eventId}`, () => storedEvent(server, eventId));
  const { shortId } = await server.api<{ shortId: string }>(
    `/organizations/${server.installed.organization}/issues/${event.groupID}/`,
  );
  const origin = server.url;
  await page.request.post(`${origin}/api/auth/sign-in/email`, { data: owner, headers: { origin } });
  await page.goto(`${server.url}/issues/${shortId}`);
}
