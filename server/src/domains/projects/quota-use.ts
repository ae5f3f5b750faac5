/** What was used of quotas, as all nodes count it together. */
import { sql } from 'kysely';
import type { AddQuotaUse } from '../../ingest/index.ts';
import { quotaTermAt } from '../../base/quotas.ts';
import type { State } from '../../ports/state/state.ts';

/** Of one statement. */
const mostRows = 500;
const minuteMs = 60_000;
/** Of months, the one that runs and the two before; in which time zone it runs makes a difference of one. */
const keptMonths = 3;
const keptMinutes = 15;

type Use = Parameters<AddQuotaUse>[0][number];
const nameOf = ({ target, category, period, term }: Omit<Use, 'added'>): string =>
  `${target} ${category} ${period} ${term}`;

/**
 * Adds all of them. Resolves to what was used in all, in the order of `uses`. Where the answer gets lost, what was
 * added is added again: then a quota ends a moment early.
 */
export async function addQuotaUse({ db }: Pick<State, 'db'>, uses: readonly Use[]): Promise<number[]> {
  const added = new Map<string, Use>();
  for (const use of uses) {
    const known = added.get(nameOf(use));
    added.set(nameOf(use), known ? { ...use, added: known.added + use.added } : use);
  }
  // Always in the same order, so that no two nodes wait for each other.
  const sorted = [...added].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use);
  const used = new Map<string, number>();
  for (let at = 0; at < sorted.length; at += mostRows) {
    const rows = await db
      .insertInto('quota_use')
      .values(sorted.slice(at, at + mostRows).map(({ added: quantity, ...use }) => ({ ...use, used: quantity })))
      .onConflict((conflict) =>
        conflict
          .columns(['target', 'category', 'period', 'term'])
          .doUpdateSet({ used: sql<number>`quota_use.used + excluded.used` }),
      )
      .returningAll()
      .execute();
    for (const row of rows) used.set(nameOf(row), row.used);
  }
  return uses.map((use) => used.get(nameOf(use)) ?? use.added);
}

/** Terms that nobody asks about any more. */
export async function deleteOldUse({ db }: Pick<State, 'db'>, nowMs: number): Promise<void> {
  const month = quotaTermAt('month', nowMs, 'UTC').number;
  const minute = Math.floor(nowMs / minuteMs);
  await db
    .deleteFrom('quota_use')
    .where('period', '=', 'month')
    .where('term', '<', month - keptMonths)
    .execute();
  await db
    .deleteFrom('quota_use')
    .where('period', '=', 'minute')
    .where('term', '<', minute - keptMinutes)
    .execute();
}
