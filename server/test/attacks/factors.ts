/** Second factors as people use them, with codes computed by a library that shares no code with ours. */
import { Secret, TOTP } from 'otpauth';
import type { Server } from '../harness.ts';
import { cookiesOf, type RawAnswer, rawCall } from './raw-call.ts';

let addresses = 0;
/** Of the client, as the proxy on loopback tells it: attempts are counted by it. */
export const nextAddress = (): string => `198.51.100.${(addresses += 1)}`;

export interface Login {
  readonly email: string;
  readonly password: string;
}

export interface Browser {
  readonly server: Server;
  readonly cookie: string;
}

/** What a page of ours sends. */
export const ask = (
  { server, cookie }: Browser,
  method: string,
  path: string,
  body?: unknown,
  address = nextAddress(),
): Promise<RawAnswer> =>
  rawCall(`${server.url}${path}`, {
    method,
    headers: { cookie, origin: server.url, 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
    body,
  });

export const account = (browser: Browser, method: string, path: string, body?: unknown, address?: string) =>
  ask(browser, method, `/api/0/account${path}`, body, address);

export const stranger = (server: Server): Browser => ({ server, cookie: '' });

export const enterPassword = (server: Server, login: Login, cookie = ''): Promise<RawAnswer> =>
  ask({ server, cookie }, 'POST', '/api/auth/sign-in/email', login);

export const enterCode = (browser: Browser, code: string, address?: string): Promise<RawAnswer> =>
  ask(browser, 'POST', '/api/auth/two-factor/verify', { code }, address);

export const hasSession = (cookie: string): boolean => /session_token=[^;]/.test(cookie);

/** Signs in with the password alone; where a code is wanted, the cookies of that question. */
export async function signInTo(server: Server, login: Login): Promise<Browser> {
  const answer = await enterPassword(server, login);
  if (answer.status !== 200) throw new Error(`sign-in of ${login.email}: ${answer.status} ${answer.text}`);
  return { server, cookie: cookiesOf(answer) };
}

export interface App {
  /** That it shows at a moment of the server's clock; `steps` later than that. */
  code(steps?: number): string;
}

export function openApp(server: Server, secret: string): App {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 });
  return { code: (steps = 0) => totp.generate({ timestamp: server.now() + steps * 30_000 }) };
}

/** Sets one up for who is signed in. */
export async function setUpApp(
  browser: Browser,
  { password }: Login,
): Promise<{ readonly app: App; readonly recoveryCodes: readonly string[]; readonly secret: string }> {
  const begun = await account(browser, 'POST', '/two-factor/', { password });
  if (begun.status !== 201) throw new Error(`no secret: ${begun.status} ${begun.text}`);
  const { secret } = JSON.parse(begun.text) as { secret: string };
  const app = openApp(browser.server, secret);
  const confirmed = await account(browser, 'POST', '/two-factor/confirm/', { code: app.code() });
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.status} ${confirmed.text}`);
  const { recoveryCodes } = JSON.parse(confirmed.text) as { recoveryCodes: string[] };
  return { app, recoveryCodes, secret };
}
