/** Who may do what: sessions by better-auth, API tokens, and the set-up of a new installation. */
import { CodedError } from '../../base/errors.ts';
import { dsn } from '../../base/dsn.ts';
import type { State } from '../../ports/state/state.ts';
import type { Auth } from './auth.ts';
import { hasSessionCookie } from './cookies.ts';
import { createDevices } from './devices.ts';
import { identityOf, membershipsOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { hashFirst } from './passwords/hash.ts';
import { hasUsers, setUp } from './set-up.ts';
import { isSetUpSecret, setUpSecret } from './set-up-secret.ts';
import { readSignIn } from './sign-in-body.ts';
import { createAddressLimit, createSignInLimits } from './sign-in-limits.ts';
import { createServiceAccount, type NewServiceAccount } from './service-accounts.ts';
import type { SetUp, SetUpResult } from './set-up.ts';
import { countTokensOf, createToken, deleteToken, identifyToken, listTokens, revokeTokensOf } from './tokens.ts';
import type { ApiToken, NewToken, TokenKind, TokenOwner } from './tokens.ts';
import { createUser, joinedAt, passwordSetAt, resetPassword, userIdOf } from './users.ts';
import type { NewUser, User } from './users.ts';

export interface AccountsOptions {
  readonly state: State;
  /** The public address; read when needed, for it may be known only after listening. */
  readonly getUrl: () => string;
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
  /** When the account was made, ms; undefined where it is gone. */
  joinedAt(userId: string): Promise<number | undefined>;
  /** The address that sets up this installation; undefined once that is done. */
  setUpLink(): Promise<string | undefined>;
  /** Throws `SETUP_SECRET` unless it is the one of that link, `SIGN_IN_LIMITED` after too many wrong ones. */
  checkSetUpSecret(secret: string | undefined, clientAddress: string): void;
  setUp(input: SetUp): Promise<SetUpResult & { readonly dsn: string }>;
  /** Signs in and returns the values of the `Set-Cookie` headers; undefined when address or password is wrong. */
  signIn(credentials: { email: string; password: string }, headers?: Headers): Promise<string[] | undefined>;
  createToken(input: NewToken): Promise<ApiToken & { readonly token: string }>;
  createServiceAccount(input: NewServiceAccount): Promise<ApiToken & { readonly token: string }>;
  listTokens(owner: TokenOwner): Promise<ApiToken[]>;
  deleteToken(token: TokenOwner & { id: number }): Promise<boolean>;
  createUser(input: NewUser): Promise<User>;
  /** How many API tokens somebody has made, by kind. Throws `NOT_FOUND` when nobody has the address. */
  countTokens(email: string): Promise<Readonly<Record<Exclude<TokenKind, 'service'>, number>>>;
  /** Ends their own ones, and those that these made. */
  revokeTokens(email: string): Promise<void>;
  resetPassword(credentials: { email: string; password: string }): Promise<void>;
  /** Loads what the first sign-in needs, so that it need not wait. */
  warmUp(): Promise<void>;
}

/**
 * All that the console uses. better-auth answers far more (organisations, invitations, sessions with their tokens);
 * what no screen of ours needs is closed until one does.
 */
const signInPath = '/api/auth/sign-in/email';
const signingPaths: ReadonlySet<string> = new Set([signInPath, '/api/auth/sign-out']);

export async function createAccounts({
  state,
  getUrl,
  secret,
  warn = console.warn,
}: AccountsOptions): Promise<Accounts> {
  let isDone = false;
  const signingSecret = (): string => {
    if (secret === undefined) throw new Error('sessions are signed by the server alone');
    return secret;
  };

  let current: { readonly url: string; readonly auth: Promise<Auth> } | undefined;
  const auth = (): Promise<Auth> => {
    const url = getUrl() || 'http://localhost';
    if (current?.url !== url) {
      const options = { state, url, secret: signingSecret(), warn };
      current = { url, auth: import('./auth.ts').then(({ createAuth }) => createAuth(options)) };
    }
    return current.auth;
  };

  const limits = createSignInLimits({ passwordSetAt: (email) => passwordSetAt(state, email) });
  const limitSetUp = createAddressLimit();
  const devices = createDevices(signingSecret);
  const deviceCookie = (email: string): string => devices.cookie(email.toLowerCase(), getUrl().startsWith('https://'));

  const answerSignIn = async (request: Request, clientAddress: string | undefined): Promise<Response> => {
    const body = await readSignIn(request);
    const email = body.email.toLowerCase();
    const device = devices.read(email, request.headers.get('cookie'));
    const takeBack = await limits.begin({ email, address: clientAddress, device });
    let status = 0;
    try {
      const { url, method, headers } = request;
      const { handler } = await auth();
      const check = (): Promise<Response> => handler(new Request(url, { method, headers, body: JSON.stringify(body) }));
      const answer = await (device === undefined ? check() : hashFirst(check));
      status = answer.status;
      if (answer.ok && device === undefined) answer.headers.append('set-cookie', deviceCookie(email));
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
    return identityOf({ id, email, name }, await membershipsOf(state, id));
  };

  const isSetUp = async (): Promise<boolean> => (isDone ||= await hasUsers(state));

  return {
    async handler(request, clientAddress) {
      const { pathname } = new URL(request.url);
      if (!signingPaths.has(pathname)) return new Response(null, { status: 404 });
      const { clientAddressHeader } = await import('./auth.ts');
      const headers = new Headers(request.headers);
      if (clientAddress === undefined) headers.delete(clientAddressHeader);
      else headers.set(clientAddressHeader, clientAddress);
      const forwarded = new Request(request, { headers });
      if (pathname === signInPath && request.method === 'POST') return answerSignIn(forwarded, clientAddress);
      return (await auth()).handler(forwarded);
    },
    async identify(headers, { keepsSession } = { keepsSession: true }) {
      const bearer = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
      if (bearer === undefined) return identifySession(headers, keepsSession);
      const identity = await identifyToken(state, bearer);
      if (!identity) throw new CodedError('TOKEN_INVALID');
      return identity;
    },
    isSetUp,
    joinedAt: (userId) => joinedAt(state, userId),
    async setUpLink() {
      // In the fragment, which no proxy sees and none logs.
      return (await isSetUp()) ? undefined : `${getUrl()}/setup#${setUpSecret(signingSecret())}`;
    },
    checkSetUpSecret(secret, clientAddress) {
      if (secret !== undefined) {
        if (isSetUpSecret(signingSecret(), secret)) return;
        limitSetUp(clientAddress);
      }
      throw new CodedError('SETUP_SECRET');
    },
    async setUp(input) {
      const result = await setUp(state, input);
      isDone = true;
      return { ...result, dsn: dsn(getUrl() || 'http://localhost', result.key.publicKey, result.project.id) };
    },
    async signIn({ email, password }, headers) {
      try {
        const { api } = await auth();
        const answer = await api.signInEmail({
          body: { email, password },
          headers: headers ?? new Headers(),
          returnHeaders: true,
        });
        return [...answer.headers.getSetCookie(), deviceCookie(email)];
      } catch (error) {
        if (error instanceof Error && 'statusCode' in error && error.statusCode === 401) return undefined;
        throw error;
      }
    },
    createToken: (token) => createToken(state, token, getUrl() || 'http://localhost'),
    createServiceAccount: (account) => createServiceAccount(state, account),
    listTokens: (owner) => listTokens(state, owner),
    deleteToken: (token) => deleteToken(state, token),
    createUser: (user) => createUser(state, user),
    countTokens: async (email) => countTokensOf(state.db, await userIdOf(state.db, email)),
    revokeTokens: async (email) => revokeTokensOf(state.db, { userId: await userIdOf(state.db, email) }),
    resetPassword: (user) => resetPassword(state, user),
    async warmUp() {
      await auth();
    },
  };
}
