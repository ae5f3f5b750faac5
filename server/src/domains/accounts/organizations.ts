/** Organisations of the installation: made by its owners, who are those that set it up, and on the host. */
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { checked, firstFree, slugFrom } from '../projects/index.ts';
import { newOrganization } from './input.ts';
import type { MemberAccess } from './reach.ts';
import { insertMember, newId, userIdOf } from './users.ts';

export interface Organization {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
}

/** Under a slug of its own. */
export async function insertOrganization(trx: StateTransaction, name: string): Promise<Organization> {
  const others = await trx.selectFrom('organization').select('slug').execute();
  const slug = firstFree(slugFrom(name, 'organization'), new Set(others.map((one) => one.slug)));
  const organization = { id: newId(), slug, name };
  await trx
    .insertInto('organization')
    .values({ ...organization, logo: null, metadata: null, createdAt: new Date() })
    .execute();
  return organization;
}

/** With its first owner, who has an account. Throws `NOT_FOUND` when nobody has the address. */
export async function createOrganization(
  state: State,
  input: { readonly name: string; readonly owner: string },
): Promise<Organization> {
  const { name } = checked(newOrganization, { name: input.name });
  return state.transaction(async (trx) => {
    const userId = await userIdOf(trx, input.owner);
    const organization = await insertOrganization(trx, name);
    await insertMember(trx, { organizationId: organization.id, userId, role: 'owner' });
    return organization;
  });
}

/** Whether somebody may make organisations. */
export async function isInstallationOwner(state: State, userId: string): Promise<boolean> {
  const row = await state.db
    .selectFrom('installation_owner')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

export interface OrganizationChange {
  readonly name?: string | undefined;
  readonly memberAccess?: MemberAccess | undefined;
}

/** What is undefined stays. */
export async function changeOrganization(
  state: State,
  organizationId: string,
  { name, memberAccess }: OrganizationChange,
): Promise<void> {
  await state.transaction(async (trx) => {
    if (name !== undefined) {
      await trx.updateTable('organization').set({ name }).where('id', '=', organizationId).execute();
    }
    if (memberAccess === undefined) return;
    await trx
      .insertInto('organization_setting')
      .values({ organization_id: organizationId, member_access: memberAccess })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ member_access: memberAccess }))
      .execute();
  });
}
