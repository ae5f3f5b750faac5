/** Organisations, their environments, the caller's API tokens. */
import type { Identity, Membership, Scope } from '../../accounts/index.ts';
import { CodedError } from '../../errors.ts';
import { listEnvironments } from '../../issues/index.ts';
import { listProjects } from '../../projects/index.ts';
import { deployedEnvironments } from '../../releases/index.ts';
import type { z } from 'zod';
import * as contract from '../contract/organizations.ts';
import { type Api, implement } from '../implement.ts';
import { linkPages, pageOf, parseCursor } from '../pagination.ts';
import { iso, isoOrNull } from '../shapes/read.ts';

export function organizationRoutes(api: Api): void {
  const { accounts, state, events, live, getUrl } = api.deps;

  const toOrganization = (one: Membership): z.output<typeof contract.Organization> => ({
    id: one.organizationId,
    slug: one.slug,
    name: one.name,
    dateCreated: iso(one.createdAt.getTime()),
    status: { id: 'active', name: 'active' },
    isEarlyAdopter: false,
    require2FA: false,
    requireEmailVerification: false,
    features: [],
    links: { organizationUrl: getUrl(), regionUrl: getUrl() },
    role: one.role || null,
    access: [...one.scopes],
  });

  implement(api, contract.listOrganizations, async ({ caller, query, request, reply }) => {
    const cursor = parseCursor(query.cursor);
    const page = pageOf(caller.identity.memberships.slice(cursor?.offset ?? 0), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map(toOrganization);
  });

  implement(api, contract.getOrganization, async ({ caller }) => toOrganization(caller.membership));

  implement(api, contract.listEnvironments, async ({ caller }) => {
    const projects = await listProjects(state, caller.membership.organizationId);
    const projectIds = projects.map((project) => project.id);
    const deployed = await deployedEnvironments(state, caller.membership.organizationId);
    const found = await listEnvironments({ events }, { projectIds, deployed });
    return found.map(({ name, lastSeen }) => ({ id: name, name, isHidden: false, lastSeen: iso(lastSeen) }));
  });

  const toToken = (token: Awaited<ReturnType<typeof accounts.listTokens>>[number]) => ({
    id: String(token.id),
    name: token.name,
    kind: token.kind,
    scopes: [...token.scopes],
    tokenLastCharacters: token.hint,
    dateCreated: iso(token.createdAt),
    dateLastUsed: isoOrNull(token.lastUsedAt),
    expiresAt: isoOrNull(token.expiresAt),
    createdBy: token.maker,
  });

  /** Whoever may make tokens of the organisation sees and deletes them, whoever made them. */
  const ownerOf = ({ identity, membership }: { identity: Identity; membership: Membership }) => ({
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

  implement(api, contract.createToken, async ({ caller: { identity, membership }, body }) => {
    const asked: readonly Scope[] = body.kind === 'organization' ? ['org:ci'] : (body.scopes ?? []);
    const beyond = asked.find((scope) => !membership.scopes.includes(scope));
    if (beyond) {
      throw identity.token ? new CodedError('SCOPE_MISSING', [beyond]) : new CodedError('PERMISSION_DENIED');
    }
    const { organizationId } = membership;
    const token = await accounts.createToken({
      ...body,
      organizationId,
      userId: identity.userId,
      expiresAt: typeof body.expiresAt === 'string' ? Date.parse(body.expiresAt) : body.expiresAt,
      parent: identity.token,
    });
    return { ...toToken(token), token: token.token };
  });

  implement(api, contract.deleteToken, async ({ caller, params }) => {
    const deleted =
      /^\d{1,9}$/.test(params.id) && (await accounts.deleteToken({ ...ownerOf(caller), id: Number(params.id) }));
    if (!deleted) throw new CodedError('NOT_FOUND', [`token ${params.id}`]);
    live.publish({ type: 'access', userId: caller.identity.userId });
  });
}
