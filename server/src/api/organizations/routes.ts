/** Organisations, their environments, the caller's API tokens. */
import type { Identity, Membership, Scope } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { listEnvironments } from '../../domains/issues/index.ts';
import { listProjects, ofPeople } from '../../domains/projects/index.ts';
import { deployedEnvironments } from '../../domains/releases/index.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { toOrganization } from './shapes.ts';
import { iso, isoOrNull } from '../shared/read.ts';

export function organizationRoutes(api: Api): void {
  const { accounts, state, events, live, getUrl } = api.deps;

  implement(api, contract.listOrganizations, async ({ caller, query, request, reply }) => {
    const cursor = parseCursor(query.cursor);
    const page = pageOf(caller.identity.memberships.slice(cursor?.offset ?? 0), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map((one) => toOrganization(one, getUrl()));
  });

  implement(api, contract.getOrganization, async ({ caller }) => toOrganization(caller.membership, getUrl()));

  implement(api, contract.listEnvironments, async ({ caller }) => {
    const projects = ofPeople(await listProjects(state, caller.membership.organizationId));
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
