/** The page to return to after signing in; only one of our own, else the front page. */
export function safeNext(next: string | undefined): string {
  if (!next?.startsWith('/') || /^\/[/\\]/.test(next) || /[\u0000-\u001f\\]/.test(next)) return '/';
  return next.startsWith('/sign-in') || next.startsWith('/setup') ? '/' : next;
}
