/** A User-Agent header taken apart, by the names that dashboards know. */
import { browserOf, deviceOf, systemOf, type Versioned } from './rules.ts';

export interface UserAgent {
  readonly browser?: { readonly name: string; readonly version: string };
  readonly os?: { readonly name: string; readonly version: string };
  readonly device?: { readonly family: string; readonly model?: string; readonly brand?: string };
}

/** What stands behind it is not looked at: real headers are shorter, and made-up ones cost time. */
export const maxUserAgentLength = 512;

const remembered = new Map<string, UserAgent>();
const maxRemembered = 5000;

/** The same header gives the same answer, remembered for the last 5,000 headers. */
export function parseUserAgent(header: string): UserAgent {
  // A piece of a long text would keep the whole of it in memory.
  if (header.length > maxUserAgentLength) return recognise(header.slice(0, maxUserAgentLength));
  const known = remembered.get(header);
  if (known) {
    // Set again, so that the first in the map is always the one unused for longest.
    remembered.delete(header);
    remembered.set(header, known);
    return known;
  }
  const parsed = recognise(header);
  if (remembered.size >= maxRemembered) {
    const oldest = remembered.keys().next();
    if (!oldest.done) remembered.delete(oldest.value);
  }
  remembered.set(header, parsed);
  return parsed;
}

function recognise(text: string): UserAgent {
  if (text.trim() === '' || isMadeUp(text)) return {};
  const browser = browserOf(text);
  const os = systemOf(text);
  const device = deviceOf(text);
  return {
    browser: browser.family === 'Other' ? undefined : { name: browser.family, version: versionOf(browser) },
    os: os.family === 'Other' ? undefined : { name: os.family, version: frozen(os.family, versionOf(os)) },
    device: device.family === 'Other' ? undefined : { ...device },
  };
}

/** Nothing that browsers send says a word so often, and such texts are what makes the rules slow: 30 ms for one header. */
function isMadeUp(text: string): boolean {
  const seen = new Map<string, number>();
  for (const [word] of text.matchAll(/[a-z]{3,}/gi)) {
    const times = (seen.get(word) ?? 0) + 1;
    if (times > 8) return true;
    seen.set(word, times);
  }
  return false;
}

/** `major.minor.patch` as far as it goes. */
function versionOf({ parts }: Versioned): string {
  const numbers = parts.slice(0, 3);
  const end = numbers.indexOf(undefined);
  return (end < 0 ? numbers : numbers.slice(0, end)).join('.');
}

/** Browsers no longer tell newer systems apart. */
function frozen(family: string, version: string): string {
  if (family === 'Windows' && version === '10') return '>=10';
  return family === 'Mac OS X' && version === '10.15.7' ? '>=10.15.7' : version;
}
