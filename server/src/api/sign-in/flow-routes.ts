/** The sign-in page, and the way to a provider and back. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { openOwnVisitors } from '../../ingest/index.ts';
import * as providers from '../../domains/providers/index.ts';
import { CodedError } from '../../base/errors.ts';
import { prefixFor } from '../../domains/accounts/index.ts';
import { ownHosts, toHeaders } from '../shared/access.ts';
import { sourceOf } from '../shared/deed.ts';
import { checkHost } from '../shared/hosts.ts';
import { type Api, implement } from '../shared/implement.ts';
import * as contract from './contract.ts';
import { samlRoutes } from './saml-routes.ts';

const base = '/api/auth/provider/:provider';

/** Enough for a company behind one address; each start may ask the provider something. */
const allowance = { burst: 120, perSecond: 2 };

export function flowRoutes(api: Api): void {
  const { app, deps } = api;
  const { state, accounts, signIns, live, getUrl } = deps;
  const openVisitors = deps.openVisitors ?? openOwnVisitors;
  const visitors = openVisitors('ways-in', allowance);
  const starts = openVisitors('sign-ins', allowance);

  const limit = ({ ip }: FastifyRequest): void => {
    const seconds = visitors.take(ip);
    if (seconds > 0) throw new CodedError('SIGN_IN_LIMITED', [seconds], { retryAfter: seconds });
  };

  implement(api, contract.listWaysIn, async ({ request }) => {
    limit(request);
    return { providers: await providers.shownProviders(state) };
  });

  implement(api, contract.findWayIn, async ({ request, body: { email } }) => {
    limit(request);
    const domain = email
      .slice(email.lastIndexOf('@') + 1)
      .trim()
      .toLowerCase();
    return { provider: (await providers.providerForDomain(state, domain)) ?? null };
  });

  /** One for each sign-in that is under way: several tabs do not disturb each other. */
  const cookieOf = (stateText: string): string =>
    `${prefixFor(getUrl())}.flow_${stateText.slice(0, 16).replaceAll(/[^\w-]/g, '')}`;
  const cookie = (stateText: string, value: string, seconds: number): string => {
    const secure = getUrl().startsWith('https://') ? '; Secure' : '';
    return `${cookieOf(stateText)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  };

  const leadTo = async (reply: FastifyReply, address: string, cookies: readonly string[] = []): Promise<void> => {
    if (cookies.length) void reply.header('set-cookie', cookies);
    await reply
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .code(303)
      .header('location', address)
      .send();
  };

  const params = (
    request: FastifyRequest,
  ): { readonly id: string; readonly query: Readonly<Record<string, unknown>> } => ({
    id: (request.params as { readonly provider: string }).provider.slice(0, 32),
    query: request.query as Readonly<Record<string, unknown>>,
  });

  /** The sign-in page has a sentence for each reason; what came in the address is not shown there. */
  const refuse = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { error, cookies = [] }: { readonly error: unknown; readonly cookies?: readonly string[] },
  ): Promise<void> => {
    if (!(error instanceof providers.SignInRefused)) throw error;
    const { id } = params(request);
    const provider = await providers.findProvider({ db: state.db, box: signIns.box }, id);
    if (provider) accounts.noteFailedAt(provider, error.audited, sourceOf(request));
    const query = new URLSearchParams({ problem: error.reason, ...(provider && { provider: provider.id }) });
    await leadTo(reply, `/sign-in?${query}`, cookies);
  };

  const onRequest = async (request: FastifyRequest): Promise<void> => checkHost(request, ownHosts(deps));

  app.route({
    method: 'GET',
    url: base,
    exposeHeadRoute: false,
    onRequest,
    async handler(request, reply) {
      const { id, query } = params(request);
      // Nobody is signed in by a page of somebody else: a person presses the button, or has typed or kept the address.
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none') return leadTo(reply, '/sign-in');
      try {
        if (starts.take(request.ip) > 0) throw new providers.SignInRefused('limited');
        const returnTo = typeof query['return'] === 'string' ? query['return'] : undefined;
        const { url, flow } = await signIns.start(id, returnTo);
        await leadTo(reply, url.href, [cookie(flow.state, flow.browser, providers.flowLastsMs / 1000)]);
      } catch (error) {
        await refuse(request, reply, { error });
      }
    },
  });

  app.route({
    method: 'GET',
    url: `${base}/callback`,
    exposeHeadRoute: false,
    onRequest,
    async handler(request, reply) {
      const { id } = params(request);
      const headers = toHeaders(request.headers);
      const source = sourceOf(request);
      const used: string[] = [];
      try {
        if (starts.take(request.ip) > 0) throw new providers.SignInRefused('limited');
        const at = request.url.indexOf('?');
        const { user, provider, secondFactor, changed, returnTo } = await signIns.finish({
          providerId: id,
          search: at === -1 ? '' : request.url.slice(at),
          browserOf(stateText) {
            used.push(cookie(stateText, '', 0));
            return readCookie(headers.get('cookie'), cookieOf(stateText));
          },
          source,
        });
        const vouched = { user, provider, secondFactor };
        const cookies = await accounts.openProviderSession(vouched, headers, source);
        if (!cookies) throw new providers.SignInRefused('provider_gone');
        if (changed) live.publish({ type: 'access', userId: user.id });
        await leadTo(reply, returnTo, [...used, ...cookies]);
      } catch (error) {
        await refuse(request, reply, { error, cookies: used });
      }
    },
  });

  samlRoutes(api, {
    base,
    onRequest,
    async leadOn(reply, { url, flow }) {
      const own = flow ? [cookie(flow.state, flow.browser, providers.flowLastsMs / 1000)] : [];
      await leadTo(reply, `${url.pathname}${url.search}`, own);
    },
    refuse: (request, reply, error) => refuse(request, reply, { error }),
    isLimited: ({ ip }) => starts.take(ip) > 0,
  });
}

function readCookie(header: string | null, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name) return value;
  }
  return undefined;
}
