/** What of the state store goes out, on both databases, and that no column goes out that nobody named. */
import { expect, test } from 'vitest';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { createProject } from '../projects/index.ts';
import type { Scope } from './read.ts';
import { stateKinds } from './state.ts';

onEachDatabase('records of the state store', (databases) => {
  test('every kind is read, with nothing and with something in it', async () => {
    const state = await databases.migrated();
    const now = Date.now();
    await state.db
      .insertInto('organization')
      .values({ id: 'acme', name: 'Acme', slug: 'acme', logo: null, metadata: null, createdAt: new Date() })
      .execute();
    const read = async (projects: Scope['projects'], isPart = false) => {
      const scope = { organizationId: 'acme', organization: 'acme', projects, isPart };
      const all: Record<string, object[]> = {};
      for (const [kind, rows] of Object.entries(stateKinds)) {
        all[kind] = [];
        for await (const page of rows(state, scope)) all[kind].push(...page);
      }
      return all;
    };
    const empty = await read(new Map());
    expect(Object.entries(empty).filter(([, rows]) => rows.length > 0)).toEqual([
      ['organizations', [expect.objectContaining({ slug: 'acme', name: 'Acme' })]],
    ]);
    const { project } = await createProject(state, { organizationId: 'acme', name: 'Web' });
    const team = { organization_id: 'acme', slug: 'shop', name: 'Shop', created_at: now };
    const { id: teamId } = await state.db.insertInto('team').values(team).returning('id').executeTakeFirstOrThrow();
    await state.db
      .insertInto('team_project')
      .values({ team_id: teamId, project_id: project.id, created_at: now })
      .execute();
    const release = { organization_id: 'acme', version: 'shop@1', status: 'open', ref: null, url: null } as const;
    await state.db
      .insertInto('release')
      .values({ ...release, date_started: null, date_released: null, ordered_at: now, created_at: now })
      .execute();
    await state.db
      .insertInto('issue')
      .values({
        project_id: project.id,
        number: 1,
        status: 'archived',
        substatus: 'forever',
        level: 'error',
        title: 'Broken',
        culprit: '',
        platform: 'node',
        type: 'error',
        metadata: '{"type":"Error"}',
        first_seen: now,
        last_seen: now,
        first_release: null,
        last_release: null,
        status_changed_at: null,
        created_at: now,
        assignee_team_id: teamId,
      })
      .execute();
    const full = await read(new Map([[project.id, project.slug]]));
    expect(full).toMatchObject({
      teams: [{ slug: 'shop', members: [], projects: ['web'] }],
      projects: [{ slug: 'web', keys: [{ isActive: true, rateLimit: null }], aliases: [], ownership: null }],
      releases: [{ version: 'shop@1', projects: [], commits: [], deploys: [] }],
      issues: [
        {
          project: 'web',
          shortId: 'WEB-1',
          status: 'archived',
          assignee: { team: 'shop' },
          metadata: { type: 'Error' },
          firstSeen: new Date(now).toISOString(),
          activity: [],
        },
      ],
    });
    // Releases that none of the chosen projects uses are others'.
    expect((await read(new Map([[project.id, project.slug]]), true))['releases']).toEqual([]);
  });
});
