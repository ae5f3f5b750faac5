/**
 * Browsers that signed in to an account before, known by a cookie that lasts when the session ends. It opens nothing: it
 * only says that this is no stranger, so that others being wrong is not held against it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookiePrefix } from './cookies.ts';

const yearSeconds = 365 * 24 * 60 * 60;

export interface Devices {
  /** The device that a `Cookie` header says it is, for this account; undefined for a stranger. */
  read(email: string, cookies: string | null): string | undefined;
  /** `Set-Cookie` that makes a browser known to the account. */
  cookie(email: string, secure: boolean): string;
}

export function createDevices(getSecret: () => string): Devices {
  const sign = (...parts: readonly string[]): string =>
    createHmac('sha256', getSecret())
      .update(['culprit device', ...parts].join('\0'))
      .digest('base64url');
  // One for each account, for several people may share a browser; made so that it does not tell whose it is.
  const nameFor = (email: string): string => `${cookiePrefix}.device-${sign('name', email).slice(0, 12)}`;

  return {
    read(email, cookies) {
      const name = nameFor(email);
      for (const part of cookies?.split(';') ?? []) {
        const [key = '', value = ''] = part.trim().split('=', 2);
        if (key !== name && key !== `__Secure-${name}`) continue;
        const [nonce = '', signature = ''] = value.split('.', 2);
        const [actual, expected] = [Buffer.from(signature), Buffer.from(sign('value', email, nonce))];
        if (actual.length === expected.length && timingSafeEqual(actual, expected)) return nonce;
      }
      return undefined;
    },
    cookie(email, secure) {
      const nonce = randomBytes(16).toString('base64url');
      return [
        `${secure ? '__Secure-' : ''}${nameFor(email)}=${nonce}.${sign('value', email, nonce)}`,
        `Max-Age=${yearSeconds}`,
        'Path=/api/auth/sign-in',
        'HttpOnly',
        'SameSite=Strict',
        ...(secure ? ['Secure'] : []),
      ].join('; ');
    },
  };
}
