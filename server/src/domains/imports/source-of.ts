/** Which source reads a tracker. */
import { bugsinkPath, createBugsink } from './bugsink/index.ts';
import type { Client } from './client.ts';
import type { Tracker } from './records.ts';
import { createSentry } from './sentry/index.ts';
import type { Source } from './source.ts';

/** `url`: where its pages are. */
export function sourceOf(tracker: Tracker, client: Client, url: string): Source {
  return tracker === 'bugsink' ? createBugsink(client, url) : createSentry(client, tracker);
}

/** Of a tracker that nobody has named: all others answer as Sentry does. */
export async function findSource(client: Client, url: string): Promise<Source> {
  return sourceOf((await client.hasList(bugsinkPath)) ? 'bugsink' : 'sentry', client, url);
}
