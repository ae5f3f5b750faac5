/** Quotas as people settle them. */
import type { Insertable, Selectable } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import { type QuotaCategory, type QuotaPeriod, type QuotaScope, quotaTarget } from '../../base/quotas.ts';
import { quotaTexts } from '../../base/texts/quotas.ts';
import type { QuotaTable } from '../../ports/state/quota-tables.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';

export interface Quota {
  readonly id: number;
  readonly organizationId: string;
  readonly scope: QuotaScope;
  /** Null where it is of the whole organisation. */
  readonly projectId: number | null;
  /** Null where it is not of a key. */
  readonly keyId: number | null;
  /** Who is counted together, as in the counts. */
  readonly target: string;
  readonly category: QuotaCategory;
  readonly period: QuotaPeriod;
  /** Items, or bytes of attachments. */
  readonly amount: number;
  readonly isHard: boolean;
  readonly createdAt: number;
}

export type NewQuota = Pick<Quota, 'projectId' | 'keyId' | 'category' | 'period' | 'amount' | 'isHard'>;

type Db = State['db'] | StateTransaction;

/** Of one organisation: what a page can show, and a person keep in mind. */
const mostQuotas = 1_000;

/** Those of the organisation first, then by project and key. */
export async function listQuotas({ db }: { db: Db }, organizationId: string): Promise<Quota[]> {
  const rows = await db.selectFrom('quota').selectAll().where('organization_id', '=', organizationId).execute();
  const place = ({ projectId, keyId }: Quota): number => (projectId ?? 0) * 2 ** 31 + (keyId ?? 0);
  return rows.map(toQuota).toSorted((a, b) => place(a) - place(b) || a.id - b.id);
}

export async function findQuota({ db }: { db: Db }, organizationId: string, id: number): Promise<Quota | undefined> {
  const row = await db
    .selectFrom('quota')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toQuota(row);
}

/** Throws QUOTA_EXISTS where there is one for the same. */
export async function createQuota(
  { db }: { db: Db },
  organizationId: string,
  { projectId, keyId, ...input }: NewQuota,
): Promise<Quota> {
  const scope = scopeOf({ projectId, keyId });
  const target = quotaTarget(scope, keyId ?? projectId ?? organizationId);
  const { count } = await db
    .selectFrom('quota')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= mostQuotas) throw new CodedError('INPUT_INVALID', [quotaTexts.tooMany(mostQuotas)]);
  const row: Insertable<QuotaTable> = {
    organization_id: organizationId,
    project_id: projectId,
    key_id: keyId,
    target,
    category: input.category,
    period: input.period,
    amount: input.amount,
    is_hard: input.isHard ? 1 : 0,
    created_at: Date.now(),
  };
  const made = await db
    .insertInto('quota')
    .values(row)
    .onConflict((conflict) => conflict.columns(['target', 'category', 'period']).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (made) return toQuota(made);
  const { categories, periods, scopes } = quotaTexts;
  throw new CodedError('QUOTA_EXISTS', [categories[input.category], periods[input.period], scopes[scope]]);
}

/** Changes what is given; people are told anew of what it comes to. Undefined where there is none such. */
export async function changeQuota(
  { db }: { db: Db },
  { organizationId, id }: Pick<Quota, 'organizationId' | 'id'>,
  { amount, isHard }: { readonly amount?: number | undefined; readonly isHard?: boolean | undefined },
): Promise<Quota | undefined> {
  if (amount === undefined && isHard === undefined) return findQuota({ db }, organizationId, id);
  const row = await db
    .updateTable('quota')
    .set({
      ...(amount !== undefined && { amount, told_term: 0, told_percent: 0 }),
      ...(isHard !== undefined && { is_hard: isHard ? 1 : 0 }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toQuota(row);
}

/** What was used of it stays counted. False where there is none such. */
export async function deleteQuota({ db }: { db: Db }, organizationId: string, id: number): Promise<boolean> {
  const deleted = await db
    .deleteFrom('quota')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return deleted !== undefined;
}

const scopeOf = ({ projectId, keyId }: Pick<NewQuota, 'projectId' | 'keyId'>): QuotaScope =>
  keyId !== null ? 'key' : projectId !== null ? 'project' : 'organization';

export const toQuota = (row: Selectable<QuotaTable>): Quota => ({
  id: row.id,
  organizationId: row.organization_id,
  scope: scopeOf({ projectId: row.project_id, keyId: row.key_id }),
  projectId: row.project_id,
  keyId: row.key_id,
  target: row.target,
  category: row.category,
  period: row.period,
  amount: row.amount,
  isHard: row.is_hard === 1,
  createdAt: row.created_at,
});
