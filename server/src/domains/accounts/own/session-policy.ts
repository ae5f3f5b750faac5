/** How long sessions last: as each organisation says, and for somebody in several the shortest holds. */
import type { SessionPolicyTable } from '../../../ports/state/account-tables.ts';
import type { State } from '../../../ports/state/state.ts';
import type { Also } from '../users.ts';

export interface SessionPolicy {
  /** From signing in; null for no end while it is used. */
  readonly lifetimeHours: number | null;
  /** From the last use; null for thirty days. */
  readonly idleHours: number | null;
}

const hourMs = 3_600_000;
/** What another node has changed holds here within this, whether that node could say so or not. */
const knownForMs = 10_000;

export const noPolicy: SessionPolicy = { lifetimeHours: null, idleHours: null };

const shorter = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);

/** Pure. */
export const shortest = (policies: readonly SessionPolicy[]): SessionPolicy =>
  policies.reduce(
    (one, other) => ({
      lifetimeHours: shorter(one.lifetimeHours, other.lifetimeHours),
      idleHours: shorter(one.idleHours, other.idleHours),
    }),
    noPolicy,
  );

/** Pure. */
export const isOver = (
  { lifetimeHours, idleHours }: SessionPolicy,
  { createdAt, lastUsedAt }: { readonly createdAt: number; readonly lastUsedAt: number },
  now: number,
): boolean =>
  (lifetimeHours !== null && now >= createdAt + lifetimeHours * hourMs) ||
  (idleHours !== null && now >= lastUsedAt + idleHours * hourMs);

export interface SessionPolicies {
  /** To be called when another node may have changed one: it is read again before it counts. */
  forget(): void;
  /** Of somebody who is in these organisations. */
  of(organizationIds: readonly string[]): Promise<SessionPolicy>;
  /** `also` belongs to the same transaction, and is given what held before. */
  set(organizationId: string, policy: SessionPolicy, now: number, also?: Also<SessionPolicy>): Promise<void>;
}

const fromRow = (row: Pick<SessionPolicyTable, 'lifetime_hours' | 'idle_hours'>): SessionPolicy => ({
  lifetimeHours: row.lifetime_hours,
  idleHours: row.idle_hours,
});

export function createSessionPolicies(state: State): SessionPolicies {
  // Every request with a session asks, and few organisations have one: all of them, for some seconds.
  let known: { readonly until: number; readonly policies: Promise<ReadonlyMap<string, SessionPolicy>> } | undefined;

  const read = async (): Promise<ReadonlyMap<string, SessionPolicy>> => {
    const rows = await state.db
      .selectFrom('session_policy')
      .select(['organization_id', 'lifetime_hours', 'idle_hours'])
      .execute();
    return new Map(rows.map((row) => [row.organization_id, fromRow(row)]));
  };
  const current = (): Promise<ReadonlyMap<string, SessionPolicy>> => {
    const now = Date.now();
    if (!known || known.until <= now) {
      const policies = read();
      // A failure is for who asked; the next one asks again.
      policies.catch(() => (known = undefined));
      known = { until: now + knownForMs, policies };
    }
    return known.policies;
  };

  return {
    async of(organizationIds) {
      const policies = await current();
      return shortest(organizationIds.flatMap((id) => policies.get(id) ?? []));
    },
    async set(organizationId, { lifetimeHours, idleHours }, now, also) {
      const row = { lifetime_hours: lifetimeHours, idle_hours: idleHours, updated_at: now };
      await state.transaction(async (trx) => {
        const former = await trx
          .selectFrom('session_policy')
          .select(['lifetime_hours', 'idle_hours'])
          .where('organization_id', '=', organizationId)
          .executeTakeFirst();
        await trx
          .insertInto('session_policy')
          .values({ organization_id: organizationId, ...row })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
          .execute();
        await also?.(trx, former ? fromRow(former) : noPolicy);
      });
      known = undefined;
    },
    forget() {
      known = undefined;
    },
  };
}
