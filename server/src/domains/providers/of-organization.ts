/** What providers of an organisation say where no sign-in is under way: for its directory. */
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { Role } from '../accounts/index.ts';
import type { MappingRow } from './provider.ts';

type Db = State['db'] | StateTransaction;

/** Whether it is known that the organisation has the domain of an address. */
export async function ownsAddress(db: Db, organizationId: string, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_domain')
    .innerJoin('sign_in_provider', 'sign_in_provider.id', 'sign_in_domain.provider_id')
    .select('sign_in_domain.domain')
    .where('sign_in_provider.organization_id', '=', organizationId)
    .where('sign_in_domain.domain', '=', email.slice(email.lastIndexOf('@') + 1).toLowerCase())
    .where('sign_in_domain.verified_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

export interface OrganizationMapping {
  readonly mapping: readonly MappingRow[];
  readonly defaultRole: Role;
}

/** Of its providers that are enabled, together; who has none of their groups is what the first of them says. */
export async function mappingOf(db: Db, organizationId: string): Promise<OrganizationMapping> {
  const providers = await db
    .selectFrom('sign_in_provider')
    .select(['id', 'default_role'])
    .where('organization_id', '=', organizationId)
    .where('enabled', '=', 1)
    .orderBy('created_at')
    .execute();
  const [first] = providers;
  if (!first) return { mapping: [], defaultRole: 'member' };
  const rows = await db
    .selectFrom('sign_in_mapping')
    .select(['value', 'role', 'team_id'])
    .where(
      'provider_id',
      'in',
      providers.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  return {
    mapping: rows.map((row) => ({ value: row.value, role: row.role as Role | null, teamId: row.team_id })),
    defaultRole: first.default_role as Role,
  };
}
