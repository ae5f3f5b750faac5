import { randomBytes } from 'node:crypto';
import type { State } from '../state/state.ts';

const name = 'auth_secret';

/** The secret that sessions are signed with: made by whoever asks first, the same for every process from then on. */
export async function authSecret(state: State): Promise<string> {
  await state.db
    .insertInto('setting')
    .values({ name, value: JSON.stringify(randomBytes(32).toString('hex')) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await state.db
    .selectFrom('setting')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return JSON.parse(value) as string;
}
