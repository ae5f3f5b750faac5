/** Every call of the API as everybody: what is allowed is what the table says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { type Role, roles, scopes, scopesOfRole } from '../domains/accounts/index.ts';
import {
  addPerson,
  addRival,
  allowed,
  bearer,
  type Credentials,
  gate,
  join,
  narrow,
  serviceAccounts,
  signIn,
  tokenOf,
} from './access-testing.ts';
import { isAllowed, mayCall, scopesOf, sortedEndpoints, tokenScopesOf } from './access-table.ts';
import type { Endpoint } from './shared/endpoint.ts';
import { openTestApi, owner, type TestApi } from './testing.ts';

let api: TestApi;
const all = sortedEndpoints();
const guarded = all.filter(({ access }) => access !== 'public');
/** Of a project, by its path. */
const ofProject = guarded.filter(({ url }) => /:(project|issue)\b/.test(url));
const counts: Record<string, { allowed: number; refused: number }> = {};

beforeAll(async () => {
  api = await openTestApi();
  await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('ours'), event_id: hash('our event') })]);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  console.log('operation × actor:', all.length, 'operations\n', counts);
});

const pathOf = (url: string): string =>
  url.replace(':org', 'acme').replace(':project', 'web').replace(':issue', '1').replaceAll(/:\w+/g, '1');

/** Calls each as somebody and holds what comes against what should. */
async function compare(
  name: string,
  endpoints: readonly Endpoint[],
  who: Credentials | ((endpoint: Endpoint) => Promise<Credentials>),
  expected: (endpoint: Endpoint) => number,
): Promise<void> {
  const wrong: string[] = [];
  const count = (counts[name] ??= { allowed: 0, refused: 0 });
  for (const endpoint of endpoints) {
    const credentials = typeof who === 'function' ? await who(endpoint) : who;
    const status = await gate(api, endpoint, pathOf(endpoint.url), credentials);
    count[status === allowed ? 'allowed' : 'refused']++;
    if (status !== expected(endpoint)) {
      wrong.push(`${endpoint.method} ${endpoint.url}: ${status}, not ${expected(endpoint)}`);
    }
  }
  expect(wrong).toEqual([]);
}

const byRole =
  (role: Role) =>
  (endpoint: Endpoint): number =>
    mayCall(endpoint, role) ? allowed : 403;
/** Who is not of the organisation does not learn that it is there. */
const asStranger = (endpoint: Endpoint): number => (/:(org|issue)\b/.test(endpoint.url) ? 404 : allowed);

test('nobody in particular calls what is public', async () => {
  await compare('nobody', all, {}, ({ access }) => (access === 'public' ? allowed : 401));
});

test.each(roles)('a session of the role %s', async (role) => {
  const session = role === 'owner' ? await signIn(api, owner.email, owner.password) : undefined;
  const who = session ?? (await addPerson(api, role, role)).session;
  await compare(`session, ${role}`, all, who, byRole(role));
});

test('a service account does what its role may, but for what a token needs more for', async () => {
  const accounts = await serviceAccounts(api);
  for (const role of roles) {
    await compare(`service account, ${role}`, all, accounts[role], (endpoint) =>
      isAllowed(tokenScopesOf(endpoint), scopesOfRole(role)) ? allowed : 403,
    );
  }
});

test('a token with the very scope is enough, and with all others it is not', async () => {
  const scoped = guarded.filter((endpoint) => scopesOf(endpoint.access).length > 0);
  const made = new Map<string, Promise<Credentials>>();
  const token = (names: readonly (typeof scopes)[number][]): Promise<Credentials> => {
    const key = names.join();
    const known = made.get(key) ?? (names.length ? tokenOf(api, api.userId, names) : Promise.resolve(bearer('')));
    made.set(key, known);
    return known;
  };
  await compare(
    'token with the scope',
    scoped,
    (one) => token(tokenScopesOf(one).slice(0, 1)),
    () => allowed,
  );
  // Those that include what is wanted are left out with it.
  const without = (one: Endpoint) => {
    const wanted = tokenScopesOf(one);
    return scopes.filter((name) => !isAllowed(wanted, expand(name)));
  };
  await compare(
    'token without it',
    scoped,
    (one) => token(without(one)),
    () => 403,
  );
});

const expand = (name: (typeof scopes)[number]) => {
  const [area = '', level] = name.split(':');
  const levels = ['read', 'write', 'admin'].slice(0, level === 'admin' ? 3 : level === 'write' ? 2 : 1);
  if (name === 'org:ci') return ['org:ci', 'org:read', 'project:read', 'project:releases'] as const;
  if (name === 'org:audit') return [name, 'org:read'] as const;
  if (name === 'project:releases') return [name] as const;
  const inviting = area === 'member' && level !== 'read' ? ['member:invite'] : [];
  return [...levels.map((each) => `${area}:${each}`), ...inviting] as (typeof scopes)[number][];
};

test('an owner of another organisation, by session', async () => {
  const { owner: rival } = await addRival(api);
  await compare("another organisation's owner", guarded, rival.session, asStranger);
});

test('with access by team, who is in no team of a project finds nothing of it, whatever their role', async () => {
  const team = await narrow(api);
  for (const role of ['manager', 'member', 'viewer'] as const) {
    const outside = await addPerson(api, `outside-${role}`, role);
    await compare(`outside the team, ${role}`, ofProject, outside.session, () => 404);
    const asToken = await tokenOf(api, outside.userId, scopesOfRole(role));
    await compare(`outside the team, token of a ${role}`, ofProject, asToken, () => 404);
    const inside = await addPerson(api, `inside-${role}`, role);
    await join(api, team, inside);
    await compare(`in the team, ${role}`, all, inside.session, byRole(role));
  }
  for (const role of ['owner', 'admin'] as const) {
    const who =
      role === 'owner'
        ? await signIn(api, owner.email, owner.password)
        : (await addPerson(api, 'second', role)).session;
    await compare(`in no team, ${role}`, all, who, byRole(role));
  }
});
