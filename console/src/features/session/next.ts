/** The page to return to after signing in; only one of our own, else the front page. */
export function safeNext(next: string | undefined): string {
  // Browsers read a backslash as a slash and skip control characters, so both could lead away.
  if (!next?.startsWith('/') || next.startsWith('//') || next.includes('\\') || [...next].some((char) => char < ' '))
    return '/';
  return next.startsWith('/sign-in') || next.startsWith('/setup') ? '/' : next;
}
