/** Browser, system and device of who used the page, from the user agent that a span or its request names. */
import { parseClientHints } from '../user-agent/hints.ts';
import { parseUserAgent, type UserAgent } from '../user-agent/parse.ts';
import { scrubField, scrubRules } from '../scrub/index.ts';
import type { SpanContext } from './input.ts';

/** Adds names that the attributes do not have. On servers the system is the server's own, so the client's is left out. */
export function addBrowser(
  attributes: Record<string, string>,
  platform: string,
  infer: boolean,
  { userAgent, clientHints, settings }: SpanContext,
): void {
  const isClient = platform === 'javascript';
  const asked = infer && isClient;
  const safe = (text: string): string => scrubField(text, 'id', scrubRules(settings));
  if (asked && userAgent !== undefined) {
    attributes['user_agent.original'] ??= safe(userAgent.slice(0, 2000).toWellFormed());
  }
  const header = attributes['user_agent.original'];
  const hints: UserAgent = asked && clientHints ? parseClientHints(clientHints) : {};
  const seen: UserAgent = header === undefined ? {} : parseUserAgent(header);
  const set = (name: string, value: string | undefined): void => {
    if (value) attributes[name] ??= safe(value);
  };
  const browser = hints.browser ?? seen.browser;
  set('browser.name', browser?.name);
  set('browser.version', browser?.version);
  if (!isClient) return;
  const os = hints.os?.version ? hints.os : (seen.os ?? hints.os);
  set('os.name', os?.name);
  set('os.version', os?.version);
  const device = hints.device ?? seen.device;
  if (device?.family !== 'Other') set('device.family', device?.family);
  set('device.model', device?.model);
}
