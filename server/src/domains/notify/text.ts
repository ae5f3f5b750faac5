/** Cutting and escaping texts of events for those who show them. */

/** At most `most` UTF-16 units, on one line if wished; a cut is marked and splits no character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  let end = Math.max(0, most - 1);
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** Line breaks and other control characters become spaces. */
export const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

/** Lines and tabs stay; other control characters, and halves of characters, are refused by some receivers. */
export const plainLines = (text: string): string =>
  text
    .toWellFormed()
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .trim();

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** For Slack's mrkdwn: no link, no mention, no channel. */
export const escapeSlack = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** For Markdown of chats: punctuation stands for itself, and a mention of everybody reaches nobody. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\`*_~|>#[\]()!+\-.{}]/g, '\\$&').replaceAll('@', '@\u200b');

/**
 * Cuts so that the escaped text fits: an escape is never split, for what is left of it would mean something else.
 */
export function cutEscaped(text: string, most: number, escape: (text: string) => string): string {
  // Escaping makes nothing shorter.
  const whole = escape(cut(text, most));
  if (whole.length <= most) return whole;
  let low = 0;
  let high = Math.min(text.length, most);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (escape(cut(text, middle)).length <= most) low = middle;
    else high = middle - 1;
  }
  return escape(cut(text, low));
}
