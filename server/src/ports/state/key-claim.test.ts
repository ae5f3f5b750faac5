import { expect, test } from 'vitest';
import { onEachDatabase } from './testing/databases.ts';
import { adoptKey, claimState, cleanOnce, rememberedKey } from './key-claim.ts';
import { secretsOf } from '../../base/secrets/secrets.ts';
import { testSecrets } from '../../base/secrets/testing.ts';

const other = secretsOf('another secret of thirty-two letters', '/data/secret.key');

onEachDatabase('claims', (databases) => {
  test('the first key is remembered, and is the same at every start', async () => {
    const state = await databases.migrated();
    expect(await rememberedKey(state)).toBeUndefined();
    expect(await claimState(state, testSecrets)).toEqual({ before: undefined });
    await cleanOnce(state);
    await cleanOnce(state);
    expect(await claimState(state, testSecrets)).toEqual({ before: undefined });
    expect(await rememberedKey(state)).toBe(testSecrets.fingerprint);
  });

  test('of nodes that start at once with two keys, one alone starts where nodes share the store', async () => {
    const state = await databases.migrated();
    const claims = await Promise.allSettled([claimState(state, testSecrets), claimState(state, other)]);
    const refused = claims.flatMap((claim) => (claim.status === 'rejected' ? [claim.reason as unknown] : []));
    if (state.capabilities.dialect === 'sqlite') {
      expect(refused).toEqual([]);
      return;
    }
    expect(refused).toMatchObject([{ code: 'KEY_OTHER' }]);
    expect(String(refused)).toContain('Use the same key on every node');
  });

  test('a key that is adopted is the key from then on', async () => {
    const state = await databases.migrated();
    await claimState(state, testSecrets);
    await adoptKey(state, other.fingerprint);
    expect(await claimState(state, other)).toEqual({ before: undefined });
  });
});
