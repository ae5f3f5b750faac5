/** Releases in the state store, on both databases. */
import { expect, test } from 'vitest';
import type { Events } from '../../ports/events/events.ts';
import {
  createCodeMapping,
  createRepository,
  deleteRepository,
  linkContext,
  linkOf,
  listCodeMappings,
  suggestMappings,
} from '../repositories/index.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { createDeploy, deleteRelease, type ReleaseChange, saveRelease } from './commands.ts';
import { type ReportedCommit, listCommits } from './commits.ts';
import { factsOf, headsOf, listDeploys } from './facts.ts';
import { noteReleases } from './note.ts';
import { overflowsOf } from './overflow.ts';
import { findRelease, listReleases, neighboursOf, projectsOf, type ReleaseListRequest } from './queries.ts';
import { findSuspects } from './suspects.ts';

const organizationId = 'o';

async function makeProjects({ db }: State, count = 1): Promise<number[]> {
  const organization = { id: 'o', name: 'o', slug: 'o', logo: null, metadata: null, createdAt: new Date() };
  await db.insertInto('organization').values(organization).execute();
  const rows = await db
    .insertInto('project')
    .values(
      Array.from({ length: count }, (_, index) => ({
        organization_id: 'o',
        slug: `p${index}`,
        name: 'p',
        platform: '',
        short_id_prefix: `P${index}`,
        settings: '{}',
        created_at: 1,
        first_event_at: null,
      })),
    )
    .returning('id')
    .execute();
  return rows.map((row) => row.id).toSorted((a, b) => a - b);
}

const reportedCommit = (number: number, repository = 'origin'): ReportedCommit => ({
  id: String(number).padStart(40, '0'),
  repository,
  message: 'x',
  authorName: 'Ada',
  authorEmail: 'ada@example.com',
  committedAt: number,
  files: [{ path: `src/${number}.ts`, type: 'M' }],
});

const listed = async (state: State, request: Partial<ReleaseListRequest> = {}): Promise<string[]> =>
  (
    await listReleases(state, {
      organizationId,
      projectIds: undefined,
      environments: [],
      text: '',
      status: 'open',
      range: undefined,
      sort: 'date',
      offset: 0,
      limit: 100,
      ...request,
    })
  ).map((release) => release.version);

onEachDatabase('releases', (databases) => {
  test('events make releases, and repeating a batch changes nothing', async () => {
    const state = await databases.migrated();
    const [one = 0, two = 0] = await makeProjects(state, 2);
    const seen = [
      { projectId: one, release: 'a@1.0.0', firstSeen: 1_000, lastSeen: 2_000, environment: 'production' },
      { projectId: one, release: 'a@1.0.0', firstSeen: 500, lastSeen: 900, environment: 'staging' },
      { projectId: two, release: 'a@1.0.0', firstSeen: 3_000, lastSeen: 3_000 },
      { projectId: two, release: '', firstSeen: 3_000, lastSeen: 3_000 },
      { projectId: 999, release: 'gone', firstSeen: 1, lastSeen: 1 },
    ];
    const rows = () =>
      state.db
        .selectFrom('release_project')
        .select(['project_id', 'first_seen', 'last_seen'])
        .orderBy('project_id')
        .execute();
    await noteReleases(state, seen, 10_000);
    const first = [
      { project_id: one, first_seen: 500, last_seen: 2_000 },
      { project_id: two, first_seen: 3_000, last_seen: 3_000 },
    ];
    expect(await rows()).toEqual(first);
    await noteReleases(state, seen, 11_000);
    expect(await rows()).toEqual(first);
    expect(await listed(state)).toEqual(['a@1.0.0']);
    // The first time counts at once, the last one within a minute.
    await noteReleases(state, [{ projectId: two, release: 'a@1.0.0', firstSeen: 100, lastSeen: 4_000 }], 12_000);
    await noteReleases(
      state,
      [{ projectId: one, release: 'a@1.0.0', firstSeen: 600, lastSeen: 90_000, environment: 'production' }],
      12_000,
    );
    expect(await rows()).toEqual([
      { project_id: one, first_seen: 500, last_seen: 90_000 },
      { project_id: two, first_seen: 100, last_seen: 4_000 },
    ]);
    expect(await listed(state, { environments: ['staging'] })).toEqual(['a@1.0.0']);
    expect(await listed(state, { environments: ['staging'], projectIds: [two] })).toEqual([]);
  });

  test('several threads note the same release at once', async () => {
    const state = await databases.migrated();
    const [projectId = 0] = await makeProjects(state);
    const versions = Array.from({ length: 20 }, (_, index) => `v${index}`);
    await Promise.all(
      [1, 2, 3, 4].map((time) =>
        noteReleases(
          state,
          versions.map((release) => ({ projectId, release, firstSeen: time, lastSeen: time * 100_000 })),
          1_000_000,
        ),
      ),
    );
    expect((await listed(state)).toSorted()).toEqual(versions.toSorted());
  });

  const day = 86_400_000;
  const noted = (state: State, projectId: number, now: number, versions: readonly string[], limits: object = {}) =>
    noteReleases(
      state,
      versions.map((release) => ({ projectId, release, firstSeen: now, lastSeen: now })),
      now,
      { newReleases: 4, releases: 20, environments: 2, ...limits },
    );
  const invented = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `fake${from + index}`);

  test('of releases that events invent few are kept, and what comes again takes their place', async () => {
    const state = await databases.migrated();
    const [projectId = 0, other = 0] = await makeProjects(state, 2);
    await noted(state, projectId, day - 3_600_000, ['rare']);
    await noted(state, projectId, day, invented(50));
    expect(await listed(state)).toHaveLength(4);
    expect(await overflowsOf(state, [projectId, other], day)).toEqual([{ projectId, kind: 'release', names: 47 }]);
    await noted(state, projectId, day + 1, ['real']);
    expect(await listed(state)).not.toContain('real');
    await noted(state, projectId, day + 2_000, [...invented(50, 100), 'real']);
    expect(await listed(state)).toHaveLength(4);
    expect(await listed(state)).toContain('real');
    // Another project has room of its own.
    await noted(state, other, day + 2_000, ['elsewhere']);
    expect(await listed(state, { projectIds: [other] })).toEqual(['elsewhere']);
    // Who sends every invention twice turns no more than so much over, and what was seen longest stays.
    await noted(state, projectId, day + 70_000, ['real']);
    for (const now of [day + 71_000, day + 75_000]) await noted(state, projectId, now, invented(100, 1_000));
    expect(await listed(state)).toContain('real');
    expect(await listed(state)).toContain('rare');
    expect(await overflowsOf(state, [projectId], day + 3 * day)).toEqual([]);
  });

  test('what is seen in several minutes needs no room of inventions, nor does what is older than a day', async () => {
    const state = await databases.migrated();
    const [projectId = 0] = await makeProjects(state);
    for (const minute of [0, 1, 2]) await noted(state, projectId, day + minute * 61_000, ['a', 'b', 'c', 'd']);
    await noted(state, projectId, day + 200_000, ['e']);
    expect(await listed(state)).toEqual(['e', 'd', 'c', 'b', 'a']);
    await noted(state, projectId, 2 * day + 300_000, ['f', 'g', 'h', 'i']);
    expect((await listed(state)).toSorted()).toEqual([...'abcdefghi']);
  });

  test('what was made, deployed, sent with commits or uploaded for keeps its place', async () => {
    const state = await databases.migrated();
    const [projectId = 0] = await makeProjects(state);
    const upload = (release: string) =>
      state.db
        .insertInto('artifact_bundle')
        .values({
          organization_id: organizationId,
          checksum: release,
          release,
          dist: '',
          state: 'ok',
          detail: '',
          chunks: '[]',
          size_bytes: 1,
          file_count: 1,
          index_version: 1,
          created_at: 1,
          uploaded_at: 1,
        })
        .execute();
    await noted(state, projectId, day, ['deployed', 'made']);
    const { id } = (await findRelease(state, organizationId, 'deployed')) ?? { id: 0 };
    const deploy = { environment: 'e', name: '', url: '', dateStarted: null, dateFinished: 1 };
    await createDeploy(state, id, deploy, 1);
    await saveRelease(state, { organizationId, version: 'made' }, { projectIds: [] }, day);
    await noted(state, projectId, day + 1, invented(50));
    await upload('uploaded');
    await noted(state, projectId, day + 2, ['uploaded']);
    await saveRelease(state, { organizationId, version: 'later' }, { projectIds: [projectId] }, day);
    await noted(state, projectId, day + 3, ['later']);
    for (const now of [day + 2_000, day + 4_000]) await noted(state, projectId, now, invented(100, 1_000));
    const all = await listed(state);
    expect(all.filter((version) => !version.startsWith('fake')).toSorted()).toEqual([
      'deployed',
      'later',
      'made',
      'uploaded',
    ]);
    expect(all).toHaveLength(8);
  });

  test('all that events speak of is bounded, and what was not seen for the longest goes', async () => {
    const state = await databases.migrated();
    const [projectId = 0] = await makeProjects(state);
    for (let at = 1; at <= 10; at++) await noted(state, projectId, at * 2 * day, invented(4, at * 4));
    expect(await listed(state)).toHaveLength(20);
    expect(await listed(state)).not.toContain('fake4');
    expect(await listed(state)).toContain('fake40');
  });

  test('a release has so many environments, those of its deploys always, and what comes again gets in', async () => {
    const state = await databases.migrated();
    const [projectId = 0] = await makeProjects(state);
    const note = (now: number, ...environments: string[]) =>
      noteReleases(
        state,
        environments.map((environment) => ({ projectId, release: 'a', firstSeen: now, lastSeen: now, environment })),
        now,
        { newReleases: 4, releases: 20, environments: 3 },
      );
    const environments = async (): Promise<string[]> =>
      (await state.db.selectFrom('release_environment').select('environment').orderBy('environment').execute()).map(
        (row) => row.environment,
      );
    await note(1, 'x1', 'x2', 'x3', 'x4', 'x5');
    expect(await environments()).toEqual(['x1', 'x2', 'x3']);
    const { id } = (await findRelease(state, organizationId, 'a')) ?? { id: 0 };
    const deploy = { environment: 'live', name: '', url: '', dateStarted: null, dateFinished: 1 };
    await createDeploy(state, id, deploy, 1);
    await note(100, 'live', 'production');
    expect(await environments()).toEqual(['live', 'x1', 'x2', 'x3']);
    await note(2_000, 'production');
    expect(await environments()).toEqual(['live', 'production', 'x2', 'x3']);
    expect(await overflowsOf(state, [projectId], 2_000)).toEqual([{ projectId, kind: 'environment', names: 3 }]);
  });

  test('a release that events made is changed, finalized and deleted', async () => {
    const state = await databases.migrated();
    const [projectId = 0] = await makeProjects(state);
    const version = 'web@1.0.0 \u0000\ud800';
    await noteReleases(state, [{ projectId, release: 'web@1.0.0', firstSeen: 5, lastSeen: 5 }], 10);
    const changed = await saveRelease(
      state,
      { organizationId, version: 'web@1.0.0' },
      { projectIds: [projectId, projectId], dateReleased: 7, url: 'https://x.example' },
      20,
    );
    expect(changed).toMatchObject({ created: false, release: { createdAt: 5, orderedAt: 7, dateReleased: 7 } });
    const back = await saveRelease(
      state,
      { organizationId, version: 'web@1.0.0' },
      { projectIds: [], dateReleased: null },
      20,
    );
    expect(back.release).toMatchObject({ orderedAt: 5, dateReleased: null, url: 'https://x.example' });
    const odd = await saveRelease(state, { organizationId, version }, { projectIds: [] }, 20);
    expect(odd).toMatchObject({ created: true, release: { version: 'web@1.0.0 \uFFFD\uFFFD' } });
    await createDeploy(
      state,
      odd.release.id,
      { environment: 'e', name: '', url: '', dateStarted: null, dateFinished: 3 },
      20,
    );
    expect(await listDeploys(state, odd.release.id, { offset: 0, limit: 5 })).toMatchObject([{ dateFinished: 3 }]);
    await deleteRelease(state, odd.release.id);
    expect(await listed(state)).toEqual(['web@1.0.0']);
    expect(await projectsOf(state, back.release.id)).toEqual([projectId]);
  });

  test('commits are kept once, in the order of each release', async () => {
    const state = await databases.migrated();
    await makeProjects(state);
    const save = async (version: string, commits: ReportedCommit[]): Promise<number> => {
      const change = { projectIds: [], commits };
      return (await saveRelease(state, { organizationId, version }, change, 50)).release.id;
    };
    const one = await save('1.0.0', [reportedCommit(2), reportedCommit(1)]);
    const two = await save('1.1.0', [
      reportedCommit(3),
      reportedCommit(2),
      reportedCommit(2),
      reportedCommit(1, 'other'),
    ]);
    const page = { offset: 0, limit: 10, fileLimit: 1 };
    const shas = async (id: number, notIn?: number) =>
      (await listCommits(state, id, { ...page, notIn })).map(
        (commit) => `${commit.repository.name} ${commit.committedAt}`,
      );
    expect(await shas(one)).toEqual(['origin 2', 'origin 1']);
    expect(await shas(two)).toEqual(['origin 3', 'origin 2', 'other 1']);
    expect(await shas(two, one)).toEqual(['origin 3', 'other 1']);
    expect(await state.db.selectFrom('commit').select('id').execute()).toHaveLength(4);
    // What no database takes as it is, and what is too long.
    const hostile = {
      ...reportedCommit(9),
      message: 'a\0b\ud800',
      files: [
        { path: 'x'.repeat(5_000), type: 'M' },
        { path: '__proto__', type: '?' },
      ],
    };
    const three = await save('1.2.0', [hostile]);
    expect(await listCommits(state, three, page)).toMatchObject([
      { message: 'a\uFFFDb\uFFFD', files: [{ path: '__proto__', type: 'M' }] },
    ]);
    const many = await save(
      '2.0.0',
      Array.from({ length: 1_200 }, (_, index) => reportedCommit(index + 10)),
    );
    expect(await listCommits(state, many, { ...page, limit: 2_000 })).toHaveLength(1_200);
  });

  test('lists and neighbours', async () => {
    const state = await databases.migrated();
    const [one = 0, two = 0] = await makeProjects(state, 2);
    for (const [version, at, projectId] of [
      ['web@1.0.0', 10, one],
      ['web@1.1.0', 20, one],
      ['api@9.0.0', 25, two],
      ['web@1.0.1', 30, one],
      ['100%_sure', 40, one],
    ] as const) {
      await saveRelease(state, { organizationId, version }, { projectIds: [projectId], dateReleased: at }, 1);
    }
    expect(await listed(state)).toEqual(['100%_sure', 'web@1.0.1', 'api@9.0.0', 'web@1.1.0', 'web@1.0.0']);
    expect(await listed(state, { projectIds: [two] })).toEqual(['api@9.0.0']);
    expect(await listed(state, { projectIds: [] })).toEqual([]);
    expect(await listed(state, { text: 'WEB@1.0' })).toEqual(['web@1.0.1', 'web@1.0.0']);
    expect(await listed(state, { text: '0%_S' })).toEqual(['100%_sure']);
    expect(await listed(state, { range: { startMs: 25 } })).toEqual(['100%_sure', 'web@1.0.1', 'api@9.0.0']);
    expect(await listed(state, { range: { startMs: 15, endMs: 22 } })).toEqual(['web@1.1.0']);
    expect(await listed(state, { offset: 1, limit: 1 })).toEqual(['web@1.0.1', 'api@9.0.0']);
    await state.db
      .insertInto('issue')
      .values({
        project_id: one,
        number: 1,
        status: 'unresolved',
        substatus: null,
        level: 'error',
        title: '',
        culprit: '',
        platform: '',
        type: '',
        metadata: '{}',
        first_seen: 1,
        last_seen: 1,
        first_release: 'web@1.1.0',
        last_release: null,
        status_changed_at: null,
        created_at: 1,
      })
      .execute();
    expect((await listed(state, { sort: 'new' }))[0]).toBe('web@1.1.0');
    expect((await listed(state, { sort: 'new', projectIds: [one] }))[0]).toBe('web@1.1.0');
    const around = async (version: string, withCommits = false) => {
      const release = await findRelease(state, organizationId, version);
      if (!release) throw new Error(version);
      const { previous, next } = await neighboursOf(state, { release, projectIds: [one], withCommits });
      return [previous?.version, next?.version];
    };
    expect(await around('web@1.0.1')).toEqual(['web@1.0.0', 'web@1.1.0']);
    expect(await around('100%_sure')).toEqual([undefined, undefined]);
    expect(await around('web@1.1.0', true)).toEqual([undefined, undefined]);
    await saveRelease(
      state,
      { organizationId, version: 'web@1.0.0' },
      { projectIds: [], commits: [reportedCommit(1)] },
      1,
    );
    expect(await around('web@1.1.0', true)).toEqual(['web@1.0.0', undefined]);
  });

  test('what pages show of releases', async () => {
    const state = await databases.migrated();
    const [projectId = 0] = await makeProjects(state);
    const save = (version: string, change: Partial<ReleaseChange>) =>
      saveRelease(state, { organizationId, version }, { projectIds: [projectId], ...change }, 50);
    const { release: one } = await save('1.0.0', {
      commits: [reportedCommit(3), reportedCommit(2), { ...reportedCommit(1), authorEmail: 'b@x' }],
    });
    const { release: three } = await save('1.2.0', { commits: [reportedCommit(9, 'gone'), reportedCommit(2)] });
    await state.db.deleteFrom('repository').where('name', '=', 'gone').execute();
    const { release: two } = await save('1.1.0', {
      refs: [{ repository: 'acme/shop', commit: 'f'.repeat(40), previousCommit: null }],
    });
    for (const [environment, dateFinished] of [
      ['staging', 5],
      ['production', 9],
      ['canary', 7],
    ] as const) {
      await createDeploy(state, one.id, { environment, name: '', url: '', dateStarted: null, dateFinished }, 20);
    }
    // Without an event there is nothing to ask the events store for.
    const events = {} as Events;
    const facts = await factsOf({ state, events }, [one, two, three], { projectIds: [projectId], environments: [] });
    expect(facts.get(one.id)).toMatchObject({
      commits: 3,
      authors: [{ email: 'ada@example.com' }, { email: 'b@x' }],
      lastCommit: { committedAt: 3, repository: { name: 'origin' } },
      deploys: 3,
      lastDeploy: { environment: 'production' },
      events: 0,
      newIssues: 0,
      firstSeen: null,
    });
    expect(facts.get(two.id)).toMatchObject({
      commits: 0,
      deploys: 0,
      lastDeploy: undefined,
      lastCommit: { sha: 'f'.repeat(40), repository: { name: 'acme/shop' } },
    });
    expect(facts.get(three.id)).toMatchObject({ commits: 1, lastCommit: { committedAt: 2 } });
    expect(await headsOf(state, two.id)).toEqual([
      { repository: 'acme/shop', commit: 'f'.repeat(40), previousCommit: null },
    ]);
    await save('1.1.0', {
      refs: [{ repository: 'acme/shop', commit: 'e'.repeat(40), previousCommit: 'f'.repeat(40) }],
    });
    expect(await headsOf(state, two.id)).toMatchObject([{ commit: 'e'.repeat(40), previousCommit: 'f'.repeat(40) }]);
  });

  test('from a frame to a commit and a line', async () => {
    const state = await databases.migrated();
    const [projectId = 0] = await makeProjects(state);
    const project = { id: projectId, organizationId };
    const save = (version: string, at: number, commits: ReportedCommit[]) =>
      saveRelease(state, { organizationId, version }, { projectIds: [projectId], dateReleased: at, commits }, 50);
    await save('1.0.0', 10, [reportedCommit(1)]);
    await save('1.1.0', 20, [reportedCommit(2), reportedCommit(1)]);
    const frame = (filename: string) => ({ filename, absPath: null, function: null, lineNo: 7 });
    const find = async (filename: string, version: string | null = '1.1.0') =>
      findSuspects(state, organizationId, {
        version,
        frame: frame(filename),
        mappings: await listCodeMappings(state, organizationId, [projectId]),
      });
    expect(await find('../src/2.ts')).toMatchObject({
      suspects: [{ commit: { committedAt: 2 }, file: 'src/2.ts', how: 'suffix' }],
      since: { version: '1.0.0' },
      problem: undefined,
    });
    // It came with the release before.
    expect(await find('../src/1.ts')).toMatchObject({ suspects: [], problem: 'no_match' });
    expect(await find('../src/2.ts', '9.9.9')).toMatchObject({ problem: 'no_release' });
    expect(await find('../src/2.ts', null)).toMatchObject({ problem: 'no_release' });

    const repository = await createRepository(state, organizationId, { url: 'https://gitlab.com/acme/shop/' }, 1);
    expect(await suggestMappings(state, organizationId, [frame('../src/2.ts')], [])).toMatchObject([
      { repository: { id: repository.id, provider: 'gitlab' }, stackRoot: '../', sourceRoot: '' },
    ]);
    await createCodeMapping(state, projectId, { repository, stackRoot: '../', sourceRoot: '', branch: 'main' }, 1);
    expect(await find('../src/2.ts')).toMatchObject({ suspects: [{ how: 'mapped' }] });
    const link = async (release: string) => linkOf(frame('../src/2.ts'), await linkContext(state, project, release));
    // Commits of "origin" are those of the only repository that is mapped.
    expect(await link('1.1.0')).toBe(`https://gitlab.com/acme/shop/-/blob/${reportedCommit(2).id}/src/2.ts#L7`);
    expect(await link('unknown')).toBe('https://gitlab.com/acme/shop/-/blob/main/src/2.ts#L7');
    await deleteRepository(state, repository.id);
    expect(await link('1.1.0')).toBeUndefined();
  });
});
