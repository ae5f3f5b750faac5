/**
 * A text that is looked for as a whole, wherever it stands: between characters that do not belong to it, in any of the
 * forms in which it is written down. The expression means the same to the engine (RE2) and to JavaScript.
 */

export interface SoughtText {
  /** Of the expression; with the flag `u` in JavaScript. */
  readonly source: string;
  readonly ignoresCase: boolean;
  /** Forms of the text, one of which stands where it does. */
  readonly forms: readonly string[];
}

/** Which characters before and after it make it another text. */
type Nature = 'word' | 'mail' | 'address';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** What JSON and addresses of pages put before a text, and ends in a letter or a digit. */
const ends = String.raw`%[0-9A-Fa-f]{2}|\\[nrtbf]|\\u[0-9A-Fa-f]{4}`;
const before: Readonly<Record<Nature, string>> = {
  word: String.raw`(?:^|[^\p{L}\p{N}_]|${ends})`,
  mail: String.raw`(?:^|[^\p{L}\p{N}._+-]|${ends})`,
  address: String.raw`(?:^|[^0-9A-Fa-f.:]|${ends})`,
};
const after: Readonly<Record<Nature, string>> = {
  word: String.raw`(?:$|[^\p{L}\p{N}_])`,
  mail: String.raw`(?:$|[^\p{L}\p{N}.-]|[.-](?:$|[^\p{L}\p{N}]))`,
  address: String.raw`(?:$|[^0-9A-Fa-f.]|\.(?:$|[^0-9]))`,
};

/** As it is, in JSON, in JSON in JSON, and in an address of a page. */
function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const page = encodeURIComponent(text.toWellFormed());
  const lower = page.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase());
  return [...new Set([text, json, ascii, JSON.stringify(json).slice(1, -1), page, lower, page.replaceAll('%20', '+')])];
}

export function soughtText(text: string, nature: Nature): SoughtText {
  const forms = formsOf(text);
  return {
    source: `${before[nature]}(?:${forms.map(escaped).join('|')})${after[nature]}`,
    ignoresCase: nature !== 'word',
    forms,
  };
}

/** Any of them, as the engine's `match` wants it. */
export const engineExpression = (sought: readonly SoughtText[]): string =>
  sought.map(({ source, ignoresCase }) => `(?${ignoresCase ? 'i' : ''}:${source})`).join('|');

export interface Finder {
  /** UTF-8. */
  isIn(bytes: Uint8Array): boolean;
  isInText(text: string): boolean;
  /** The text with `instead` where one stood. */
  replaced(text: string, instead: string): string;
}

const bytesAsText = (text: string): string => Buffer.from(text).toString('latin1');

/** Most of what is looked through has none of them: that is found out without looking at what stands around. */
export function createFinder(sought: readonly SoughtText[]): Finder {
  const whole = sought.map(({ source, ignoresCase }) => new RegExp(source, ignoresCase ? 'iu' : 'u'));
  const forms = sought.flatMap((one) => one.forms);
  const likely = forms.length > 0 ? new RegExp(forms.map(escaped).join('|'), 'i') : undefined;
  const likelyBytes = forms.length > 0 ? new RegExp(forms.map(bytesAsText).map(escaped).join('|'), 'i') : undefined;
  const isInText = (text: string): boolean =>
    likely !== undefined && likely.test(text) && whole.some((one) => one.test(text));
  const bounded = sought.map(({ source, ignoresCase, forms: own }) => {
    const [left = '', right = ''] = source.split(`(?:${own.map(escaped).join('|')})`);
    return new RegExp(`(${left})(?:${own.map(escaped).join('|')})(?=${right})`, ignoresCase ? 'giu' : 'gu');
  });
  return {
    isInText,
    isIn(bytes) {
      if (!likelyBytes) return false;
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return likelyBytes.test(buffer.toString('latin1')) && whole.some((one) => one.test(buffer.toString('utf8')));
    },
    replaced(text, instead) {
      if (!isInText(text)) return text;
      return bounded.reduce((now, one) => now.replaceAll(one, (_, left: string) => left + instead), text);
    },
  };
}
