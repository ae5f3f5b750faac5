/** What is known of whoever sent an item, and of whoever the event is about. */
import type { Event } from '../event.ts';

/** Of the request that brought the item; empty where it is a stored one. */
export interface Sender {
  readonly remoteAddress?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** Of the program that the person or crawler used: of the request that was served, or of the page that sent this. */
export function userAgentOf(event: Event, sender: Sender): string {
  for (const [name, value] of event.request?.headers ?? []) if (name === 'User-Agent') return value;
  return isOfBrowser(event) ? (sender.userAgent ?? '') : '';
}

export const isOfBrowser = (event: Event): boolean => event.platform === 'javascript' || event.type === 'csp';
