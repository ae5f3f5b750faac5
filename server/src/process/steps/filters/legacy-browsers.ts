/** Browsers that nobody keeps up any more, by the first version that is none of them. */
import type { Event } from '../event.ts';
import { asText } from '../json.ts';
import { isOfBrowser } from './sender.ts';

/** Of the names that processing gives them. Of Internet Explorer, all. */
const firstVersions: Readonly<Record<string, number>> = {
  IE: Infinity,
  'IE Mobile': Infinity,
  'Internet Explorer': Infinity,
  Edge: 79,
  'Microsoft Edge': 79,
  Chrome: 63,
  'Chrome Mobile': 63,
  Firefox: 67,
  'Firefox Mobile': 67,
  Safari: 12,
  'Mobile Safari': 12,
  Opera: 50,
  'Opera Mini': 35,
  Android: 4,
};

export function ofLegacyBrowser(event: Event): boolean {
  const browser = event.contexts?.browser;
  if (!browser || !isOfBrowser(event)) return false;
  const name = asText(browser.name) ?? '';
  const first = Object.hasOwn(firstVersions, name) ? firstVersions[name] : undefined;
  if (first === undefined) return false;
  const major = Number.parseInt(asText(browser.version) ?? '', 10);
  return first === Infinity || major < first;
}
