/** Browser, operating system and device of the client as contexts, and the tags that are made from contexts. */
import type { Event } from '../event.ts';
import { asText, type JsonObject } from '../json.ts';
import { addTag } from '../normalize/index.ts';
import { parseClientHints } from './hints.ts';
import { parseUserAgent, type UserAgent } from './parse.ts';

interface ClientSoftware {
  /** Headers of the request that brought the event; used where the event does not say. */
  readonly userAgent?: string;
  readonly clientHints?: Readonly<Record<string, string>>;
}

/** Adds contexts that the event does not have. On servers `os` is the server's own, so the client's is `client_os`. */
export function addClientContexts(event: Event, client: ClientSoftware): void {
  const own = headersOf(event);
  // The request that brought a server's event was made by the server.
  const isClient = event.platform === 'javascript' || event.type === 'csp';
  const header = own.userAgent ?? (isClient ? client.userAgent : undefined);
  const hints = own.hints ?? (isClient ? client.clientHints : undefined);
  if (header === undefined && hints === undefined) return;
  const fromHints: UserAgent = hints ? parseClientHints(hints) : {};
  const fromHeader: UserAgent = header ? parseUserAgent(header) : {};
  const contexts = (event.contexts ??= {});
  const browser = fromHints.browser ?? fromHeader.browser;
  if (browser) contexts.browser ??= { name: browser.name, version: browser.version, type: 'browser' };
  const os = fromHints.os?.version ? fromHints.os : (fromHeader.os ?? fromHints.os);
  if (os) contexts[isClient ? 'os' : 'client_os'] ??= { name: os.name, version: os.version, type: 'os' };
  const device = fromHints.device ?? fromHeader.device;
  if (device && isClient) contexts.device ??= { ...device, type: 'device' };
}

function headersOf(event: Event): ClientSoftware & { hints?: Record<string, string> } {
  let userAgent: string | undefined;
  let hints: Record<string, string> | undefined;
  for (const [name, value] of event.request?.headers ?? []) {
    if (name === 'User-Agent') userAgent = value;
    else if (name.startsWith('Sec-Ch-Ua') || name.startsWith('Sec-CH-UA')) (hints ??= {})[name.toLowerCase()] = value;
  }
  return { userAgent, hints };
}

/** Tags that people filter by, from contexts and fields. None replaces a tag that the client set. */
export function addDerivedTags(event: Event): void {
  const { contexts } = event;
  if (contexts) {
    nameAndVersion(event, 'browser', contexts.browser);
    nameAndVersion(event, 'os', contexts.os);
    nameAndVersion(event, 'client_os', contexts.client_os);
    nameAndVersion(event, 'runtime', contexts.runtime);
    addTag(event, 'device', asText(contexts.device?.model));
    const family = asText(contexts.device?.family);
    if (family !== 'Other') addTag(event, 'device.family', family);
  }
  addTag(event, 'server_name', event.server_name);
  addTag(event, 'url', event.request?.url);
}

function nameAndVersion(event: Event, tag: string, context: JsonObject | undefined): void {
  const name = asText(context?.name);
  if (name === undefined) return;
  const version = asText(context?.version);
  addTag(event, tag, version === undefined ? name : `${name} ${version}`);
  addTag(event, `${tag}.name`, name);
}
