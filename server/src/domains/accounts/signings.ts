/**
 * Sign-ins for the audit log, in that of each organisation that the person belongs to. Failures are gathered for a second,
 * and no flood of them fills a log: beyond an allowance they are counted together. Who has no account has typed anything,
 * a password among it: that is told to all organisations, without what was typed.
 */
import type { Action, Actor, Audit, Draft, Source } from '../audit/index.ts';
import type { State } from '../../ports/state/state.ts';
import { providerWay } from './factors/way.ts';

/** `code`: a wrong one of an app, or of those for recovery. */
export type Failure = 'wrong' | 'limited' | 'code' | 'passkey';

export interface Signings {
  /** `way` as sessions have it; `provider` is what that is called. */
  succeeded(email: string, source: Source, way: string, provider?: string): Promise<void>;
  /** With an actor: who is signed in, and was asked for their password again. */
  failed(email: string, reason: Failure, source: Source, actor?: Actor): void;
  /** At a provider, told to its organisation alone: who it was is not known. */
  failedAt(provider: ProviderOf, reason: string, source: Source): void;
  /** Writes what was gathered. */
  flush(): Promise<void>;
}

export interface ProviderOf {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
}

export interface SigningsOptions {
  readonly state: State;
  readonly audit: Audit;
  readonly warn: (message: string, ...details: unknown[]) => void;
  readonly now?: () => number;
}

interface Gathered {
  readonly email: string;
  readonly reason: string;
  readonly source: Source;
  readonly actor?: Actor | undefined;
  readonly provider?: ProviderOf | undefined;
  times: number;
}

const gatherMs = 1_000;
/** Entries that may come at once, and how long it takes until another may. */
const allowance = 100;
const anotherEveryMs = 30_000;

interface Account {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly organizationIds: readonly string[];
}

async function accountOf(state: State, by: 'email' | 'id', value: string): Promise<Account | undefined> {
  const rows = await state.db
    .selectFrom('user')
    .leftJoin('member', 'member.userId', 'user.id')
    .select(['user.id', 'user.name', 'user.email', 'member.organizationId'])
    .where(`user.${by}`, '=', value)
    .execute();
  const [first] = rows;
  return first && { ...first, organizationIds: rows.flatMap(({ organizationId }) => organizationId ?? []) };
}

export function createSignings({ state, audit, warn, now = Date.now }: SigningsOptions): Signings {
  const gathered = new Map<string, Gathered>();
  let left = allowance;
  let leftAt = now();
  let timer: NodeJS.Timeout | undefined;

  const refill = (): void => {
    const more = Math.floor((now() - leftAt) / anotherEveryMs);
    left = Math.min(allowance, left + more);
    leftAt += more * anotherEveryMs;
  };

  /** Beyond the allowance: one for all, written when there is room again. */
  const takeGathered = (): Gathered[] => {
    refill();
    const all = [...gathered];
    const taken = all.slice(0, left);
    const rest = all.slice(left).map(([, one]) => one);
    gathered.clear();
    left -= taken.length;
    const times = rest.reduce((sum, one) => sum + one.times, 0);
    if (times) gathered.set('', { email: '', reason: 'limited', source: {}, times });
    return taken.map(([, one]) => one);
  };

  const withAddress = async (email: string): Promise<Account | undefined> =>
    email === '' ? undefined : accountOf(state, 'email', email);

  const drafts = async (
    { email, reason, source, actor, provider, times }: Gathered,
    everywhere: () => Promise<string[]>,
  ) => {
    // Whoever is signed in is known, whatever their address is by now: strangers are told nothing of them.
    const account = actor?.id === undefined ? await withAddress(email) : await accountOf(state, 'id', actor.id);
    const target = account ? { id: account.id, name: account.email } : { id: '', name: '' };
    const ids = provider ? [provider.organizationId] : (account?.organizationIds ?? (actor ? [] : await everywhere()));
    return ids.map((organizationId): Draft => ({
      organizationId,
      action: actor ? (reason === 'code' ? 'user.fail_code' : 'user.fail_password') : 'sign_in.fail',
      actor: actor ?? { type: 'visitor' },
      source,
      target,
      details: { reason, times, ...(provider && { way: providerWay(provider.id), provider: provider.name }) },
    }));
  };

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const taken = takeGathered();
    if (!taken.length) return;
    let ids: Promise<string[]> | undefined;
    const everywhere = (): Promise<string[]> => (ids ??= organizationIds(state));
    const all = (await Promise.all(taken.map((one) => drafts(one, everywhere)))).flat();
    await state.transaction((trx) => audit.record(trx, all));
  };

  const gather = (one: Omit<Gathered, 'times'>): void => {
    const { email, reason, source, actor, provider } = one;
    const key = JSON.stringify([email, reason, source.address, actor?.session, provider?.id]);
    const known = gathered.get(key);
    if (known) known.times += 1;
    else gathered.set(key, { ...one, times: 1 });
    timer ??= setTimeout(() => {
      flush().catch((error: unknown) => warn('failed sign-ins could not be written to the audit log', error));
    }, gatherMs).unref();
  };

  return {
    async succeeded(email, source, way, provider) {
      const account = await accountOf(state, 'email', email);
      if (!account) return;
      const session = await state.db
        .selectFrom('session')
        .select('id')
        .where('userId', '=', account.id)
        .orderBy('createdAt', 'desc')
        .executeTakeFirst();
      const { id, name } = account;
      const actor = { type: 'user', id, name, email: account.email, session: session?.id } as const;
      await tell(state, audit, account.organizationIds, {
        action: 'sign_in.succeed',
        actor,
        source,
        details: { way, ...(provider !== undefined && { provider }) },
      });
    },
    failed: (email, reason, source, actor) => gather({ email, reason, source, actor }),
    failedAt: (provider, reason, source) => gather({ email: '', reason, source, provider }),
    flush,
  };
}

async function organizationIds(state: State): Promise<string[]> {
  return (await state.db.selectFrom('organization').select('id').execute()).map(({ id }) => id);
}

/** Tells the same of a person to each of their organisations. */
export async function tell(
  state: State,
  audit: Audit,
  ids: readonly string[],
  { action, actor, source, details }: Pick<Draft, 'actor' | 'source' | 'details'> & { readonly action: Action },
): Promise<void> {
  const target = { id: actor.id ?? '', name: actor.email ?? '' };
  await state.transaction((trx) =>
    audit.record(
      trx,
      ids.map((organizationId) => ({ organizationId, action, actor, source, target, details })),
    ),
  );
}
