/** Everybody who may call the API: sessions, tokens and service accounts of each role, and strangers. For tests. */
import type { InjectOptions } from 'fastify';
import { changeOrganization, type Role, roles, type Scope } from '../domains/accounts/index.ts';
import { createProject } from '../domains/projects/index.ts';
import { addToProject, addToTeams, createTeam } from '../domains/teams/index.ts';
import type { Endpoint } from './shared/endpoint.ts';
import { apiPrefix } from './shared/route-schema.ts';
import type { TestApi } from './testing.ts';

export const password = 'a password of theirs';

/** Headers by which somebody calls. */
export type Credentials = Readonly<Record<string, string>>;

export interface Person {
  readonly userId: string;
  readonly session: Credentials;
}

export async function addPerson(
  api: TestApi,
  name: string,
  role: Role,
  organizationId = api.organizationId,
): Promise<Person> {
  const email = `${name}@example.com`;
  const { id } = await api.accounts.createUser({ email, password, organizationId, role });
  return { userId: id, session: await signIn(api, email, password) };
}

export async function signIn(api: TestApi, email: string, secret: string): Promise<Credentials> {
  const cookies = await api.accounts.signIn({ email, password: secret });
  const cookie = cookies?.map((one) => one.split(';', 1)[0]).join('; ') ?? '';
  return { cookie, 'sec-fetch-site': 'same-origin' };
}

export const bearer = (token: string): Credentials => ({ authorization: `Bearer ${token}` });

/** With these scopes, of somebody. */
export async function tokenOf(api: TestApi, userId: string, scopes: readonly Scope[]): Promise<Credentials> {
  const { organizationId } = api;
  return bearer((await api.accounts.createToken({ organizationId, userId, name: 'test', scopes })).token);
}

export async function serviceAccounts(api: TestApi): Promise<Record<Role, Credentials>> {
  const { accounts, organizationId, userId: makerId } = api;
  const made = roles.map(async (role) => {
    const { token } = await accounts.createServiceAccount({ organizationId, name: `A ${role}`, role, makerId });
    return [role, bearer(token)] as const;
  });
  return Object.fromEntries(await Promise.all(made)) as Record<Role, Credentials>;
}

/** Another organisation, with a project and an owner. */
export async function addRival(api: TestApi): Promise<{ readonly projectId: number; readonly owner: Person }> {
  const id = 'other-org';
  await api.state.db
    .insertInto('organization')
    .values({ id, name: 'Rival', slug: 'rival', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const { project } = await createProject(api.state, { organizationId: id, name: 'Theirs' });
  return { projectId: project.id, owner: await addPerson(api, 'rival', 'owner', id) };
}

/** From here on members see the projects of their teams. Returns the id of a team that works on the project `web`. */
export async function narrow(api: TestApi): Promise<number> {
  await changeOrganization(api.state, api.organizationId, { memberAccess: 'teams' });
  return addTeam(api, 'Web team', api.projectId);
}

export async function addTeam(api: TestApi, name: string, projectId: number, ...userIds: string[]): Promise<number> {
  const id = await createTeam(api.state, api.organizationId, { name, projectIds: [], userIds }, Date.now());
  await addToProject(api.state, id, projectId, Date.now());
  return id;
}

export const join = (api: TestApi, teamId: number, { userId }: Person): Promise<void> =>
  addToTeams(api.state.db, userId, [teamId], Date.now());

/** As far as who may call it: what it would do is not done. */
export const gate = async (api: TestApi, endpoint: Endpoint, url: string, who: Credentials): Promise<number> => {
  const { method } = endpoint;
  const answer = await api.app.inject({ method, url: apiPrefix + url, headers: { ...who, 'x-only-who': '1' } });
  return answer.statusCode;
};

/** What `gate` answers for who may. */
export const allowed = 299;

export const callAs = (api: TestApi, who: Credentials, request: InjectOptions & { readonly url: string }) =>
  api.app.inject({ ...request, url: apiPrefix + request.url, headers: { ...who, ...request.headers } });
