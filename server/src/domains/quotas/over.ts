/** Pagers that were told of a quota hear when it has room again: in the next month or minute, or when it was changed. */
import { quotaNotice } from '../../base/texts/quotas.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { endIncidents, type Notification, pagerTypes } from '../notify/index.ts';
import { nameOf } from './name.ts';
import { type Quota, toQuota } from './store.ts';

export const quotaGroupKey = ({ id }: Pick<Quota, 'id'>): string => `quota:${id}`;

/** Returns how many pagers are told. In the transaction of what ended it. */
export async function endQuotaIncident(
  trx: StateTransaction | State['db'],
  quota: Quota,
  consoleUrl: string,
): Promise<number> {
  const named = await nameOf({ db: trx }, quota);
  if (!named) return 0;
  const notification: Notification = {
    kind: 'quota',
    severity: 'resolved',
    title: quotaNotice.over(named),
    text: '',
    url: `${consoleUrl}/settings/quotas`,
    fields: [],
    groupKey: quotaGroupKey(quota),
  };
  return endIncidents(trx, { organizationId: quota.organizationId, notification });
}

/** What was found to be over, so that it is asked about once. */
export type OverMemory = Set<string>;

const mostRemembered = 10_000;

/** `full`: ids of those that are at 80 % or more in a term that runs or ended just now. */
export async function endOverQuotas(
  state: State,
  { full, memory, consoleUrl }: { full: ReadonlySet<number>; memory: OverMemory; consoleUrl: string },
): Promise<number> {
  const rows = await state.db
    .selectFrom('quota')
    .selectAll()
    .where('organization_id', 'in', (query) =>
      query.selectFrom('channel').select('organization_id').where('type', 'in', pagerTypes),
    )
    .execute();
  if (memory.size > mostRemembered) memory.clear();
  let told = 0;
  for (const row of rows) {
    const key = `${row.id} ${row.told_term} ${row.told_percent} ${row.amount}`;
    if (full.has(row.id)) memory.delete(key);
    if (full.has(row.id) || memory.has(key)) continue;
    told += await state.transaction((trx) => endQuotaIncident(trx, toQuota(row), consoleUrl));
    memory.add(key);
  }
  return told;
}
