/**
 * The page that an issue was opened from. The browser keeps the list of pages of a tab, so it is known after a reload as
 * well, and going there restores filters, scroll and focus. Browsers without the Navigation API know no such page.
 */

/** An issue is read along with its events and traces; who signs in on the way came from elsewhere. */
const passing = /^\/(?:(?:issues|traces)\/.|(?:sign-in|setup|invite|shared)(?:\/|$))/;

/** The newest of the pages before `at` that is a list or an overview; -1 for none. */
export function originOf(addresses: readonly (string | null)[], at: number): number {
  return addresses
    .slice(0, Math.max(0, at))
    .findLastIndex((address) => address !== null && !passing.test(new URL(address).pathname));
}

/** Goes there; false when the issue was opened directly. */
export function goBackToOrigin(): boolean {
  if (!('navigation' in globalThis)) return false;
  const pages = navigation.entries();
  const origin =
    pages[
      originOf(
        pages.map(({ url }) => url),
        navigation.currentEntry?.index ?? 0,
      )
    ];
  if (!origin) return false;
  // Another way taken meanwhile ends this one; nobody waits for it.
  const { committed, finished } = navigation.traverseTo(origin.key);
  void Promise.allSettled([committed, finished]);
  return true;
}
