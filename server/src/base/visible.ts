/**
 * Text from anywhere as it is shown to who cannot see what it does to a screen: a model, a terminal, a document. What
 * moves the cursor, turns the direction of text or takes no room is written as its code point.
 */
import { withoutColours } from './ansi.ts';

/** Beside line feeds and tabs. Half a pair of characters is none. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** `\u{202e}` for what is not seen; colours of terminals are gone. Lines stay lines. */
export const visible = (text: string): string =>
  withoutColours(text.replaceAll('\r\n', '\n')).replace(
    unseen,
    (one) => `\\u{${one.codePointAt(0)?.toString(16) ?? ''}}`,
  );

/** The same on one line, cut to so many characters. */
export const visibleLine = (text: string, most: number): string =>
  cutText(visible(cutText(text, most).replaceAll(/\s+/g, ' ').trim()), most);

/** Ends with `…` where it was longer. No character is cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
