/** Switches of an organisation. They are read with the membership, anew with each request, on every node. */
import type { State } from '../../ports/state/state.ts';
import { expandScopes, type Scope } from './scopes.ts';
import { scopesOfRole } from './roles.ts';

export interface Switches {
  /** Whether issues can be shared by links, and links that are there open. */
  readonly shareLinks: boolean;
  /** Whether members may invite others, as members or viewers. */
  readonly memberInvitations: boolean;
  /** Addresses and networks from which the organisation may be used; empty: from everywhere. */
  readonly allowedAddresses: readonly string[];
}

export const usualSwitches: Switches = { shareLinks: true, memberInvitations: false, allowedAddresses: [] };

export const switchColumns = [
  'organization_setting.share_links as shareLinks',
  'organization_setting.member_invitations as memberInvitations',
  'organization_setting.allowed_addresses as allowedAddresses',
] as const;

interface SwitchRow {
  readonly shareLinks: number | null;
  readonly memberInvitations: number | null;
  readonly allowedAddresses: string | null;
}

/** Of a row without settings, as usual. */
export const toSwitches = ({ shareLinks, memberInvitations, allowedAddresses }: SwitchRow): Switches => ({
  shareLinks: shareLinks !== 0,
  memberInvitations: memberInvitations === 1,
  allowedAddresses:
    allowedAddresses === null || allowedAddresses === '[]' ? [] : (JSON.parse(allowedAddresses) as string[]),
});

/** What a role may do in an organisation with these switches. */
export function scopesIn(role: string, { memberInvitations }: Switches): Scope[] {
  const usual = scopesOfRole(role);
  return role === 'member' && memberInvitations ? expandScopes([...usual, 'member:invite']) : usual;
}

/** What is undefined stays. */
export async function changeSwitches(
  state: State,
  organizationId: string,
  { shareLinks, memberInvitations, allowedAddresses }: { readonly [K in keyof Switches]?: Switches[K] | undefined },
): Promise<void> {
  const row = {
    ...(shareLinks !== undefined && { share_links: Number(shareLinks) }),
    ...(memberInvitations !== undefined && { member_invitations: Number(memberInvitations) }),
    ...(allowedAddresses && { allowed_addresses: JSON.stringify(allowedAddresses) }),
  };
  if (Object.keys(row).length === 0) return;
  await state.db
    .insertInto('organization_setting')
    .values({ organization_id: organizationId, ...row })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
    .execute();
}

export async function switchesOf(state: State, organizationId: string): Promise<Switches> {
  const row = await state.db
    .selectFrom('organization_setting')
    .select(switchColumns)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return row ? toSwitches(row) : usualSwitches;
}
