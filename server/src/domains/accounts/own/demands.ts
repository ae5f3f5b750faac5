/**
 * What an organisation demands of the sessions of its members: a second factor, or its provider. Whose session has not
 * shown it is a member without any scope there, until it has. Tokens and service accounts are no sessions.
 */
import type { SignInPolicyTable } from '../../../ports/state/account-tables.ts';
import type { State } from '../../../ports/state/state.ts';
import type { Also } from '../users.ts';

export interface Demand {
  readonly secondFactor: boolean;
  /** Through which members must sign in; null: any way. */
  readonly providerId: string | null;
}

/** How a session came in. */
export interface Shown {
  /** `password`, `passkey`, `recovery` or `provider:<id>`. */
  readonly way: string;
  readonly secondFactor: boolean;
}

/** What is missing. */
export type Unmet =
  | { readonly kind: 'second_factor' }
  | { readonly kind: 'provider'; readonly providerId: string }
  /** From which the organisation may not be used. */
  | { readonly kind: 'address'; readonly address: string };

/** Of an owner who comes by `culprit user recovery`. */
export const recoveryWay = 'recovery';

export const noDemand: Demand = { secondFactor: false, providerId: null };

/** What another node has changed holds here within this, whether that node could say so or not. */
const knownForMs = 10_000;

/** Pure: undefined where nothing is. A provider first: who comes by another way cannot make up for it here. */
export function unmetBy({ way, secondFactor }: Shown, demand: Demand): Unmet | undefined {
  if (way === recoveryWay) return undefined;
  const { providerId } = demand;
  if (providerId !== null && way !== `provider:${providerId}`) return { kind: 'provider', providerId };
  return demand.secondFactor && !secondFactor ? { kind: 'second_factor' } : undefined;
}

export interface Demands {
  /** To be called when another node may have changed one: it is read again before it counts. */
  forget(): void;
  of(organizationId: string): Promise<Demand>;
  /** Marks the memberships whose organisation demands what was not shown. */
  judge<M extends { readonly organizationId: string }>(
    memberships: readonly M[],
    shown: Shown,
  ): Promise<(M & { readonly unmet?: Unmet | undefined })[]>;
  /** What is undefined stays. `also` belongs to the same transaction, and is given what held before, and what holds now. */
  set(
    organizationId: string,
    change: Partial<Demand>,
    now: number,
    also?: Also<{ readonly before: Demand; readonly after: Demand }>,
  ): Promise<Demand>;
}

const fromRow = (row: Pick<SignInPolicyTable, 'second_factor' | 'provider_id'>): Demand => ({
  secondFactor: row.second_factor !== 0,
  providerId: row.provider_id,
});

export function createDemands(state: State): Demands {
  // As with session policies: every request with a session asks, and few organisations demand anything.
  let known: { readonly until: number; readonly demands: Promise<ReadonlyMap<string, Demand>> } | undefined;

  const read = async (): Promise<ReadonlyMap<string, Demand>> => {
    const rows = await state.db
      .selectFrom('sign_in_policy')
      .select(['organization_id', 'second_factor', 'provider_id'])
      .execute();
    return new Map(rows.map((row) => [row.organization_id, fromRow(row)]));
  };
  const current = (): Promise<ReadonlyMap<string, Demand>> => {
    const now = Date.now();
    if (!known || known.until <= now) {
      const demands = read();
      // A failure is for who asked; the next one asks again.
      demands.catch(() => (known = undefined));
      known = { until: now + knownForMs, demands };
    }
    return known.demands;
  };

  return {
    of: async (organizationId) => (await current()).get(organizationId) ?? noDemand,
    async judge(memberships, shown) {
      const demands = await current();
      return memberships.map((membership) => {
        const demand = demands.get(membership.organizationId);
        return demand ? { ...membership, unmet: unmetBy(shown, demand) } : membership;
      });
    },
    async set(organizationId, change, now, also) {
      const after = await state.transaction(async (trx) => {
        const former = await trx
          .selectFrom('sign_in_policy')
          .select(['second_factor', 'provider_id'])
          .where('organization_id', '=', organizationId)
          .executeTakeFirst();
        const before = former ? fromRow(former) : noDemand;
        const { secondFactor = before.secondFactor, providerId = before.providerId } = change;
        const row = { second_factor: secondFactor ? 1 : 0, provider_id: providerId, updated_at: now };
        await trx
          .insertInto('sign_in_policy')
          .values({ organization_id: organizationId, ...row })
          .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(row))
          .execute();
        await also?.(trx, { before, after: { secondFactor, providerId } });
        return { secondFactor, providerId };
      });
      known = undefined;
      return after;
    },
    forget() {
      known = undefined;
    },
  };
}

/** How many members have neither an authenticator app nor a passkey. */
export async function membersWithoutFactor({ db }: State, organizationId: string): Promise<number> {
  const { n } = await db
    .selectFrom('member')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('organizationId', '=', organizationId)
    .where(({ not, exists, selectFrom, lit }) =>
      not(
        exists(
          selectFrom('twoFactor')
            .select(lit(1).as('one'))
            .whereRef('twoFactor.userId', '=', 'member.userId')
            .where('verified', '=', true),
        ),
      ),
    )
    .where(({ not, exists, selectFrom, lit }) =>
      not(exists(selectFrom('passkey').select(lit(1).as('one')).whereRef('passkey.userId', '=', 'member.userId'))),
    )
    .executeTakeFirstOrThrow();
  return Number(n);
}
