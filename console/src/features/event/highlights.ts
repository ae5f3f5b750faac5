/** The few facts of an event that answer most questions, in the order people ask them. */
import { entryOf } from './entries.ts';
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
    row('URL', url && request?.method ? `${request.method} ${url}` : url, 'url'),
    row('Transaction', tags.get('transaction'), 'transaction'),
    row('Digest', event.digest, 'digest'),
    row('Release', event.release?.version, 'release'),
    row('Environment', event.environment, 'environment'),
    row('User', userLabel(event)),
    row('Browser', tags.get('browser') ?? context('browser'), tags.has('browser') ? 'browser' : undefined),
    row('System', tags.get('os') ?? context('os') ?? context('client_os'), tags.has('os') ? 'os' : undefined),
    row('Device', context('device') ?? tags.get('device'), tags.has('device') ? 'device' : undefined),
    row('Runtime', tags.get('runtime') ?? context('runtime'), tags.has('runtime') ? 'runtime' : undefined),
    row('Server', tags.get('server_name'), 'server_name'),
    row('Trace', event.traceId),
  ];
  return rows.filter((each): each is Highlight => each !== undefined);
}

function row(label: string, value: string | null | undefined, tag?: string): Highlight | undefined {
  return value ? { label, value, ...(tag && { tag }) } : undefined;
}

/** E-mail, name, id or address: the first that is known. */
export function userLabel(event: Event): string | undefined {
  const user = event.user;
  return user?.email || user?.username || user?.name || user?.id || user?.ip_address || undefined;
}
