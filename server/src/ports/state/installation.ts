/** Which installation a state store is. It is said with the first start, and stays with the rows wherever they go. */
import { randomUUID } from 'node:crypto';
import type { State } from './state.ts';

const name = 'installation';

/** Made where there is none: of nodes that start at once one makes it. */
export async function installationId({ db }: Pick<State, 'db'>): Promise<string> {
  await db
    .insertInto('setting')
    .values({ name, value: JSON.stringify(randomUUID()) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const { value } = await db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return JSON.parse(value) as string;
}
