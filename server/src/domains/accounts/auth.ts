/** better-auth as Culprit uses it. Loaded when first needed: half a second that a start should not wait for. */
import { betterAuth, type BetterAuthOptions, type GenericEndpointContext } from 'better-auth';
import { getAdapter } from 'better-auth/db/adapter';
import { organization } from 'better-auth/plugins/organization';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { State } from '../../ports/state/state.ts';
import { prefixFor } from './cookies.ts';
import { challenges } from './factors/challenge.ts';
import { wayIn } from './factors/way.ts';
import { hashedSessions } from './hashed-sessions.ts';
import { hashPassword } from './passwords/hash.ts';
import { verifyAndRenew } from './passwords/renew.ts';
import { providerSession } from './provider-session.ts';

/** The address of the client as the server knows it; set by us alone, for any other header can be made up. */
export const clientAddressHeader = 'x-culprit-client-address';

const day = 24 * 60 * 60;

export interface AuthOptions {
  readonly state: State;
  readonly url: string;
  readonly secret: string;
  /** Told what goes wrong inside: requests from other sites, failures of the state store. */
  readonly warn: (message: string, ...details: unknown[]) => void;
}

/** Anybody can send a passkey that is none, which is answered and no failure. Those of the state store have a code. */
const isRefusedPasskey = (message: string, [error]: readonly unknown[]): boolean =>
  /^Failed to verify (?:authentication|registration)$/.test(message) && error instanceof Error && !('code' in error);

export const authOptions = ({ state, url, secret, warn }: AuthOptions) => ({
  appName: 'Culprit',
  baseURL: url,
  basePath: '/api/auth',
  secret,
  database: { db: state.db, type: state.capabilities.dialect },
  // Accounts are made by the set-up and by owners.
  emailAndPassword: {
    enabled: true,
    disableSignUp: true,
    minPasswordLength: 8,
    maxPasswordLength: 128,
    password: {
      hash: (password: string) => hashPassword(password),
      verify: (given: { hash: string; password: string }) => verifyAndRenew(state, given),
    },
  },
  // No cookie cache: a session that ended, or has not shown its second factor, is refused at once.
  session: {
    expiresIn: 30 * day,
    updateAge: day,
    // What wants a recent sign-in asks for the password itself.
    freshAge: 0,
    additionalFields: {
      way: { type: 'string', required: false, input: false },
      secondFactor: { type: 'boolean', required: false, input: false },
    },
  } as const,
  databaseHooks: {
    session: {
      create: {
        before: async (session, call) => ({ data: session['way'] ? {} : wayIn(call) }),
        after: async (made, call) => endFormer(made, call),
      },
    },
  } satisfies BetterAuthOptions['databaseHooks'],
  plugins: [
    organization({ allowUserToCreateOrganization: false, disableOrganizationDeletion: true }),
    providerSession,
    // Set up by calls of our own; of this one's, two are reachable, and only through `factors/sign-in.ts`.
    twoFactor({ twoFactorCookieMaxAge: 10 * 60 }),
    challenges,
  ],
  // What is wrong is counted before it gets here, by account as well.
  rateLimit: { enabled: false },
  // One installation has several names (localhost, an address, a host name), and a page may talk to where it came from.
  trustedOrigins: (request?: Request) => {
    const host = request?.headers.get('host');
    return host ? [`http://${host}`, `https://${host}`] : [];
  },
  advanced: {
    // Of this host alone, where that can be said; the prefix that better-auth would add says less.
    cookiePrefix: prefixFor(url),
    useSecureCookies: false,
    defaultCookieAttributes: { secure: url.startsWith('https://') },
    ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    disableCSRFCheck: false,
    disableOriginCheck: false,
  },
  telemetry: { enabled: false },
  // Refusals are answers. Anything else is a failure of the server, which has one way of its own.
  onAPIError: { throw: true },
  logger: {
    level: 'error' as const,
    log: (_level: string, message: string, ...details: unknown[]) => {
      if (!isRefusedPasskey(message, details)) warn(message, ...details);
    },
  },
});

export const createAuth = (settings: AuthOptions) => openAuth(authOptions(settings));

export async function openAuth<O extends BetterAuthOptions>(options: O) {
  const adapter = hashedSessions(await getAdapter(options));
  const auth = betterAuth<O>({ ...options, database: () => adapter });
  const { handler } = auth;
  auth.handler = async (request) => {
    const answer = await handler(request);
    if (answer.status >= 500) throw new Error(`sign-in failed: ${await answer.text()}`);
    return withoutToken(answer);
  };
  return auth;
}

/** Whoever signs in leaves the session that this browser had, whosever it was. */
async function endFormer(made: { readonly token: string }, call: GenericEndpointContext | null): Promise<void> {
  if (!call?.headers?.has('cookie')) return;
  const { authCookies, secret, internalAdapter } = call.context;
  const former = await call.getSignedCookie(authCookies.sessionToken.name, secret);
  if (former && former !== made.token) await internalAdapter.deleteSession(former);
}

/** Scripts of the page read the answer: the token of the session is in the cookie, which they cannot read. */
async function withoutToken(answer: Response): Promise<Response> {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return answer;
  const { status, headers } = answer;
  const body: unknown = JSON.parse((await answer.text()) || 'null');
  const kept = typeof body === 'object' && body !== null ? { ...body, token: undefined } : body;
  const own = new Headers(headers);
  own.delete('content-length');
  return new Response(JSON.stringify(kept), { status, headers: own });
}

export type Auth = Awaited<ReturnType<typeof createAuth>>;
