import { expect, test } from 'vitest';
import { stateContract } from './contract.ts';
import { openState } from './open.ts';
import { onPostgres } from './testing/databases.ts';

onPostgres('state', (databases) => {
  stateContract(databases);

  test('says which database cannot be reached', async () => {
    await using state = await openState({ url: 'postgres://nobody@127.0.0.1:1/none', dataDir: '' });
    await expect(state.migrate()).rejects.toThrow(/ECONNREFUSED/);
  });
});
