import { expect, test } from 'vitest';
import { installationId } from './installation.ts';
import { onEachDatabase } from './testing/databases.ts';

onEachDatabase('which installation it is', (databases) => {
  test('is said once, whichever node comes first, and another one is another', async () => {
    const state = await databases.migrated();
    const ids = await Promise.all(Array.from({ length: 5 }, () => installationId(state)));
    expect(new Set(ids).size).toBe(1);
    expect(await installationId(state)).toBe(ids[0]);
    expect(ids[0]).toMatch(/^[\w-]{36}$/);
    expect(await installationId(await databases.migrated())).not.toBe(ids[0]);
  });
});
