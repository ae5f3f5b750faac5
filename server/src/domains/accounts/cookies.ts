/** Of all cookies that the accounts set. */
export const cookiePrefix = 'culprit';

/** Whether the headers have a session; loaded before better-auth, which knows how to read it. */
export function hasSessionCookie(headers: Headers): boolean {
  return headers.get('cookie')?.includes('session_token') ?? false;
}
