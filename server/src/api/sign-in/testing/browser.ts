/** A browser that goes to a provider and comes back. For tests. */
import { baseUrl, type TestApi } from '../../testing.ts';

interface Answer {
  readonly status: number;
  readonly location: string;
  readonly setCookies: readonly string[];
  readonly body: string;
}

/** Asks for a path with these headers, and follows no redirect. */
export type Transport = (path: string, headers: Readonly<Record<string, string>>) => Promise<Answer>;

export interface Browser {
  readonly cookies: Map<string, string>;
  /** As a header. */
  cookie(): string;
  get(address: string): Promise<Answer>;
  /** To the provider: where it is sent. */
  start(providerId: string, returnTo?: string): Promise<string>;
  /** Back from it: where it is sent next, and why it was refused, if it was. */
  comeBack(url: URL | string): Promise<{ readonly location: string; readonly problem: string | undefined }>;
  /** Who is signed in. */
  who(): Promise<string | undefined>;
}

export const toApi =
  ({ app }: Pick<TestApi, 'app'>, remoteAddress: string): Transport =>
  async (url, given) => {
    const headers = { host: new URL(baseUrl).host, ...given };
    const answer = await app.inject({ method: 'GET', url, remoteAddress, headers });
    const setCookies = [answer.headers['set-cookie'] ?? []].flat();
    return { status: answer.statusCode, location: String(answer.headers.location), setCookies, body: answer.body };
  };

export const toServer =
  (url: string, address: string): Transport =>
  async (path, headers) => {
    const answer = await fetch(`${url}${path}`, {
      headers: { ...headers, 'x-forwarded-for': address },
      redirect: 'manual',
    });
    const setCookies = answer.headers.getSetCookie();
    return {
      status: answer.status,
      location: answer.headers.get('location') ?? '',
      setCookies,
      body: await answer.text(),
    };
  };

export function openBrowser(ask: Transport): Browser {
  const cookies = new Map<string, string>();
  const browser: Browser = {
    cookies,
    cookie: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    async get(address) {
      const { pathname, search } = new URL(address, baseUrl);
      const answer = await ask(`${pathname}${search}`, { cookie: browser.cookie() });
      for (const one of answer.setCookies) {
        const [pair = '', ...rest] = one.split(';');
        const at = pair.indexOf('=');
        const isOver = rest.some((part) => part.trim() === 'Max-Age=0');
        if (isOver) cookies.delete(pair.slice(0, at));
        else cookies.set(pair.slice(0, at), pair.slice(at + 1));
      }
      return answer;
    },
    async start(providerId, returnTo) {
      const query = returnTo === undefined ? '' : `?${new URLSearchParams({ return: returnTo })}`;
      return (await browser.get(`/api/auth/provider/${providerId}${query}`)).location;
    },
    async comeBack(url) {
      const { location } = await browser.get(String(url));
      return { location, problem: new URL(location, baseUrl).searchParams.get('problem') ?? undefined };
    },
    async who() {
      const { status, body } = await browser.get('/api/0/account/');
      return status === 200 ? (JSON.parse(body) as { email: string }).email : undefined;
    },
  };
  return browser;
}
