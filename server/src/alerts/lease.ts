/** Who evaluates the rules of an organisation: one node at a time, until it stops saying that it is there. */
import type { State, StateTransaction } from '../state/state.ts';

/** How long a node may be silent before another one takes over. */
export const defaultLeaseMs = 20_000;

/** Somebody else evaluates now; what was about to be written is theirs to write. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface Lease {
  readonly until: number;
  /** Everything that happened before has been looked at. */
  readonly readUntil: number;
}

/** Undefined while another node has it. A new one begins with what happens from now on. */
export async function takeLease(
  state: State,
  organizationId: string,
  holder: string,
  nowMs: number,
  leaseMs: number,
): Promise<Lease | undefined> {
  const until = nowMs + leaseMs;
  const updated = await state.db
    .updateTable('alert_lease')
    .set({ holder, leased_until: until })
    .where('organization_id', '=', organizationId)
    // One from a clock that has been put back would hold for ever.
    .where((eb) =>
      eb.or([eb('holder', '=', holder), eb('leased_until', '<=', nowMs), eb('leased_until', '>', nowMs + 2 * leaseMs)]),
    )
    .returning('read_until')
    .executeTakeFirst();
  if (updated) return { until, readUntil: Number(updated.read_until) };
  const inserted = await state.db
    .insertInto('alert_lease')
    .values({ organization_id: organizationId, holder, leased_until: until, read_until: nowMs })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .returning('read_until')
    .executeTakeFirst();
  return inserted && { until, readUntil: nowMs };
}

/** In the transaction that writes what was found: keeps the lease, and notes how far was read where that was read. Throws `LeaseLost`. */
export async function keepLease(
  trx: StateTransaction,
  organizationId: string,
  holder: string,
  { until, readUntil }: { readonly until: number; readonly readUntil: number | undefined },
): Promise<void> {
  const kept = await trx
    .updateTable('alert_lease')
    .set({ leased_until: until, ...(readUntil !== undefined && { read_until: readUntil }) })
    .where('organization_id', '=', organizationId)
    .where('holder', '=', holder)
    .returning('holder')
    .executeTakeFirst();
  if (!kept) throw new LeaseLost(`the rules of organisation ${organizationId} are evaluated by another node`);
}

/** So that the next node need not wait until it is over. */
export async function giveUpLeases(state: State, holder: string): Promise<void> {
  await state.db.updateTable('alert_lease').set({ leased_until: 0 }).where('holder', '=', holder).execute();
}
