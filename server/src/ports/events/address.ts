/** Where an events store elsewhere is, as the configuration says it. */
import { CodedError } from '../../base/errors.ts';
import { addresses } from '../../base/texts/stores.ts';
import type { EventsAddress } from './events.ts';

/** Reads `CULPRIT_EVENTS_URL`. */
export function parseEventsUrl(text: string): EventsAddress {
  if (!URL.canParse(text)) throw new CodedError('CONFIG_INVALID', [addresses.notUrl('CULPRIT_EVENTS_URL')]);
  const url = new URL(text);
  const database = decodeURIComponent(url.pathname.replace(/^\/|\/$/g, '')) || 'culprit';
  const cluster = url.searchParams.get('cluster') ?? '';
  if (!/^\w{1,64}$/.test(database) || !/^[\w.-]{0,64}$/.test(cluster)) {
    throw new CodedError('CONFIG_INVALID', [addresses.database('CULPRIT_EVENTS_URL')]);
  }
  return {
    url: url.origin,
    username: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    database,
    ...(cluster ? { cluster } : {}),
  };
}
