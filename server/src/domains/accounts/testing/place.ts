/** Accounts on a new database each test, and requests to them. */
import { beforeEach } from 'vitest';
import { testSecrets } from '../../../base/secrets/testing.ts';
import type { State } from '../../../ports/state/state.ts';
import type { TestDatabases } from '../../../ports/state/testing/databases.ts';
import { type Accounts, authSecret, createAccounts } from '../index.ts';
import { hashesCheaply } from '../passwords/testing.ts';

export const owner = {
  email: 'Ada@Example.com',
  password: 'correct horse',
  organization: 'Acme Ltd',
  project: 'Web Shop',
  platform: 'javascript-nextjs',
};

export interface Place {
  readonly state: State;
  readonly accounts: Accounts;
  /** Of the installation. */
  url: string;
  readonly warnings: string[];
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>, address?: string): Promise<Response>;
  signIn(password?: string): Promise<Response>;
  /** One that nobody has tried to sign in from: attempts are counted by address, in the memory of this process. */
  nextAddress(): string;
}

export const cookieOf = (setCookies: readonly string[]): string =>
  setCookies.map((cookie) => cookie.split(';')[0]).join('; ');

let places = 0;

/** Its parts are those of the test that runs. */
export function openPlace(databases: TestDatabases): Place {
  const network = ++places;
  let addresses = 0;
  let state: State;
  let accounts: Accounts;
  const place: Place = {
    get state() {
      return state;
    },
    get accounts() {
      return accounts;
    },
    url: '',
    warnings: [],
    post: (path, body, headers = {}, address = place.nextAddress()) =>
      accounts.handler(
        new Request(`${place.url}/api/auth${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: {
            'content-type': 'application/json',
            host: new URL(place.url).host,
            origin: place.url,
            ...headers,
          },
        }),
        address,
      ),
    signIn: (password = owner.password) => place.post('/sign-in/email', { email: owner.email, password }),
    nextAddress: () => `198.51.${network}.${++addresses}`,
  };
  hashesCheaply();
  beforeEach(async () => {
    place.url = 'http://localhost:7420';
    place.warnings.length = 0;
    state = await databases.migrated();
    accounts = await createAccounts({
      state,
      getUrl: () => place.url,
      secret: await authSecret(state, testSecrets),
      warn: (message) => place.warnings.push(message),
    });
  });
  return place;
}
