/**
 * Texts of the audit log. Names come from whoever gave them, user agents and paths from anybody: what is secret by its
 * form is hidden as everywhere, and no character may move, hide or reorder what stands beside it, in a terminal, a
 * spreadsheet or a page.
 */
import { scrubRules, scrubText } from '../../process/steps/scrub/index.ts';

const rules = scrubRules({
  storeIpAddresses: true,
  scrubData: true,
  scrubDefaults: true,
  sensitiveFields: [],
  safeFields: [],
});

/** Control characters, halves of pairs, separators of lines; what sets the direction of writing, and what nobody sees. */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu;

const written = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** Characters of a text; more of a user agent or an address says no more. */
export const maxText = 300;

/** What is looked at at all: a secret that is cut in two by the limit is still seen as one. */
const scanned = maxText * 4;

export function cleanText(text: string, limit = maxText): string {
  const safe = scrubText(text.slice(0, scanned), 'value', rules).replace(unsafe, written);
  return safe.length > limit ? `${safe.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : safe;
}
