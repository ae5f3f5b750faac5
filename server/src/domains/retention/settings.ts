/** What somebody chose: how long each class of data is kept, and up to which size. */
import { eachClass, type KeptDays, type RetentionClass, retentionClasses } from '../../base/retention.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';

export interface Rule {
  /** Null: as `CULPRIT_RETENTION_DAYS` says. */
  readonly days: number | null;
  /** Of the whole installation; null: without a limit. */
  readonly limitBytes: number | null;
}

export type Rules = Readonly<Record<RetentionClass, Rule>>;

interface Within {
  readonly db: State['db'] | StateTransaction;
}

export async function readRules({ db }: Within): Promise<Rules> {
  const rows = await db.selectFrom('retention_class').selectAll().execute();
  const byName = new Map(rows.map((row) => [row.class, row]));
  return eachClass((name) => {
    const { days = null, limit_bytes: limit = null } = byName.get(name) ?? {};
    return { days: days === null ? null : Number(days), limitBytes: limit === null ? null : Number(limit) };
  });
}

export async function saveRules({ db }: Within, rules: Rules): Promise<void> {
  for (const name of retentionClasses) {
    const row = { days: rules[name].days, limit_bytes: rules[name].limitBytes };
    await db
      .insertInto('retention_class')
      .values({ class: name, ...row })
      .onConflict((conflict) => conflict.column('class').doUpdateSet(row))
      .execute();
  }
}

/** `retentionDays`: the configuration's, for classes of which nothing was chosen. */
export const daysBy = (rules: Rules, retentionDays: number): KeptDays =>
  eachClass((name) => rules[name].days ?? retentionDays);
