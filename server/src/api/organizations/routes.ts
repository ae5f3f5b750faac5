/** Organisations, their environments, the caller's API tokens. */
import {
  type ApiToken,
  changeOrganization,
  createOrganization,
  type Identity,
  isInstallationOwner,
  type Membership,
  type Role,
  type Scope,
  scopesOfRole,
  usualSwitches,
} from '../../domains/accounts/index.ts';
import type { Note } from '../../domains/audit/index.ts';
import { CodedError } from '../../base/errors.ts';
import { listEnvironments } from '../../domains/issues/index.ts';
import { seenProjects, ofPeople } from '../../domains/projects/index.ts';
import { checkGiving, peopleOf } from '../../domains/teams/index.ts';
import { deployedEnvironments } from '../../domains/releases/index.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { type Api, implement, type Recorded } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { toOrganization } from './shapes.ts';
import { iso, isoOrNull } from '../shared/read.ts';

interface TokenCaller {
  readonly identity: Identity;
  readonly membership: Membership;
}

export function organizationRoutes(api: Api): void {
  const { accounts, state, live, getUrl } = api.deps;

  implement(api, contract.listOrganizations, async ({ caller, query, request, reply }) => {
    const cursor = parseCursor(query.cursor);
    const open = caller.identity.memberships.filter(({ unmet }) => !unmet);
    const page = pageOf(open.slice(cursor?.offset ?? 0), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map((one) => toOrganization(one, getUrl()));
  });

  implement(api, contract.listRegions, async () => ({ regions: [{ name: 'default', url: getUrl() }] }));

  implement(api, contract.createOrganization, async ({ caller: { identity }, body, recorded }) => {
    if (!(await isInstallationOwner(state, identity.userId))) throw new CodedError('PERMISSION_DENIED');
    const { id: organizationId, ...made } = await recorded(async (inside, note) => {
      const created = await createOrganization(inside, { name: body.name, owner: identity.user.email });
      const { id, slug } = created;
      note({ id, name: slug }, { organizationId: id, details: { owner: identity.user.email } });
      return created;
    });
    const scopes = scopesOfRole('owner');
    const place = { organizationId, ...made, role: 'owner', scopes, createdAt: new Date() };
    return toOrganization({ ...place, memberAccess: 'all', switches: usualSwitches, within: undefined }, getUrl());
  });

  implement(api, contract.getOrganization, async ({ caller }) => toOrganization(caller.membership, getUrl()));

  implement(api, contract.updateOrganization, async ({ caller: { membership }, body, recorded }) => {
    await recorded(async (inside, note) => {
      const { organizationId: id, slug, name: before, memberAccess: access } = membership;
      await changeOrganization(inside, id, body);
      const after = { name: body.name ?? before, memberAccess: body.memberAccess ?? access };
      note({ id, name: slug }, { before: { name: before, memberAccess: access }, after });
    });
    if (body.memberAccess && body.memberAccess !== membership.memberAccess) live.publish({ type: 'access' });
    const { name = membership.name, memberAccess = membership.memberAccess } = body;
    return toOrganization({ ...membership, name, memberAccess }, getUrl());
  });

  const environmentsOf = async (organizationId: string, projectIds: readonly number[]) => {
    const deployed = await deployedEnvironments(state, organizationId);
    const found = await listEnvironments(api.deps, { projectIds, deployed });
    return found.map(({ name, lastSeen }) => ({ id: name, name, isHidden: false, lastSeen: iso(lastSeen) }));
  };

  implement(api, contract.listEnvironments, async ({ caller: { membership } }) => {
    const projects = ofPeople(await seenProjects(state, membership));
    return environmentsOf(
      membership.organizationId,
      projects.map(({ id }) => id),
    );
  });

  implement(api, contract.listProjectEnvironments, async ({ caller: { membership, project }, query }) =>
    query.visibility === 'hidden' ? [] : environmentsOf(membership.organizationId, [project.id]),
  );

  implement(api, contract.getProjectEnvironment, async ({ caller: { membership, project }, params }) => {
    const all = await environmentsOf(membership.organizationId, [project.id]);
    const found = all.find(({ name }) => name === params.environment);
    if (!found) throw new CodedError('NOT_FOUND', [things.environment(params.environment)]);
    return found;
  });

  const toToken = (token: Awaited<ReturnType<typeof accounts.listTokens>>[number]) => ({
    id: String(token.id),
    name: token.name,
    kind: token.kind,
    role: token.role ?? null,
    scopes: [...token.scopes],
    tokenLastCharacters: token.hint,
    dateCreated: iso(token.createdAt),
    dateLastUsed: isoOrNull(token.lastUsedAt),
    expiresAt: isoOrNull(token.expiresAt),
    isGranted: token.isGranted,
    createdBy: token.maker,
  });

  /** Whoever may make tokens of the organisation sees and deletes them, whoever made them. */
  const ownerOf = ({ identity, membership }: TokenCaller) => ({
    organizationId: membership.organizationId,
    userId: identity.userId,
    shared: membership.role !== '' && membership.scopes.includes('org:ci'),
  });

  implement(api, contract.listTokens, async ({ caller }) => {
    const { identity, membership } = caller;
    const seen =
      identity.token && !membership.scopes.includes('org:admin')
        ? { organizationId: membership.organizationId, id: identity.token.id }
        : ownerOf(caller);
    return (await accounts.listTokens(seen)).map(toToken);
  });

  const refused = ({ identity }: { identity: Identity }, scope: Scope): CodedError =>
    identity.token ? new CodedError('SCOPE_MISSING', [scope]) : new CodedError('PERMISSION_DENIED');

  const checkServiceAccount = async (caller: TokenCaller, role: Role): Promise<void> => {
    const { identity, membership } = caller;
    const { organizationId, scopes } = membership;
    if (!scopes.includes('org:write')) throw refused(caller, 'org:write');
    const { members } = await peopleOf(state, organizationId);
    checkGiving({ kind: identity.kind, role: membership.role, scopes }, role, members);
  };

  const tellToken = (note: Note, { id, name, kind, scopes, expiresAt }: ApiToken, role?: Role): void =>
    note({ id, name }, { details: { kind, role, scopes, expires: isoOrNull(expiresAt) ?? 'never' } });

  const createFor = async (
    caller: TokenCaller,
    wanted: {
      readonly name: string;
      readonly kind?: 'user' | 'organization' | undefined;
      readonly scopes?: readonly Scope[] | undefined;
      readonly expiresAt?: number | null | undefined;
    },
    recorded: Recorded,
  ) => {
    const { identity, membership } = caller;
    const { name, kind, expiresAt } = wanted;
    const { organizationId } = membership;
    const { token: parent, userId } = identity;
    const scopes: readonly Scope[] = kind === 'organization' ? ['org:ci'] : (wanted.scopes ?? []);
    const beyond = scopes.find((scope) => !membership.scopes.includes(scope));
    if (beyond) throw refused(caller, beyond);
    const token = await recorded(async (inside, note) => {
      const input = { name, kind, scopes, organizationId, userId, expiresAt, parent };
      const made = await accounts.createToken(input, inside);
      tellToken(note, made);
      return made;
    });
    return { ...toToken(token), token: token.token };
  };

  implement(api, contract.createToken, async ({ caller, body, recorded }) => {
    const { identity, membership } = caller;
    const { organizationId } = membership;
    const { name, kind, role = 'viewer' } = body;
    const expiresAt = typeof body.expiresAt === 'string' ? Date.parse(body.expiresAt) : body.expiresAt;
    const { token: parent, userId } = identity;
    if (kind === 'service') {
      await checkServiceAccount(caller, role);
      const made = await recorded(async (inside, note) => {
        const account = { name, organizationId, role, makerId: userId, expiresAt, parent };
        const created = await accounts.createServiceAccount(account, inside);
        tellToken(note, created, role);
        return created;
      });
      return { ...toToken(made), token: made.token };
    }
    return createFor(caller, { name, kind, scopes: body.scopes, expiresAt }, recorded);
  });

  type ShownToken = ReturnType<typeof toToken>;
  const toBuildToken = ({ id, name, scopes, tokenLastCharacters, dateCreated, dateLastUsed }: ShownToken) => ({
    id,
    name,
    scopes,
    tokenLastCharacters,
    dateCreated,
    dateLastUsed,
  });

  implement(api, contract.listOrganizationTokens, async ({ caller }) =>
    (await accounts.listTokens(ownerOf(caller)))
      .filter(({ kind }) => kind === 'organization')
      .map((one) => toBuildToken(toToken(one))),
  );

  implement(api, contract.createOrganizationToken, async ({ caller, body: { name }, recorded }) => {
    const made = await createFor(caller, { name, kind: 'organization' }, recorded);
    return { ...toBuildToken(made), token: made.token };
  });

  const remove = async (
    caller: TokenCaller,
    named: string,
    recorded: Recorded,
    kind?: ApiToken['kind'],
  ): Promise<void> => {
    const id = /^\d{1,9}$/.test(named) ? Number(named) : -1;
    // One of another kind is not there.
    const all = kind === undefined ? [] : await accounts.listTokens(ownerOf(caller));
    const seen = kind === undefined || all.some((one) => one.id === id && one.kind === kind);
    await recorded(async (inside, note) => {
      const deleted = seen && (await accounts.deleteToken({ ...ownerOf(caller), id }, inside));
      if (!deleted) throw new CodedError('NOT_FOUND', [things.token(named)]);
      note(deleted, { details: { kind: deleted.kind, owner: deleted.userId } });
    });
    // Streams of a service account are its own, not those of who ends it.
    live.publish({ type: 'access' });
  };
  implement(api, contract.deleteToken, async ({ caller, params, recorded }) => remove(caller, params.id, recorded));
  implement(api, contract.deleteOrganizationToken, async ({ caller, params, recorded }) =>
    remove(caller, params.id, recorded, 'organization'),
  );
}
