/** What was used of quotas, as the nodes last told. */
import type { QuotaCategory, QuotaTerm } from '../../base/quotas.ts';
import { quotaTermAt } from '../../base/quotas.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { Quota } from './store.ts';

export interface QuotaUsed {
  readonly quota: Quota;
  readonly term: QuotaTerm;
  /** Items, or bytes of attachments. */
  readonly used: number;
}

type Db = State['db'] | StateTransaction;

/** Targets of one statement. */
const mostTargets = 500;

/** In the term that runs in the time zone. In the order of the quotas. */
export async function usedOf(
  { db }: { db: Db },
  quotas: readonly Quota[],
  { timeZone, nowMs }: { readonly timeZone: string; readonly nowMs: number },
): Promise<QuotaUsed[]> {
  const terms = {
    minute: quotaTermAt('minute', nowMs, timeZone),
    month: quotaTermAt('month', nowMs, timeZone),
  };
  const targets = [...new Set(quotas.map(({ target }) => target))];
  const used = new Map<string, number>();
  for (let at = 0; at < targets.length; at += mostTargets) {
    const rows = await db
      .selectFrom('quota_use')
      .selectAll()
      .where('target', 'in', targets.slice(at, at + mostTargets))
      .where(({ or, eb }) =>
        or([
          eb('period', '=', 'month').and('term', '=', terms.month.number),
          eb('period', '=', 'minute').and('term', '=', terms.minute.number),
        ]),
      )
      .execute();
    for (const row of rows) used.set(`${row.target} ${row.category} ${row.period}`, row.used);
  }
  return quotas.map((quota) => ({
    quota,
    term: terms[quota.period],
    used: Math.max(0, used.get(`${quota.target} ${quota.category} ${quota.period}`) ?? 0),
  }));
}

/** Of all the targets in the month that runs, by category. */
export async function usedInMonth(
  { db }: { db: Db },
  targets: readonly string[],
  month: QuotaTerm,
): Promise<Partial<Record<QuotaCategory, number>>> {
  const sums: Partial<Record<QuotaCategory, number>> = {};
  for (let at = 0; at < targets.length; at += mostTargets) {
    const rows = await db
      .selectFrom('quota_use')
      .select(['category', 'used'])
      .where('target', 'in', targets.slice(at, at + mostTargets))
      .where('period', '=', 'month')
      .where('term', '=', month.number)
      .execute();
    for (const { category, used } of rows) sums[category] = (sums[category] ?? 0) + Math.max(0, used);
  }
  return sums;
}
