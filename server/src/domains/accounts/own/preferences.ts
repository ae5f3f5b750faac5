/** What people chose for themselves, on every device. */
import type { State } from '../../../ports/state/state.ts';

export const themes = ['system', 'light', 'dark'] as const;

/** Which call of a stack trace stands first. */
export const stackOrders = ['newest', 'oldest'] as const;

export interface Preferences {
  /** IANA name; null for that of the browser. */
  readonly timeZone: string | null;
  /** Null for what each browser was told before. */
  readonly theme: (typeof themes)[number] | null;
  /** Null for what each language prints. */
  readonly stackOrder: (typeof stackOrders)[number] | null;
}

const defaults: Preferences = { timeZone: null, theme: null, stackOrder: null };

export async function preferencesOf({ db }: Pick<State, 'db'>, userId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('user_preference')
    .select('preferences')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { ...defaults, ...(row && (JSON.parse(row.preferences) as Partial<Preferences>)) };
}

/** What is left out stays. */
export async function changePreferences(
  state: State,
  userId: string,
  change: Partial<Preferences>,
  now: number,
): Promise<Preferences> {
  return state.transaction(async (trx) => {
    const preferences = { ...(await preferencesOf({ db: trx }, userId)), ...change };
    const row = { preferences: JSON.stringify(preferences), updated_at: now };
    await trx
      .insertInto('user_preference')
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
      .execute();
    return preferences;
  });
}
