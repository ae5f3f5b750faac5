/**
 * The list that an issue was opened from, in the order of its rows, so that the issue page knows which is next. It lives
 * as long as the tab does: whoever comes by a link has none.
 */
let trail: readonly string[] = [];

/** Short ids of the rows. */
export function layTrail(shortIds: readonly string[]): void {
  trail = shortIds;
}

/** The one a row further, or a row before; undefined at the ends, and for an issue that was not in the list. */
export function alongTrail(shortId: string, step: 1 | -1): string | undefined {
  const at = trail.indexOf(shortId);
  return at < 0 ? undefined : trail[at + step];
}
