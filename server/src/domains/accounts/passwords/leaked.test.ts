import { expect, test } from 'vitest';
import { onEachDatabase } from '../../../ports/state/testing/databases.ts';
import { isMostLeaked, mostLeaked } from './leaked.ts';
import { hashNewPassword } from './new.ts';
import { hashesCheaply } from './testing.ts';

/** Shorter ones are refused for their length. */
const longEnough = mostLeaked.filter((password) => password.length >= 8);

test('what leaks have is known in any case, and nothing else is', () => {
  expect(['hardcore', 'HardCore', 'Midnight'].map(isMostLeaked)).toEqual([true, true, true]);
  expect(['correct horse battery', 'x7#kP2!q', ''].map(isMostLeaked)).toEqual([false, false, false]);
  expect(longEnough.length).toBeGreaterThan(10_000);
});

onEachDatabase('a new password', (databases) => {
  hashesCheaply();

  test('is none of the 3,000 that leaks have most often', async () => {
    const state = await databases.migrated();
    const about = { email: 'ada@example.com', names: [] };
    const accepted: string[] = [];
    for (const password of longEnough.slice(0, 3_000)) {
      const hash = await hashNewPassword(state, password, about).catch(() => undefined);
      if (hash !== undefined) accepted.push(password);
    }
    expect(accepted).toEqual([]);
    expect(await hashNewPassword(state, 'correct horse battery', about)).toMatch(/^scrypt:/);
  });
});
