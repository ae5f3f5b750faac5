/** How people call what a quota is of. */
import type { ToldQuota } from '../../base/texts/quotas.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { Quota } from './store.ts';

/** Undefined where it is gone by now. */
export async function nameOf(
  { db }: { readonly db: State['db'] | StateTransaction },
  quota: Quota,
): Promise<ToldQuota | undefined> {
  const { scope, category, period, amount, isHard } = quota;
  const row = await db
    .selectFrom('organization')
    .leftJoin('project', (join) => join.on('project.id', '=', quota.projectId))
    .leftJoin('project_key', (join) => join.on('project_key.id', '=', quota.keyId))
    .select(['organization.name as organization', 'project.slug as project', 'project_key.label as key'])
    .where('organization.id', '=', quota.organizationId)
    .executeTakeFirst();
  const name = row && { organization: row.organization, project: row.project, key: row.key }[scope];
  return name ? { scope, name, category, period, amount, isHard } : undefined;
}
