import { beforeEach, describe, expect, test } from 'vitest';
import { newProjectFilters } from '../../process/steps/filters/index.ts';
import { defaultProjectSettings } from '../../process/types.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { dsn } from '../../base/dsn.ts';

const newSettings = { ...defaultProjectSettings, filters: newProjectFilters };
import {
  addBlobBytes,
  createKey,
  createKeyDirectory,
  createProject,
  createProjectSettings,
  deleteKey,
  deleteProject,
  getKey,
  getProject,
  listKeys,
  listProjects,
  sweepDeleted,
  updateKey,
  updateProject,
} from './index.ts';

onEachDatabase('projects', (databases) => {
  let state: State;
  beforeEach(async () => {
    state = await databases.migrated();
    for (const id of ['acme', 'other']) {
      await state.db
        .insertInto('organization')
        .values({ id, name: id, slug: id, logo: null, metadata: null, createdAt: new Date() })
        .execute();
    }
  });
  const make = async (name: string, more: { slug?: string; platform?: string; organizationId?: string } = {}) =>
    (await createProject(state, { organizationId: 'acme', name, ...more })).project;

  describe('a project', () => {
    test('is made with a slug, a prefix for short ids, and a key', async () => {
      const { project, key } = await createProject(state, {
        organizationId: 'acme',
        name: ' Web Shop ',
        platform: 'javascript-react',
      });
      expect(project).toMatchObject({
        organizationId: 'acme',
        slug: 'web-shop',
        name: 'Web Shop',
        platform: 'javascript-react',
        shortIdPrefix: 'WEB-SHOP',
        settings: newSettings,
        firstEventAt: null,
        firstSpanAt: null,
      });
      expect(key).toMatchObject({ projectId: project.id, label: 'Default', isActive: true, rateLimit: null });
      expect(key.publicKey).toMatch(/^[0-9a-f]{32}$/);
      expect(await listKeys(state, project.id)).toEqual([key]);
    });

    test('is found by slug or id in its organisation only', async () => {
      const project = await make('Web');
      expect(await getProject(state, 'acme', 'web')).toEqual(project);
      expect(await getProject(state, 'acme', String(project.id))).toEqual(project);
      for (const [organization, id] of [
        ['other', 'web'],
        ['other', String(project.id)],
        ['acme', 'WEB'],
        ['acme', '999999'],
        ['acme', '99999999999999999999'],
        ['acme', "' or 1=1 --"],
      ] as const) {
        expect(await getProject(state, organization, id)).toBeUndefined();
      }
      expect(await listProjects(state, 'acme')).toEqual([project]);
      expect(await listProjects(state, 'other')).toEqual([]);
    });

    test('gets another slug when its name is taken, and another prefix when that is', async () => {
      const projects = [await make('Web'), await make('WEB'), await make('web', { organizationId: 'other' })];
      expect(projects.map(({ slug }) => slug)).toEqual(['web', 'web-2', 'web']);
      expect(projects.map(({ shortIdPrefix }) => shortIdPrefix)).toEqual(['WEB', 'WEB-2', 'WEB']);
      const long = [await make('customer-relationship-management-a'), await make('customer-relationship-management-b')];
      expect(long.map(({ shortIdPrefix }) => shortIdPrefix)).toEqual(['CUSTOMER', 'CUSTOMER-2']);
      await expect(make('x', { slug: 'web' })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
    });

    test('made several times at once has several slugs', async () => {
      const projects = await Promise.all(Array.from({ length: 5 }, () => make('Same')));
      expect(new Set(projects.map(({ slug }) => slug)).size).toBe(5);
    });

    test.each([
      [{ name: ' ' }, /Name must not be empty/],
      [{ name: 'x'.repeat(65) }, /at most 64/],
      [{ name: 'x', slug: '12' }, /Slug must/],
      [{ name: 'x', slug: 'Über' }, /Slug must/],
      [{ name: 'x', platform: 'a b' }, /Platform must/],
    ])('is refused with the reason: %j', async (input, reason) => {
      const refused = createProject(state, { organizationId: 'acme', ...input });
      await expect(refused).rejects.toMatchObject({ code: 'INPUT_INVALID', message: expect.stringMatching(reason) });
    });

    test('changes what is given and keeps the rest', async () => {
      const { id } = await make('Web');
      await make('Api');
      expect(await updateProject(state, id, { name: 'Shop' })).toMatchObject({ name: 'Shop', slug: 'web' });
      expect(await updateProject(state, id, { slug: 'shop', platform: 'node' })).toMatchObject({
        slug: 'shop',
        platform: 'node',
        shortIdPrefix: 'WEB',
      });
      await updateProject(state, id, { settings: { scrubData: false, sensitiveFields: ['iban'] } });
      const changed = await updateProject(state, id, { settings: { allowedDomains: ['*.example.com'] } });
      expect(changed?.settings).toEqual({
        ...newSettings,
        scrubData: false,
        sensitiveFields: ['iban'],
        allowedDomains: ['*.example.com'],
      });
      expect(await updateProject(state, id, {})).toEqual(changed);
      expect(await getProject(state, 'acme', 'shop')).toEqual(changed);
      await expect(updateProject(state, id, { slug: 'api' })).rejects.toMatchObject({ code: 'SLUG_TAKEN' });
      expect(await updateProject(state, 12345, { name: 'x' })).toBeUndefined();
    });

    test('refuses settings that it does not know or that are of another kind', async () => {
      const { id } = await make('Web');
      for (const settings of [
        { scrubData: 'yes' },
        { unknown: true },
        { sensitiveFields: [''] },
        { allowedDomains: ['a b'] },
        { safeFields: Array.from({ length: 201 }, () => 'x') },
      ]) {
        await expect(updateProject(state, id, { settings: settings as object })).rejects.toMatchObject({
          code: 'INPUT_INVALID',
        });
      }
    });

    test('with settings that cannot be read has the defaults', async () => {
      const { id } = await make('Web');
      for (const settings of ['', 'null', '[]', '{"scrubData":1,"sensitiveFields":["a"]}']) {
        await state.db.updateTable('project').set({ settings }).where('id', '=', id).execute();
        const project = await getProject(state, 'acme', 'web');
        expect(project?.settings).toEqual({
          ...defaultProjectSettings,
          sensitiveFields: settings.includes('"a"') ? ['a'] : [],
          // As projects that were made before there were two.
          grouping: { ...defaultProjectSettings.grouping, version: 'culprit:1' },
        });
      }
    });

    test('keeps rules as they were written, and says where others cannot be read', async () => {
      const { id } = await make('Web');
      const rules = '# ours\ntype:A -> a';
      const changed = await updateProject(state, id, { grouping: { fingerprintRules: rules } });
      expect(changed?.settings.grouping).toEqual({ ...defaultProjectSettings.grouping, fingerprintRules: rules });
      await expect(
        updateProject(state, id, { grouping: { fingerprintRules: 'tpye:A -> a', stackTraceRules: '\npath:x' } }),
      ).rejects.toMatchObject({
        code: 'RULES_INVALID',
        problems: [
          { field: 'fingerprintingRules', line: 1, column: 1, endColumn: 5 },
          { field: 'groupingEnhancements', line: 2, column: 7 },
        ],
      });
      expect(await getProject(state, 'acme', 'web')).toEqual(changed);
      // Other settings leave them alone.
      const other = await updateProject(state, id, { settings: { scrubData: false } });
      expect(other?.settings.grouping).toEqual(changed?.settings.grouping);
    });

    test('is made with the newest version of grouping, and notes from which it was changed', async () => {
      const { id } = await make('Web');
      const changed = await updateProject(state, id, { grouping: { version: 'culprit:1' } });
      expect(changed?.settings.grouping).toMatchObject({ version: 'culprit:1', previousVersion: 'culprit:3' });
      expect(changed?.settings.grouping.upgradedAt).toBeGreaterThan(0);
      expect(await updateProject(state, id, { grouping: { version: 'culprit:1' } })).toEqual(changed);
      const again = await updateProject(state, id, { grouping: { version: 'culprit:2' } });
      expect(again?.settings.grouping).toMatchObject({ previousVersion: 'culprit:1', olderVersions: ['culprit:3'] });
      const back = await updateProject(state, id, { grouping: { version: 'culprit:3' } });
      expect(back?.settings.grouping).toMatchObject({ previousVersion: 'culprit:2', olderVersions: ['culprit:1'] });
      await expect(updateProject(state, id, { grouping: { version: 'x' } })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });
    });

    test('is deleted with its keys', async () => {
      const { id } = await make('Web');
      expect([await deleteProject(state, id), await deleteProject(state, id)]).toEqual([true, false]);
      expect(await listKeys(state, id)).toEqual([]);
    });

    test('is forgotten once more a while after it was deleted: of what was under way then', async () => {
      const { id } = await make('Web');
      await make('Other');
      await deleteProject(state, id);
      const forgotten: number[] = [];
      const forget = async (projectId: number): Promise<void> => void forgotten.push(projectId);
      const later = Date.now() + 3 * 60_000;
      expect(await sweepDeleted(state, forget)).toEqual([]);
      await expect(sweepDeleted(state, () => Promise.reject(new Error('away')), later)).rejects.toThrow('away');
      expect(await sweepDeleted(state, forget, later)).toEqual([id]);
      expect(await sweepDeleted(state, forget, later)).toEqual([]);
      expect(forgotten).toEqual([id]);
      expect((await make('Web')).id).toBeGreaterThan(id);
    });
  });

  describe('a key', () => {
    test('is made, changed and deleted', async () => {
      const { id } = await make('Web');
      const key = await createKey(state, id, { label: 'Mobile', rateLimit: { count: 100, windowSeconds: 60 } });
      expect(key).toMatchObject({ label: 'Mobile', isActive: true, rateLimit: { count: 100, windowSeconds: 60 } });
      expect(await getKey(state, id, key.publicKey)).toEqual(key);
      expect(await getKey(state, id, String(key.id))).toEqual(key);
      expect(await updateKey(state, id, key.id, { isActive: false })).toEqual({ ...key, isActive: false });
      expect(await updateKey(state, id, key.id, { rateLimit: null, label: 'Old' })).toMatchObject({
        rateLimit: null,
        label: 'Old',
        isActive: false,
      });
      expect(await updateKey(state, id, key.id, {})).toMatchObject({ label: 'Old' });
      expect([await deleteKey(state, id, key.id), await deleteKey(state, id, key.id)]).toEqual([true, false]);
      expect(await updateKey(state, id, key.id, { label: 'x' })).toBeUndefined();
    });

    test('is reached through its own project only', async () => {
      const [web, api] = [await make('Web'), await make('Api')];
      const [key] = await listKeys(state, web.id);
      expect(await getKey(state, api.id, key!.publicKey)).toBeUndefined();
      expect(await updateKey(state, api.id, key!.id, { isActive: false })).toBeUndefined();
      expect(await deleteKey(state, api.id, key!.id)).toBe(false);
      expect(await listKeys(state, web.id)).toEqual([key]);
    });

    test('with a rate limit of nothing is refused', async () => {
      const { id } = await make('Web');
      await expect(createKey(state, id, { rateLimit: { count: 0, windowSeconds: 60 } })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
      });
    });
  });

  test('what a key took of blobs is summed by the day, by whoever adds, and an earlier day changes nothing', async () => {
    const { key } = await createProject(state, { organizationId: 'acme', name: 'Web' });
    expect(await addBlobBytes(state, key.id, 20_000, 0)).toBe(0);
    const gib = 2 ** 30;
    const sums = await Promise.all([3 * gib, gib].map((bytes) => addBlobBytes(state, key.id, 20_000, bytes)));
    expect(Math.max(...sums.map((sum) => sum ?? 0))).toBe(4 * gib);
    expect(await addBlobBytes(state, key.id, 20_001, 5)).toBe(5);
    expect(await addBlobBytes(state, key.id, 20_000, 7)).toBe(5);
    expect(await addBlobBytes(state, key.id, 20_001, 1)).toBe(6);
    expect(await addBlobBytes(state, 12_345, 20_001, 1)).toBeUndefined();
  });

  test('the directory knows keys, forgets on invalidation, and gives settings for processing', async () => {
    const { project, key } = await createProject(state, { organizationId: 'acme', name: 'Web' });
    const keys = createKeyDirectory({ state });
    const settings = createProjectSettings({ state, pseudonymKey: '00' });
    const expected = {
      keyId: key.id,
      projectId: project.id,
      organizationId: 'acme',
      isActive: true,
      rateLimit: null,
      blobBytesPerDay: 2 * 2 ** 30,
      aliases: [],
      settings: newSettings,
      quotas: [],
      timeZone: 'UTC',
      isMirrored: false,
    };
    expect(keys.lookup(key.publicKey)).toBeInstanceOf(Promise);
    expect(await keys.lookup(key.publicKey)).toEqual(expected);
    expect(keys.lookup(key.publicKey)).toEqual(expected);
    expect(await keys.lookup('0'.repeat(32))).toBeUndefined();
    expect(await settings.lookup(project.id)).toEqual(newSettings);
    expect(await settings.lookup(4711)).toBeUndefined();

    await updateKey(state, project.id, key.id, { isActive: false, rateLimit: { count: 5, windowSeconds: 60 } });
    await updateProject(state, project.id, { settings: { scrubData: false } });
    keys.invalidate();
    settings.invalidate();
    const changed = { ...newSettings, scrubData: false };
    expect(await keys.lookup(key.publicKey)).toEqual({
      ...expected,
      isActive: false,
      rateLimit: { count: 5, windowSeconds: 60 },
      settings: changed,
    });
    expect(await settings.lookup(project.id)).toEqual(changed);
    // What is read again is the same object, by which steps remember.
    const before = await settings.lookup(project.id);
    settings.invalidate();
    expect(await settings.lookup(project.id)).toBe(before);
  });
});

test('a DSN has the key, the address with its path, and the project', () => {
  expect(dsn('http://localhost:7420', 'k', 3)).toBe('http://k@localhost:7420/3');
  expect(dsn('https://errors.example.com/culprit/', 'k', 3)).toBe('https://k@errors.example.com/culprit/3');
});
