import type { State } from '../../ports/state/state.ts';
import { scopesOfRole } from './roles.ts';
import { expandScopes } from './scopes.ts';
import type { Scope } from './scopes.ts';
import type { Expiry } from './token-expiry.ts';
import type { User } from './users.ts';

export interface Membership {
  readonly organizationId: string;
  readonly slug: string;
  readonly name: string;
  /** One of `roles`; '' for a token of the organisation. */
  readonly role: string;
  /** What the caller may do in this organisation: the role's scopes, cut down to the token's where there is one. */
  readonly scopes: readonly Scope[];
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
  readonly token: { readonly id: number; readonly expiresAt: Expiry } | undefined;
}

/** A token, with its scopes in its organisation. */
export interface Granted {
  readonly id: number;
  readonly expiresAt: Expiry;
  readonly scopes: readonly string[];
}

const tokenOf = ({ id, expiresAt }: Granted): NonNullable<Identity['token']> => ({ id, expiresAt });

/** `granted` is the token that stands for the user, if one does. */
export function identityOf(
  user: User,
  memberships: readonly Omit<Membership, 'scopes'>[],
  granted?: Granted,
): Identity {
  const allowed = granted && new Set(expandScopes(granted.scopes));
  const withScopes = memberships.map((membership) => ({
    ...membership,
    scopes: scopesOfRole(membership.role).filter((scope) => allowed?.has(scope) ?? true),
  }));
  return {
    kind: granted ? 'token' : 'session',
    userId: user.id,
    user,
    memberships: withScopes,
    scopes: expandScopes(withScopes.flatMap(({ scopes }) => scopes)),
    token: granted && tokenOf(granted),
  };
}

/** Who a token of an organisation stands for: no member, so that its scopes are what was granted and no role's. */
export function buildIdentity(
  user: User,
  organizations: readonly Omit<Membership, 'scopes' | 'role'>[],
  granted: Granted,
): Identity {
  const scopes = expandScopes(granted.scopes);
  const memberships = organizations.map((organization) => ({ ...organization, role: '', scopes }));
  return { kind: 'token', userId: user.id, user, memberships, scopes, token: tokenOf(granted) };
}

/** The organisation itself, as a list of one or none. */
export async function organizationOf(
  state: State,
  organizationId: string,
): Promise<Omit<Membership, 'scopes' | 'role'>[]> {
  const rows = await state.db
    .selectFrom('organization')
    .select(['id as organizationId', 'slug', 'name', 'createdAt'])
    .where('id', '=', organizationId)
    .execute();
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}

/** Organisations of a user, or the one given; by slug. */
export async function membershipsOf(
  state: State,
  userId: string,
  organizationId?: string,
): Promise<Omit<Membership, 'scopes'>[]> {
  let query = state.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .select([
      'organization.id as organizationId',
      'organization.slug as slug',
      'organization.name as name',
      'organization.createdAt as createdAt',
      'member.role as role',
    ])
    .where('member.userId', '=', userId)
    .orderBy('organization.slug');
  if (organizationId !== undefined) query = query.where('organization.id', '=', organizationId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }));
}
