/** Who evaluates the rules of an organisation: the node that has claimed it, until it stops saying that it is there. */
import { sql } from 'kysely';
import { type Claimer, LeaseLost } from '../../base/jobs/index.ts';
import { claimRow, holdClaim, unclaimed } from '../../ports/state/claims.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';

export interface Lease {
  readonly until: number;
  /** Everything that happened before has been looked at. */
  readonly readUntil: number;
}

const of = (organizationId: string) =>
  ({ table: 'alert_lease', ready: sql`organization_id = ${organizationId}` }) as const;

/** Undefined while another node has it. A new one begins with what happens from now on. */
export async function takeLease(
  state: State,
  organizationId: string,
  { node, leaseMs }: Claimer,
  nowMs: number,
): Promise<Lease | undefined> {
  const claim = { node, leaseMs, nowMs };
  const until = nowMs + leaseMs;
  const held =
    (await holdClaim(state.db, of(organizationId), claim)) ?? (await claimRow(state.db, of(organizationId), claim));
  if (held) return { until, readUntil: held.read_until };
  const inserted = await state.db
    .insertInto('alert_lease')
    .values({
      organization_id: organizationId,
      ...unclaimed(nowMs),
      claimed_by: node,
      claimed_until: until,
      read_until: nowMs,
    })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .returning('read_until')
    .executeTakeFirst();
  return inserted && { until, readUntil: nowMs };
}

/** In the transaction that writes what was found: keeps the lease, and notes how far was read where that was read. Throws `LeaseLost`. */
export async function keepLease(
  trx: StateTransaction,
  organizationId: string,
  claim: Claimer & { readonly nowMs: number },
  readUntil: number | undefined,
): Promise<void> {
  const set = readUntil === undefined ? {} : { read_until: readUntil };
  const kept = await holdClaim(trx, { ...of(organizationId), set }, claim);
  if (!kept) throw new LeaseLost(`another node evaluates the rules of organisation ${organizationId}`);
}
