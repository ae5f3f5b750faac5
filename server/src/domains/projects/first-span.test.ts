import { expect, test } from 'vitest';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { createProject, getProject, noteFirstSpans } from './index.ts';

onEachDatabase('the first span of a project', (databases) => {
  test('is noted once, and one caller hears of it', async () => {
    const state = await databases.migrated();
    await state.db
      .insertInto('organization')
      .values({ id: 'acme', name: 'acme', slug: 'acme', logo: null, metadata: null, createdAt: new Date() })
      .execute();
    const make = async (name: string) => (await createProject(state, { organizationId: 'acme', name })).project;
    const [web, api, quiet] = [await make('web'), await make('api'), await make('quiet')];
    const firstSpanAt = async (slug: string) => (await getProject(state, 'acme', slug))?.firstSpanAt;

    expect(await noteFirstSpans(state, [], 500)).toEqual(new Set());
    const noted = await Promise.all([
      noteFirstSpans(state, [web.id, web.id, 999_999], 1_000),
      noteFirstSpans(state, [web.id, api.id], 1_000),
    ]);
    expect(noted.flatMap((ids) => [...ids]).toSorted((a, b) => a - b)).toEqual([web.id, api.id]);
    expect(await noteFirstSpans(state, [web.id, api.id], 2_000)).toEqual(new Set());
    expect([await firstSpanAt('web'), await firstSpanAt('api'), await firstSpanAt('quiet')]).toEqual([
      1_000,
      1_000,
      null,
    ]);

    // Another program on the same database remembers nothing, and finds it written down.
    const other = { ...state } as typeof state;
    expect(await noteFirstSpans(other, [web.id, quiet.id], 3_000)).toEqual(new Set([quiet.id]));
    expect(await firstSpanAt('web')).toBe(1_000);
  });
});
