/**
 * Quotes and what stands between them. A backslash matters only before a quote: of a run of them half are kept, and an
 * odd one makes the quote a character like any other. `\*` is left as it is: whoever matches reads it as a star.
 */

/** Where the quote at `start` is closed, the quote included; -1 when it is not. */
export function quotedEnd(query: string, start: number): number {
  for (let at = start + 1; at < query.length; at += 1) {
    if (query[at] === '\\') {
      const run = runLength(query, at);
      at += run - 1;
      if (run % 2 === 1 && query[at + 1] === '"') at += 1;
    } else if (query[at] === '"') return at + 1;
  }
  return -1;
}

/** Number of backslashes from `at` on. */
export function runLength(query: string, at: number): number {
  let end = at;
  while (query[end] === '\\') end += 1;
  return end - at;
}

export const unescapeQuotes = (text: string): string =>
  text.replace(/(?<!\\)(\\+)"/g, (_, run: string) => `${'\\'.repeat(run.length >> 1)}"`);

/** What stands between the quotes of `written`, which begins and ends with one. */
export const unquote = (written: string): string => unescapeQuotes(written.slice(1)).slice(0, -1);

const escapeQuotes = (text: string): string =>
  // What stands before a quote, or before the one that closes the text, counts double.
  text.replace(/(?<!\\)(\\*)"/g, '$1$1\\"');

/** Text that reads as itself outside quotes; what it holds of quotes is escaped. */
export const bare = escapeQuotes;

export const quoted = (text: string): string => `"${escapeQuotes(text).replace(/(?<!\\)(\\+)$/, '$1$1')}"`;

const separator = /[\s()]/g;

/** Where a word that begins at `from` ends: at a blank, a parenthesis, or with the query. */
export function wordEnd(query: string, from: number): number {
  separator.lastIndex = from;
  return separator.exec(query)?.index ?? query.length;
}
