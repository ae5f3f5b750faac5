/** Who may do what: sessions by better-auth, API tokens, and the set-up of a new installation. */
import { CodedError } from '../errors.ts';
import { dsn } from '../projects/index.ts';
import type { State } from '../state/state.ts';
import type { Auth } from './auth.ts';
import { identityOf, membershipsOf } from './identity.ts';
import type { Identity } from './identity.ts';
import { hasUsers, setUp } from './set-up.ts';
import type { SetUp, SetUpResult } from './set-up.ts';
import { countTokensOf, createToken, deleteToken, identifyToken, listTokens, revokeTokensOf } from './tokens.ts';
import type { ApiToken, NewToken, TokenKind, TokenOwner } from './tokens.ts';
import { createUser, resetPassword, userIdOf } from './users.ts';
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
  /** Answers `/api/auth/*`. `clientAddress` is what trusted proxies tell; attempts to sign in are counted by it. */
  handler(request: Request, clientAddress?: string): Promise<Response>;
  /**
   * Who sends a request with these headers; undefined for nobody. `Authorization: Bearer` wins over the session cookie,
   * and throws `CodedError('TOKEN_INVALID')` when there is no such token, `TOKEN_EXPIRED` when it has ended. Being used keeps a
   * session alive, unless nobody would get the cookie that goes with it.
   */
  identify(headers: Headers, options?: { readonly keepsSession: boolean }): Promise<Identity | undefined>;
  /** True once there is a user. */
  isSetUp(): Promise<boolean>;
  setUp(given: SetUp): Promise<SetUpResult & { readonly dsn: string }>;
  /** Signs in and returns the values of the `Set-Cookie` headers; undefined when address or password is wrong. */
  signIn(given: { email: string; password: string }, headers?: Headers): Promise<string[] | undefined>;
  createToken(given: NewToken): Promise<ApiToken & { readonly token: string }>;
  listTokens(owner: TokenOwner): Promise<ApiToken[]>;
  deleteToken(given: TokenOwner & { id: number }): Promise<boolean>;
  createUser(given: NewUser): Promise<User>;
  /** How many API tokens somebody has made, by kind. Throws `NOT_FOUND` when nobody has the address. */
  countTokens(email: string): Promise<Readonly<Record<TokenKind, number>>>;
  /** Ends their own ones, and those that these made. */
  revokeTokens(email: string): Promise<void>;
  resetPassword(given: { email: string; password: string }): Promise<void>;
  /** Loads what the first sign-in needs, so that it need not wait. */
  warmUp(): Promise<void>;
}

/**
 * All that the console uses. better-auth answers far more (organisations, invitations, sessions with their tokens);
 * what no screen of ours needs is closed until one does.
 */
const signingPaths: ReadonlySet<string> = new Set(['/api/auth/sign-in/email', '/api/auth/sign-out']);

export async function createAccounts({
  state,
  getUrl,
  secret,
  warn = console.warn,
}: AccountsOptions): Promise<Accounts> {
  let isDone = false;

  let current: { readonly url: string; readonly auth: Promise<Auth> } | undefined;
  const auth = (): Promise<Auth> => {
    if (secret === undefined) throw new Error('sessions are signed by the server alone');
    const url = getUrl() || 'http://localhost';
    if (current?.url !== url) {
      current = { url, auth: import('./auth.ts').then(({ createAuth }) => createAuth({ state, url, secret, warn })) };
    }
    return current.auth;
  };

  const identifySession = async (headers: Headers, keepsSession: boolean): Promise<Identity | undefined> => {
    // Most calls of API clients have no cookie, and need no better-auth.
    if (!headers.get('cookie')?.includes('session_token')) return undefined;
    const session = await (await auth()).api.getSession({ headers, query: { disableRefresh: !keepsSession } });
    if (!session) return undefined;
    const { id, email, name } = session.user;
    return identityOf({ id, email, name }, await membershipsOf(state, id));
  };

  return {
    async handler(request, clientAddress) {
      if (!signingPaths.has(new URL(request.url).pathname)) return new Response(null, { status: 404 });
      const { clientAddressHeader } = await import('./auth.ts');
      const headers = new Headers(request.headers);
      if (clientAddress === undefined) headers.delete(clientAddressHeader);
      else headers.set(clientAddressHeader, clientAddress);
      return (await auth()).handler(new Request(request, { headers }));
    },
    async identify(headers, { keepsSession } = { keepsSession: true }) {
      const bearer = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
      if (bearer === undefined) return identifySession(headers, keepsSession);
      const identity = await identifyToken(state, bearer);
      if (!identity) throw new CodedError('TOKEN_INVALID');
      return identity;
    },
    async isSetUp() {
      isDone ||= await hasUsers(state);
      return isDone;
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
        return answer.headers.getSetCookie();
      } catch (error) {
        if (error instanceof Error && 'statusCode' in error && error.statusCode === 401) return undefined;
        throw error;
      }
    },
    createToken: (token) => createToken(state, token, getUrl() || 'http://localhost'),
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
