import type { State } from '../../ports/state/state.ts';
import { isNarrowed, type MemberAccess, type Reach, reachOf } from './reach.ts';
import { scopesOfRole } from './roles.ts';
import type { Shown, Unmet } from './own/demands.ts';
import { expandScopes } from './scopes.ts';
import type { Scope } from './scopes.ts';
import type { Expiry } from './token-expiry.ts';
import { scopesIn, switchColumns, type Switches, toSwitches } from './switches.ts';
import type { User } from './users.ts';

export interface Membership {
  readonly organizationId: string;
  readonly slug: string;
  readonly name: string;
  /** One of `roles`; '' for a token of the organisation. */
  readonly role: string;
  /** Of the organisation: which projects its members see. */
  readonly memberAccess: MemberAccess;
  /** The projects that the caller sees; undefined: all. */
  readonly within: Reach | undefined;
  /** Of the organisation. */
  readonly switches: Switches;
  /** What the caller may do in this organisation: the role's scopes, cut down to the token's where there is one. */
  readonly scopes: readonly Scope[];
  /** What the organisation demands and the session has not shown: as long as this is there, there are no scopes. */
  readonly unmet?: Unmet | undefined;
  /** Of the organisation. */
  readonly createdAt: Date;
}

/** Who sends a request. */
export interface Identity {
  readonly kind: 'session' | 'token';
  readonly userId: string;
  readonly user: User;
  /** Organisations that the caller may act in; for a token the one that it was made for. By slug. */
  readonly memberships: readonly Membership[];
  /** What the caller may do in at least one of them. */
  readonly scopes: readonly Scope[];
  /** Of a token, which one it is. */
  readonly token: { readonly id: number; readonly name: string; readonly expiresAt: Expiry } | undefined;
  /** Of a session, which one it is; no secret. */
  readonly sessionId?: string | undefined;
  /** Of a session, how it came in. */
  readonly shown?: Shown | undefined;
}

/** A token, with its scopes in its organisation. */
export interface Granted {
  readonly id: number;
  readonly name: string;
  readonly expiresAt: Expiry;
  readonly scopes: readonly string[];
}

const tokenOf = ({ id, name, expiresAt }: Granted): NonNullable<Identity['token']> => ({ id, name, expiresAt });

/** `granted` is the token that stands for the user, if one does. */
export function identityOf(
  user: User,
  memberships: readonly Omit<Membership, 'scopes'>[],
  granted?: Granted,
  session?: { readonly id: string; readonly shown: Shown },
): Identity {
  const allowed = granted && new Set(expandScopes(granted.scopes));
  const withScopes = memberships.map((membership) => ({
    ...membership,
    scopes: membership.unmet
      ? []
      : scopesIn(membership.role, membership.switches).filter((scope) => allowed?.has(scope) ?? true),
  }));
  return {
    kind: granted ? 'token' : 'session',
    userId: user.id,
    user,
    memberships: withScopes,
    scopes: expandScopes(withScopes.flatMap(({ scopes }) => scopes)),
    token: granted && tokenOf(granted),
    sessionId: session?.id,
    shown: session?.shown,
  };
}

/** Who a token of an organisation stands for: no member, so that its scopes are what was granted and no role's. */
export function buildIdentity(
  user: User,
  organizations: readonly Omit<Membership, 'scopes' | 'role' | 'within'>[],
  granted: Granted,
): Identity {
  const scopes = expandScopes(granted.scopes);
  const memberships = organizations.map((organization) => ({ ...organization, role: '', within: undefined, scopes }));
  return { kind: 'token', userId: user.id, user, memberships, scopes, token: tokenOf(granted) };
}

/** Who a service account stands for: itself, with all that its role may. */
export function serviceIdentity(
  user: User,
  organizations: readonly Omit<Membership, 'scopes' | 'role' | 'within'>[],
  granted: Granted,
  role: string,
): Identity {
  const scopes = scopesOfRole(role);
  const memberships = organizations.map((organization) => ({ ...organization, role, within: undefined, scopes }));
  return { kind: 'token', userId: user.id, user, memberships, scopes, token: tokenOf(granted) };
}

/** The organisation itself, as a list of one or none. */
export async function organizationOf(
  state: State,
  organizationId: string,
): Promise<Omit<Membership, 'scopes' | 'role' | 'within'>[]> {
  const rows = await state.db
    .selectFrom('organization')
    .leftJoin('organization_setting', 'organization_setting.organization_id', 'organization.id')
    .select(['id as organizationId', 'slug', 'name', 'createdAt', 'member_access', ...switchColumns])
    .where('id', '=', organizationId)
    .execute();
  return rows.map(({ organizationId: id, slug, name, createdAt, member_access, ...row }) => ({
    organizationId: id,
    slug,
    name,
    createdAt: new Date(createdAt),
    memberAccess: member_access ?? 'all',
    switches: toSwitches(row),
  }));
}

/** Organisations of a user, or the one given; by slug. One statement, with the projects that they see there. */
export async function membershipsOf(
  state: State,
  userId: string,
  organizationId?: string,
): Promise<Omit<Membership, 'scopes'>[]> {
  let query = state.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .leftJoin('organization_setting', 'organization_setting.organization_id', 'organization.id')
    .leftJoin(
      (eb) =>
        eb
          .selectFrom('team_member')
          .innerJoin('team', 'team.id', 'team_member.team_id')
          .leftJoin('team_project', 'team_project.team_id', 'team.id')
          .select(['team.organization_id', 'team.id as team_id', 'team_project.project_id'])
          .where('team_member.user_id', '=', userId)
          .as('own'),
      (join) => join.onRef('own.organization_id', '=', 'organization.id').on(isNarrowed()),
    )
    .select([
      'organization.id as organizationId',
      'organization.slug as slug',
      'organization.name as name',
      'organization.createdAt as createdAt',
      'member.role as role',
      'organization_setting.member_access as memberAccess',
      'own.team_id as teamId',
      'own.project_id as projectId',
      isNarrowed().as('narrowed'),
      ...switchColumns,
    ])
    .where('member.userId', '=', userId)
    .orderBy('organization.slug');
  if (organizationId !== undefined) query = query.where('organization.id', '=', organizationId);
  const rows = Map.groupBy(await query.execute(), (row) => row.organizationId);
  return [...rows.values()].flatMap((own) => {
    const [row] = own;
    if (!row) return [];
    const { slug, name, role, createdAt, memberAccess } = row;
    return [
      {
        organizationId: row.organizationId,
        slug,
        name,
        role,
        createdAt: new Date(createdAt),
        memberAccess: memberAccess ?? 'all',
        switches: toSwitches(row),
        within: reachOf(own),
      },
    ];
  });
}
