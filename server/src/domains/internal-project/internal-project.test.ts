import { beforeEach, expect, test } from 'vitest';
import { createProject, deleteProject, listKeys, listProjects, updateKey, updateProject } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { createInternalProject, findInternalProject, selfReportState } from './index.ts';

onEachDatabase('the internal project', (databases) => {
  let state: State;
  beforeEach(async () => {
    state = await databases.migrated();
  });
  const organization = async (id: string, createdAt: Date): Promise<void> => {
    await state.db
      .insertInto('organization')
      .values({ id, name: id, slug: id, logo: null, metadata: null, createdAt })
      .execute();
  };
  const open = () => createInternalProject({ state, enabled: true });

  test('there is none before the set-up, nor when it is switched off', async () => {
    expect(await open().key()).toBeUndefined();
    expect(await selfReportState(state)).toBe('none');
    await organization('acme', new Date());
    expect(await createInternalProject({ state, enabled: false }).key()).toBeUndefined();
    expect(await findInternalProject(state.db)).toBeUndefined();
  });

  test('it is made once, in the first organisation, after all that others made', async () => {
    await organization('zebra', new Date(1_000));
    await organization('acme', new Date(2_000));
    const { project: web } = await createProject(state, { organizationId: 'zebra', name: 'Web' });
    const keys = await Promise.all([open().key(), open().key(), open().key()]);
    expect(new Set(keys.map((key) => key?.publicKey)).size).toBe(1);
    const projects = await listProjects(state, 'zebra');
    expect(projects.map(({ slug, name, settings }) => [slug, name, settings.internal])).toEqual([
      ['web', 'Web', false],
      ['culprit', 'Culprit itself', true],
    ]);
    // Nobody waits for its first event.
    expect(projects.map(({ firstEventAt }) => firstEventAt === null)).toEqual([true, false]);
    expect(keys[0]?.projectId).toBe(projects[1]?.id);
    expect(web.shortIdPrefix).toBe('WEB');
    expect(await listProjects(state, 'acme')).toEqual([]);
    expect(await selfReportState(state)).toEqual({ slug: 'culprit', isActive: true });
  });

  test('a project of that name that somebody made is left alone', async () => {
    await organization('acme', new Date());
    const { project } = await createProject(state, { organizationId: 'acme', name: 'Culprit' });
    expect(project.slug).toBe('culprit');
    const key = await open().key();
    expect(key?.projectId).not.toBe(project.id);
    expect((await findInternalProject(state.db))?.slug).toBe('culprit-itself');
  });

  test('settings change, the mark stays; no client can set it', async () => {
    await organization('acme', new Date());
    const key = await open().key();
    const changed = await updateProject(state, key?.projectId ?? 0, { settings: { scrubData: false } });
    expect(changed?.settings).toMatchObject({ scrubData: false, internal: true });
    const { project } = await createProject(state, { organizationId: 'acme', name: 'Web' });
    const settings = { sensitiveFields: ['"internal":true'] };
    await updateProject(state, project.id, { settings });
    expect((await findInternalProject(state.db))?.id).toBe(key?.projectId);
    const forged: object = { internal: true };
    await expect(updateProject(state, project.id, { settings: forged })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  test('disabled keys end it; deleted, it is made anew', async () => {
    await organization('acme', new Date());
    const internal = open();
    const first = await internal.key();
    const [key] = await listKeys(state, first?.projectId ?? 0);
    await updateKey(state, first?.projectId ?? 0, key?.id ?? 0, { isActive: false });
    internal.invalidate();
    expect(await internal.key()).toBeUndefined();
    expect(await selfReportState(state)).toEqual({ slug: 'culprit', isActive: false });
    await deleteProject(state, first?.projectId ?? 0);
    internal.invalidate();
    const second = await internal.key();
    expect(second?.publicKey).toMatch(/^[0-9a-f]{32}$/);
    expect(second?.publicKey).not.toBe(first?.publicKey);
  });
});
