/**
 * Browsers that signed in to an account before, known by a cookie that lasts when the session ends. It opens nothing: it
 * only says that this is no stranger, so that others being wrong is not held against it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { prefixFor } from './cookies.ts';

const yearSeconds = 365 * 24 * 60 * 60;

export interface Devices {
  /** The device that a `Cookie` header says it is, for this account; undefined for a stranger. */
  read(email: string, cookies: string | null): string | undefined;
  /** `Set-Cookie` that makes a browser known to the account. */
  cookie(email: string, url: string): string;
}

export function createDevices(getSecret: () => string): Devices {
  const sign = (...parts: readonly string[]): string =>
    createHmac('sha256', getSecret())
      .update(['culprit device', ...parts].join('\0'))
      .digest('base64url');
  // One for each account, for several people may share a browser; made so that it does not tell whose it is.
  const nameFor = (email: string): string => `device-${sign('name', email).slice(0, 12)}`;

  return {
    read(email, cookies) {
      // Also as it was called before; it opens nothing.
      const names = ['culprit', '__Host-culprit', '__Secure-culprit'].map((prefix) => `${prefix}.${nameFor(email)}`);
      for (const part of cookies?.split(';') ?? []) {
        const [key = '', value = ''] = part.trim().split('=', 2);
        if (!names.includes(key)) continue;
        const [nonce = '', signature = ''] = value.split('.', 2);
        const [actual, expected] = [Buffer.from(signature), Buffer.from(sign('value', email, nonce))];
        if (actual.length === expected.length && timingSafeEqual(actual, expected)) return nonce;
      }
      return undefined;
    },
    cookie(email, url) {
      const isSecure = url.startsWith('https://');
      const nonce = randomBytes(16).toString('base64url');
      return [
        `${prefixFor(url)}.${nameFor(email)}=${nonce}.${sign('value', email, nonce)}`,
        `Max-Age=${yearSeconds}`,
        // What is of one host is of all its paths.
        isSecure ? 'Path=/' : 'Path=/api/auth/sign-in',
        'HttpOnly',
        'SameSite=Strict',
        ...(isSecure ? ['Secure'] : []),
      ].join('; ');
    },
  };
}
