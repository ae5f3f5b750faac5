/** Of all cookies that the accounts set. */
const cookiePrefix = 'culprit';

/** At an address with https they are bound to its very host: none of a neighbouring host can take their place. */
export const prefixFor = (url: string): string => `${url.startsWith('https://') ? '__Host-' : ''}${cookiePrefix}`;

/** Whether the headers have a session; loaded before better-auth, which knows how to read it. */
export function hasSessionCookie(headers: Headers): boolean {
  return headers.get('cookie')?.includes('session_token') ?? false;
}
