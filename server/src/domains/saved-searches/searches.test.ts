import { expect, test } from 'vitest';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { listRecentSearches, noteRecentSearch } from './recent.ts';
import { changeSavedSearch, findSavedSearch, listSavedSearches, removeSavedSearch, saveSearch } from './saved.ts';
import type { SearchFields } from './types.ts';

const nowMs = Date.UTC(2026, 1, 3);
const ada = { organizationId: 'acme', userId: 'ada' };
const bob = { organizationId: 'acme', userId: 'bob' };
const stranger = { organizationId: 'other', userId: 'ada' };

async function makePeople({ db }: State): Promise<void> {
  const at = new Date(nowMs).toISOString();
  for (const id of ['acme', 'other'])
    await db
      .insertInto('organization')
      .values({ id, name: id, slug: id, logo: null, metadata: null, createdAt: at })
      .execute();
  for (const id of ['ada', 'bob'])
    await db
      .insertInto('user')
      .values({ id, name: id, email: `${id}@example.com`, emailVerified: 1, image: null, createdAt: at, updatedAt: at })
      .execute();
}

const fields = (overrides: Partial<SearchFields> = {}): SearchFields => ({
  type: 'issues',
  name: 'Checkout',
  query: 'transaction:/checkout',
  sort: 'freq',
  visibility: 'owner',
  state: null,
  pinned: false,
  ...overrides,
});

onEachDatabase('searches', ({ migrated }) => {
  test('own ones are for their maker, shared ones for the organisation; pins are each person’s', async () => {
    const state = await migrated();
    await makePeople(state);
    const own = await saveSearch(state, ada, fields({ name: 'zulu' }), nowMs);
    const shared = await saveSearch(
      state,
      ada,
      fields({ name: 'Alpha', visibility: 'organization', pinned: true, state: { columns: ['a'] } }),
      nowMs,
    );
    const explore = await saveSearch(state, ada, fields({ name: 'mike', type: 'explore' }), nowMs);
    expect((await listSavedSearches(state, ada, undefined)).map(({ id }) => id)).toEqual([shared, explore, own]);
    expect((await listSavedSearches(state, ada, 'issues')).map(({ name, pinned }) => [name, pinned])).toEqual([
      ['Alpha', true],
      ['zulu', false],
    ]);
    expect(await listSavedSearches(state, bob, 'issues')).toEqual([
      {
        id: shared,
        type: 'issues',
        name: 'Alpha',
        query: 'transaction:/checkout',
        sort: 'freq',
        visibility: 'organization',
        state: { columns: ['a'] },
        pinned: false,
        owner: { id: 'ada', name: 'ada' },
        createdAt: nowMs,
      },
    ]);
    expect(await findSavedSearch(state, bob, own)).toBeUndefined();
    expect(await listSavedSearches(state, stranger, undefined)).toEqual([]);

    await changeSavedSearch(state, bob, shared, { pinned: true }, nowMs);
    await changeSavedSearch(state, bob, shared, { pinned: true }, nowMs);
    await changeSavedSearch(state, ada, shared, { pinned: false, name: 'Beta', state: null }, nowMs);
    expect(await findSavedSearch(state, bob, shared)).toMatchObject({ name: 'Beta', pinned: true, state: null });
    expect(await findSavedSearch(state, ada, shared)).toMatchObject({ pinned: false, query: 'transaction:/checkout' });

    await removeSavedSearch(state, stranger, shared);
    expect(await findSavedSearch(state, ada, shared)).toBeDefined();
    await removeSavedSearch(state, ada, shared);
    expect(await findSavedSearch(state, ada, shared)).toBeUndefined();
  });

  test('a person saves so many and no more', async () => {
    const state = await migrated();
    await makePeople(state);
    for (let at = 0; at < 200; at += 1) await saveSearch(state, ada, fields({ name: `search ${at}` }), nowMs);
    await expect(saveSearch(state, ada, fields(), nowMs)).rejects.toMatchObject({ code: 'SEARCHES_FULL' });
    await saveSearch(state, bob, fields(), nowMs);
  });

  test('recent ones are kept once each, the latest twenty', async () => {
    const state = await migrated();
    await makePeople(state);
    const long = `"${'x'.repeat(4000)}\0\uD800"`;
    for (let at = 0; at < 25; at += 1)
      await noteRecentSearch(state, ada, { type: 'issues', query: `n:${at}` }, nowMs + at);
    await noteRecentSearch(state, ada, { type: 'issues', query: 'n:10' }, nowMs + 100);
    await noteRecentSearch(state, ada, { type: 'explore', query: long }, nowMs);
    await noteRecentSearch(state, bob, { type: 'issues', query: 'n:1' }, nowMs);
    const recent = await listRecentSearches(state, ada, 'issues');
    expect(recent).toHaveLength(20);
    expect(recent.map(({ query }) => query).slice(0, 3)).toEqual(['n:10', 'n:24', 'n:23']);
    expect(recent[0]).toMatchObject({ createdAt: nowMs + 10, lastUsedAt: nowMs + 100 });
    expect(recent.at(-1)?.query).toBe('n:5');
    expect((await listRecentSearches(state, ada, 'explore'))[0]?.query).toHaveLength(long.length);
    expect(await listRecentSearches(state, bob, 'issues')).toHaveLength(1);
  });
});
