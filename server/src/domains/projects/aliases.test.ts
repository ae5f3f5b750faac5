import { beforeEach, expect, test } from 'vitest';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { addAlias, createKeyDirectory, createProject, deleteAlias, listAliases } from './index.ts';

onEachDatabase('ids that projects had elsewhere', (databases) => {
  let state: State;
  beforeEach(async () => {
    state = await databases.migrated();
    const organization = { id: 'acme', name: 'acme', slug: 'acme', logo: null, metadata: null, createdAt: new Date() };
    await state.db.insertInto('organization').values(organization).execute();
  });
  const make = (name: string) => createProject(state, { organizationId: 'acme', name });

  test('stay text, come with the key, and go', async () => {
    const { project, key } = await make('Web');
    const long = '4507199254740993127';
    expect(await addAlias(state, project.id, long)).toBe(long);
    await addAlias(state, project.id, '0017');
    expect(await createKeyDirectory({ state }).lookup(key.publicKey)).toMatchObject({ aliases: [long, '0017'] });
    expect(await deleteAlias(state, project.id, long)).toBe(true);
    expect(await deleteAlias(state, project.id, long)).toBe(false);
    expect(await listAliases(state, project.id)).toEqual(['0017']);
  });

  test('two projects may have had the same, and one may have had that of another: the key decides', async () => {
    const [web, shop] = [await make('Web'), await make('Shop')];
    await addAlias(state, web.project.id, '900');
    await addAlias(state, shop.project.id, '900');
    await addAlias(state, shop.project.id, String(web.project.id));
    const keys = createKeyDirectory({ state });
    expect(await keys.lookup(web.key.publicKey)).toMatchObject({ projectId: web.project.id, aliases: ['900'] });
    expect(await keys.lookup(shop.key.publicKey)).toMatchObject({ projectId: shop.project.id });
  });

  test('what is none, or is known, is refused with a reason', async () => {
    const { project } = await make('Web');
    for (const wrong of ['', 'web', '1'.repeat(20), '-1', '1 ']) {
      await expect(addAlias(state, project.id, wrong)).rejects.toThrow('must be a project ID: 1 to 19 digits');
    }
    await addAlias(state, project.id, '900');
    await expect(addAlias(state, project.id, '900')).rejects.toThrow('The ID 900 is already in use');
    await expect(addAlias(state, project.id, String(project.id))).rejects.toThrow('already in use');
  });
});
