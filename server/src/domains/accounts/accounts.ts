/** Who may do what: sessions by better-auth, API tokens, and the set-up of a new installation. */
import { CodedError } from '../../base/errors.ts';
import { dsn } from '../../base/dsn.ts';
import type { State } from '../../ports/state/state.ts';
import type { Audit, Source } from '../audit/index.ts';
import type { Auth } from './auth.ts';
import type { PasskeyAuth } from './factors/passkey-plugin.ts';
import { hasSessionCookie } from './cookies.ts';
import { createDevices } from './devices.ts';
import { createFactors, type Factors, sealerOf } from './factors/factors.ts';
import { createPasskeys, type Passkeys } from './factors/passkeys.ts';
import { createFactorSignIn, sourceOf } from './factors/sign-in.ts';
import { providerWay } from './factors/way.ts';
import { identityOf, membershipsOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { createDemands, type Demands, recoveryWay } from './own/demands.ts';
import { createLinkLimit, type LinkLimit } from './own/link-limits.ts';
import { createSessionPolicies, isOver, type SessionPolicies } from './own/session-policy.ts';
import { endSession, noteUse, usedEveryMs } from './own/sessions.ts';
import { hashFirst, verifyPassword } from './passwords/hash.ts';
import { hasUsers, setUp } from './set-up.ts';
import { isSetUpSecret, setUpSecret } from './set-up-secret.ts';
import { readSignIn } from './sign-in-body.ts';
import { createAddressLimit, createSignInLimits } from './sign-in-limits.ts';
import { createServiceAccount, type NewServiceAccount } from './service-accounts.ts';
import { createSignings, type ProviderOf } from './signings.ts';
import type { SetUp, SetUpResult } from './set-up.ts';
import { createTries } from './tries.ts';
import { countTokensOf, createToken, deleteToken, identifyToken, listTokens, revokeTokensOf } from './tokens.ts';
import type { ApiToken, NewToken, TokenKind, TokenOwner } from './tokens.ts';
import { createUser, joinedAt, passwordHashOf, passwordSetAt, resetPassword, userIdOf } from './users.ts';
import type { Also, NewUser, User } from './users.ts';

export interface AccountsOptions {
  readonly state: State;
  /** The public address; read when needed, for it may be known only after listening. */
  readonly getUrl: () => string;
  /** Told of sign-ins; who signs nobody in needs none. */
  readonly audit?: Audit;
  /** For signing sessions; who signs nobody in needs none. */
  readonly secret?: string;
  /** Told what goes wrong while answering `/api/auth/*`; the console unless given. */
  readonly warn?: (message: string, ...details: unknown[]) => void;
}

export interface Accounts {
  /**
   * Answers `/api/auth/*`. `clientAddress` is what trusted proxies tell; wrong passwords are counted by it and by account.
   * Throws `SIGN_IN_LIMITED` after too many, `SIGN_IN_BUSY` while too many are checked at once.
   */
  handler(request: Request, clientAddress?: string): Promise<Response>;
  /**
   * Who sends a request with these headers; undefined for nobody. `Authorization: Bearer` wins over the session cookie,
   * and throws `CodedError('TOKEN_INVALID')` when there is no such token, `TOKEN_EXPIRED` when it has ended. Being used keeps a
   * session alive, unless nobody would get the cookie that goes with it.
   */
  identify(headers: Headers, options?: { readonly keepsSession: boolean }): Promise<Identity | undefined>;
  /** True once there is a user. */
  isSetUp(): Promise<boolean>;
  /** Whether somebody signs in with a password. */
  hasPassword(userId: string): Promise<boolean>;
  /** When the account was made, ms; undefined where it is gone. */
  joinedAt(userId: string): Promise<number | undefined>;
  /** The address that sets up this installation; undefined once that is done. */
  setUpLink(): Promise<string | undefined>;
  /** Throws `SETUP_SECRET` unless it is the one of that link, `SIGN_IN_LIMITED` after too many wrong ones. */
  checkSetUpSecret(secret: string | undefined, clientAddress: string): Promise<void>;
  /** As the others that take it, `also` belongs to the same transaction. */
  setUp(input: SetUp, also?: Also<SetUpResult>): Promise<SetUpResult & { readonly dsn: string }>;
  /** Signs in and returns the values of the `Set-Cookie` headers; undefined when address or password is wrong. */
  signIn(
    credentials: { email: string; password: string },
    headers?: Headers,
    source?: Source,
  ): Promise<string[] | undefined>;
  /** Signs in who came by a recovery link; returns the values of the `Set-Cookie` headers. */
  signInRecovered(user: User, headers: Headers, source: Source): Promise<string[]>;
  /**
   * Signs in whom a provider vouched for, and returns the values of the `Set-Cookie` headers; undefined where the provider
   * has been disabled meanwhile. A session that the browser had ends.
   */
  openProviderSession(
    vouched: { readonly user: User; readonly provider: ProviderOf; readonly secondFactor: boolean },
    headers: Headers,
    source: Source,
  ): Promise<string[] | undefined>;
  /** Tells the audit log of the provider's organisation. */
  noteFailedAt(provider: ProviderOf, reason: string, source: Source): void;
  /**
   * Asks who is signed in for their password again. Counted and told to the audit log as sign-ins are, with an allowance
   * of the session's own.
   * Throws `PASSWORD_WRONG`, `SIGN_IN_LIMITED`, `SIGN_IN_BUSY`.
   */
  checkPassword(identity: Identity, password: string, source: Source): Promise<void>;
  /** How long sessions last. */
  readonly sessionPolicies: SessionPolicies;
  readonly factors: Factors;
  readonly passkeys: Passkeys;
  /** What organisations demand of sessions. */
  readonly demands: Demands;
  /** Counts a mail with a link that somebody asks for. Throws `LINKS_LIMITED`. */
  readonly limitLinks: LinkLimit;
  /** Runs what uses a link of a mail; links that are none are counted. Throws `SIGN_IN_LIMITED` after too many. */
  usingLink<Result>(clientAddress: string, work: () => Promise<Result>): Promise<Result>;
  /** `inside` a transaction, where that is given. */
  createToken(input: NewToken, inside?: State): Promise<ApiToken & { readonly token: string }>;
  createServiceAccount(input: NewServiceAccount, inside?: State): Promise<ApiToken & { readonly token: string }>;
  listTokens(owner: TokenOwner): Promise<ApiToken[]>;
  deleteToken(token: TokenOwner & { id: number }, inside?: State): ReturnType<typeof deleteToken>;
  createUser(input: NewUser, also?: Also<User>): Promise<User>;
  /** How many API tokens somebody has made, by kind. Throws `NOT_FOUND` when nobody has the address. */
  countTokens(email: string): Promise<Readonly<Record<Exclude<TokenKind, 'service'>, number>>>;
  /** Ends their own ones, and those that these made. */
  revokeTokens(email: string, inside?: State): Promise<void>;
  resetPassword(credentials: { email: string; password: string }, also?: Also<User>): Promise<void>;
  /** Writes failed sign-ins that are gathered for the audit log. */
  flush(): Promise<void>;
  /** Loads what the first sign-in needs, so that it need not wait. */
  warmUp(): Promise<void>;
}

/**
 * All that the console uses. better-auth answers far more (organisations, invitations, sessions with their tokens);
 * what no screen of ours needs is closed until one does.
 */
const signInPath = '/api/auth/sign-in/email';
const codePath = '/api/auth/two-factor/verify';
const passkeyOptionsPath = '/api/auth/passkey/options';
const passkeyPath = '/api/auth/passkey/verify';
const ownPaths: ReadonlySet<string> = new Set([signInPath, '/api/auth/sign-out']);

/** Whether the password was right and a code must follow. */
const wantsCode = async (answer: Response): Promise<boolean> =>
  ((await answer.clone().json()) as { readonly twoFactorRedirect?: boolean }).twoFactorRedirect === true;

/** What it is told of the address of a client, whatever the client says. */
async function withClientAddress(given: Headers = new Headers(), clientAddress: string | undefined): Promise<Headers> {
  const { clientAddressHeader } = await import('./auth.ts');
  const headers = new Headers(given);
  if (clientAddress === undefined) headers.delete(clientAddressHeader);
  else headers.set(clientAddressHeader, clientAddress);
  return headers;
}

/** Made when it is first asked for, and again where the address has become another. */
function perUrl<T>(getUrl: () => string, make: (url: string) => Promise<T>): () => Promise<T> {
  let current: { readonly url: string; readonly made: Promise<T> } | undefined;
  return () => {
    const url = getUrl() || 'http://localhost';
    if (current?.url !== url) current = { url, made: make(url) };
    return current.made;
  };
}

export async function createAccounts({
  state,
  getUrl,
  audit,
  secret,
  warn = console.warn,
}: AccountsOptions): Promise<Accounts> {
  let isDone = false;
  const signingSecret = (): string => {
    if (secret === undefined) throw new Error('sessions are signed by the server alone');
    return secret;
  };

  const optionsAt = (url: string) => ({ state, url, secret: signingSecret(), warn });
  const auth = perUrl(getUrl, async (url): Promise<Auth> => (await import('./auth.ts')).createAuth(optionsAt(url)));
  const passkeyAuth = perUrl(getUrl, async (url): Promise<PasskeyAuth> => {
    const { createPasskeyAuth } = await import('./factors/passkey-plugin.ts');
    return createPasskeyAuth(optionsAt(url));
  });

  // Nobody else opens a SQLite.
  const tries = createTries(state.capabilities.dialect === 'postgres' ? state : undefined);
  const limits = createSignInLimits({ tries, passwordSetAt: (email) => passwordSetAt(state, email) });
  const signings = audit && createSignings({ state, audit, warn });
  const limitSetUp = createAddressLimit({ tries, kind: 'set-up' });
  const limitWrongLinks = createAddressLimit({ tries, kind: 'link' });
  const sessionPolicies = createSessionPolicies(state);
  const demands = createDemands(state);
  const devices = createDevices(signingSecret);
  const deviceCookie = (email: string): string => devices.cookie(email.toLowerCase(), getUrl());

  const answerSignIn = async (request: Request, clientAddress?: string): Promise<Response> => {
    const body = await readSignIn(request);
    const email = body.email.toLowerCase();
    const device = devices.read(email, request.headers.get('cookie'));
    const source = sourceOf(request, clientAddress);
    const takeBack = await limits.begin({ email, address: clientAddress, device }).catch((error: unknown) => {
      signings?.failed(email, 'limited', source);
      throw error;
    });
    let status = 0;
    try {
      const { url, method, headers } = request;
      const { handler } = await auth();
      const check = (): Promise<Response> => handler(new Request(url, { method, headers, body: JSON.stringify(body) }));
      const answer = await (device === undefined ? check() : hashFirst(check));
      status = answer.status;
      const isIn = answer.ok && !(await wantsCode(answer));
      if (isIn && device === undefined) answer.headers.append('set-cookie', deviceCookie(email));
      if (isIn) await signings?.succeeded(email, source, 'password');
      if (status === 401) signings?.failed(email, 'wrong', source);
      return answer;
    } finally {
      if (status !== 401) takeBack();
    }
  };

  const identifySession = async (headers: Headers, keepsSession: boolean): Promise<Identity | undefined> => {
    // Most calls of API clients have no cookie, and need no better-auth.
    if (!hasSessionCookie(headers)) return undefined;
    const session = await (await auth()).api.getSession({ headers, query: { disableRefresh: !keepsSession } });
    if (!session) return undefined;
    const { id, email, name } = session.user;
    const shown = { way: session.session.way ?? 'password', secondFactor: session.session.secondFactor ?? false };
    const memberships = await demands.judge(await membershipsOf(state, id), shown);
    const used = {
      id: session.session.id,
      createdAt: +session.session.createdAt,
      lastUsedAt: +session.session.updatedAt,
    };
    const policy = await sessionPolicies.of(memberships.map(({ organizationId }) => organizationId));
    const now = Date.now();
    if (isOver(policy, used, now)) {
      await endSession(state, id, used.id);
      return undefined;
    }
    if (keepsSession && now - used.lastUsedAt >= usedEveryMs) await noteUse(state, used.id, now);
    return identityOf({ id, email, name }, memberships, undefined, { id: used.id, shown });
  };

  const checkPassword: Accounts['checkPassword'] = async ({ user, sessionId }, password, source) => {
    const { email } = user;
    const actor = { type: 'user', ...user, session: sessionId } as const;
    const attempt = { email, address: source.address, device: `session ${sessionId ?? ''}` };
    const takeBack = await limits.begin(attempt).catch((error: unknown) => {
      signings?.failed(email, 'limited', source, actor);
      throw error;
    });
    let isWrong = false;
    try {
      const hash = await passwordHashOf(state, user.id);
      isWrong = hash === undefined || !(await hashFirst(() => verifyPassword({ hash, password })));
    } finally {
      if (!isWrong) takeBack();
    }
    if (!isWrong) return;
    signings?.failed(email, 'wrong', source, actor);
    throw new CodedError('PASSWORD_WRONG');
  };

  const sealer = sealerOf(auth);
  const factors = createFactors({ state, sealer, limits, signings, checkPassword });
  const factorSignIn = createFactorSignIn({
    state,
    auth,
    passkeyAuth,
    sealer,
    tries,
    limits,
    signings,
    devices,
    deviceCookie,
    getUrl,
  });
  const passkeys = createPasskeys({ state, auth: passkeyAuth, getUrl });
  const answers: Readonly<Record<string, (request: Request, clientAddress?: string) => Promise<Response>>> = {
    [signInPath]: answerSignIn,
    [codePath]: factorSignIn.answerCode,
    [passkeyOptionsPath]: factorSignIn.answerPasskeyOptions,
    [passkeyPath]: factorSignIn.answerPasskey,
  };

  const isSetUp = async (): Promise<boolean> => (isDone ||= await hasUsers(state));

  return {
    async handler(request, clientAddress) {
      const { pathname } = new URL(request.url);
      const answer = request.method === 'POST' ? answers[pathname] : undefined;
      if (!answer && !ownPaths.has(pathname)) return new Response(null, { status: 404 });
      const headers = await withClientAddress(request.headers, clientAddress);
      const forwarded = new Request(request, { headers });
      return answer ? answer(forwarded, clientAddress) : (await auth()).handler(forwarded);
    },
    async identify(headers, { keepsSession } = { keepsSession: true }) {
      const bearer = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
      if (bearer === undefined) return identifySession(headers, keepsSession);
      const identity = await identifyToken(state, bearer);
      if (!identity) throw new CodedError('TOKEN_INVALID');
      return identity;
    },
    isSetUp,
    hasPassword: async (userId) => (await passwordHashOf(state, userId)) !== undefined,
    joinedAt: (userId) => joinedAt(state, userId),
    async setUpLink() {
      // In the fragment, which no proxy sees and none logs.
      return (await isSetUp()) ? undefined : `${getUrl()}/setup#${setUpSecret(signingSecret())}`;
    },
    async checkSetUpSecret(secret, clientAddress) {
      if (secret !== undefined) {
        if (isSetUpSecret(signingSecret(), secret)) return;
        await limitSetUp(clientAddress);
      }
      throw new CodedError('SETUP_SECRET');
    },
    async setUp(input, also) {
      const result = await setUp(state, input, also);
      isDone = true;
      return { ...result, dsn: dsn(getUrl() || 'http://localhost', result.key.publicKey, result.project.id) };
    },
    async signIn({ email, password }, headers, source = {}) {
      try {
        const { api } = await auth();
        const answer = await api.signInEmail({
          body: { email, password },
          headers: await withClientAddress(headers, source.address),
          returnHeaders: true,
        });
        await signings?.succeeded(email.toLowerCase(), source, 'password');
        return [...answer.headers.getSetCookie(), deviceCookie(email)];
      } catch (error) {
        if (error instanceof Error && 'statusCode' in error && error.statusCode === 401) return undefined;
        throw error;
      }
    },
    async openProviderSession({ user, provider, secondFactor }, given, source) {
      const headers = await withClientAddress(given, source.address);
      const { api } = await auth();
      const opened = await api.openProviderSession({
        params: { providerId: provider.id },
        body: { userId: user.id, secondFactor },
        headers,
        returnHeaders: true,
      });
      // Disabling ends the sessions that are there, so this one must be there before it is asked.
      if (!(await isEnabled(state, provider.id))) {
        await endSession(state, user.id, opened.response.sessionId);
        return undefined;
      }
      await signings?.succeeded(user.email, source, providerWay(provider.id), provider.name);
      return opened.headers.getSetCookie();
    },
    noteFailedAt: (provider, reason, source) => signings?.failedAt(provider, reason, source),
    async signInRecovered({ id, email }, headers, source) {
      const { api } = await auth();
      const given = await withClientAddress(headers, source.address);
      const answer = await api.recoveredSession({ headers: given, body: { userId: id }, returnHeaders: true });
      await signings?.succeeded(email, source, recoveryWay);
      return [...answer.headers.getSetCookie(), deviceCookie(email)];
    },
    checkPassword,
    sessionPolicies,
    demands,
    factors,
    passkeys,
    limitLinks: createLinkLimit(tries),
    async usingLink(clientAddress, work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof CodedError && error.code === 'LINK_GONE') await limitWrongLinks(clientAddress);
        throw error;
      }
    },
    createToken: (token, inside = state) => createToken(inside, token, getUrl() || 'http://localhost'),
    createServiceAccount: (account, inside = state) => createServiceAccount(inside, account),
    listTokens: (owner) => listTokens(state, owner),
    deleteToken: (token, inside = state) => deleteToken(inside, token),
    createUser: (user, also) => createUser(state, user, also),
    countTokens: async (email) => countTokensOf(state.db, await userIdOf(state.db, email)),
    revokeTokens: async (email, { db } = state) => revokeTokensOf(db, { userId: await userIdOf(db, email) }),
    resetPassword: (user, also) => resetPassword(state, user, also),
    flush: async () => signings?.flush(),
    async warmUp() {
      await auth();
    },
  };
}

async function isEnabled({ db }: State, providerId: string): Promise<boolean> {
  const row = await db.selectFrom('sign_in_provider').select('enabled').where('id', '=', providerId).executeTakeFirst();
  return row?.enabled === 1;
}
