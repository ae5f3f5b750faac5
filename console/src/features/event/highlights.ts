/** The few facts of an event that answer most questions, in the order people ask them. */
import { entryOf } from './entries.ts';
import * as m from '../../messages/event.ts';
import type { Event } from './types.ts';
import { requestUrl } from './request-url.ts';

export interface Highlight {
  readonly label: string;
  readonly value: string;
  /** Tag that filters by this value; absent when none does. */
  readonly tag?: string;
}

export function highlights(event: Event): Highlight[] {
  const tags = new Map(event.tags.map((tag) => [tag.key, tag.value]));
  const context = (name: string): string | undefined => {
    const value = event.contexts[name];
    const label = [value?.['name'], value?.['version']]
      .filter((part): part is string => typeof part === 'string' && part !== '')
      .join(' ');
    return label || undefined;
  };
  const request = entryOf(event, 'request');
  const url = request?.url ? requestUrl(request) : tags.get('url');
  const rows: (Highlight | undefined)[] = [
    row(m.highlights.url, url && request?.method ? `${request.method} ${url}` : url, 'url'),
    row(m.highlights.transaction, tags.get('transaction'), 'transaction'),
    row(m.highlights.logger, tags.get('logger'), 'logger'),
    row(m.highlights.digest, event.digest, 'digest'),
    row(m.highlights.release, event.release?.version, 'release'),
    row(m.highlights.environment, event.environment, 'environment'),
    row(m.highlights.user, userLabel(event)),
    row(m.highlights.browser, tags.get('browser') ?? context('browser'), tags.has('browser') ? 'browser' : undefined),
    row(m.highlights.os, tags.get('os') ?? context('os') ?? context('client_os'), tags.has('os') ? 'os' : undefined),
    row(m.highlights.device, context('device') ?? tags.get('device'), tags.has('device') ? 'device' : undefined),
    row(m.highlights.runtime, tags.get('runtime') ?? context('runtime'), tags.has('runtime') ? 'runtime' : undefined),
    row(m.highlights.server, tags.get('server_name'), 'server_name'),
    row(m.highlights.trace, event.traceId),
  ];
  return rows.filter((each): each is Highlight => each !== undefined);
}

function row(label: string, value: string | null | undefined, tag?: string): Highlight | undefined {
  return value ? { label, value, ...(tag && { tag }) } : undefined;
}

/** Email, name, id or address: the first that is known. */
export function userLabel(event: Event): string | undefined {
  const user = event.user;
  return user?.email || user?.username || user?.name || user?.id || user?.ip_address || undefined;
}
