/** Quotas as ingestion asks for them. They are settled by the domain of quotas. */
import { quotaTarget } from '../../base/quotas.ts';
import type { KeyQuota } from '../../ingest/index.ts';
import type { State } from '../../ports/state/state.ts';

export async function quotasOfKey(
  { db }: Pick<State, 'db'>,
  { keyId, projectId, organizationId }: { keyId: number; projectId: number; organizationId: string },
): Promise<KeyQuota[]> {
  const scopes = new Map([
    [quotaTarget('organization', organizationId), 'organization'],
    [quotaTarget('project', projectId), 'project'],
    [quotaTarget('key', keyId), 'key'],
  ] as const);
  const rows = await db
    .selectFrom('quota')
    .select(['target', 'category', 'period', 'amount', 'is_hard as isHard'])
    .where('target', 'in', [...scopes.keys()])
    .execute();
  return rows.flatMap(({ target, isHard, ...quota }) => {
    const scope = scopes.get(target);
    return scope ? [{ ...quota, scope, isHard: isHard === 1 }] : [];
  });
}
