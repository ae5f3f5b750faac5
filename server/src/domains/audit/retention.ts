/** How long entries are kept. What is dropped leaves an entry that says so, and an anchor from which the rest verifies. */
import type { Job } from '../../base/jobs/index.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { append, emptyHead, readHead, type Seal, writeHead } from './chain.ts';
import { defaultRetentionDays } from './days.ts';
import type { Draft } from './entry.ts';

const dayMs = 86_400_000;

export async function retentionOf({ db }: Pick<State, 'db'>, organizationId: string): Promise<number> {
  return (await readHead(db, organizationId))?.retention_days ?? defaultRetentionDays;
}

export async function setRetention({ db }: Pick<State, 'db'>, organizationId: string, days: number): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ ...emptyHead(organizationId), retention_days: days })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ retention_days: days }))
    .execute();
}

const bySystem = (organizationId: string): Omit<Draft, 'action'> => ({
  organizationId,
  actor: { type: 'system' },
  source: {},
  target: { id: organizationId, name: '' },
});

/** Begins the log of each organisation that has none: from then on it is seen when somebody takes it away. */
export async function beginLogs(state: State, seal: Seal | undefined, nowMs: number): Promise<void> {
  const missing = await state.db
    .selectFrom('organization')
    .leftJoin('audit_log', 'audit_log.organization_id', 'organization.id')
    .select('organization.id')
    .where('audit_log.organization_id', 'is', null)
    .execute();
  for (const { id } of missing) {
    await state.transaction(async (trx) => {
      if (await readHead(trx, id)) return;
      await append(trx, seal, id, [{ ...bySystem(id), action: 'audit_log.start' }], nowMs);
    });
  }
}

/** Returns how many entries were dropped. */
export async function expireEntries(state: State, seal: Seal | undefined, nowMs: number): Promise<number> {
  let dropped = 0;
  for (const { organization_id: id } of await state.db.selectFrom('audit_log').select('organization_id').execute()) {
    dropped += await state.transaction((trx) => expire(trx, seal, id, nowMs));
  }
  return dropped;
}

async function expire(
  trx: StateTransaction,
  seal: Seal | undefined,
  organizationId: string,
  nowMs: number,
): Promise<number> {
  const before = await readHead(trx, organizationId);
  if (!before) return 0;
  const oldest = nowMs - (before.retention_days ?? defaultRetentionDays) * dayMs;
  // In order of the numbers: what was written by a clock that is behind does not go before its time.
  const kept = await trx
    .selectFrom('audit_entry')
    .select(({ fn }) => fn.min('seq').as('seq'))
    .where('organization_id', '=', organizationId)
    .where('at', '>=', oldest)
    .executeTakeFirstOrThrow();
  const last = (kept.seq ?? before.seq + 1) - 1;
  if (last <= before.anchor_seq) return 0;
  const anchor = await trx
    .selectFrom('audit_entry')
    .select('hash')
    .where('organization_id', '=', organizationId)
    .where('seq', '=', last)
    .executeTakeFirst();
  // Somebody has removed it: what stands before it is left as it is, for whoever looks into that.
  if (!anchor) return 0;
  const entries = last - before.anchor_seq;
  const details = { entries, from: before.anchor_seq + 1, to: last, hash: anchor.hash };
  const expired = { ...bySystem(organizationId), action: 'audit_log.expire', details } as const;
  const head = await append(trx, seal, organizationId, [expired], nowMs);
  await trx.deleteFrom('audit_entry').where('organization_id', '=', organizationId).where('seq', '<=', last).execute();
  await writeHead(trx, seal, { ...head, anchor_seq: last, anchor_hash: anchor.hash }, true);
  return entries;
}

/** Begins logs and drops what is too old. */
export const createAuditKeeper = (state: State, seal: Seal | undefined): Job => ({
  name: 'audit-expiry',
  title: jobTexts.auditExpiry.title,
  nodes: 'one',
  everyMs: dayMs / 4,
  failed: jobTexts.auditExpiry.failed,
  async run() {
    await beginLogs(state, seal, Date.now());
    await expireEntries(state, seal, Date.now());
  },
});
