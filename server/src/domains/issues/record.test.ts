import { beforeEach, describe, expect, test } from 'vitest';
import type { ErrorRow } from '../../base/tables/errors.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import type { Recordable } from './record/sightings.ts';
import { recordBatch } from './record.ts';
import { maxWordsPerIssue } from './record/words.ts';

let state: State;
let projectId: number;

async function makeProject(slug: string): Promise<number> {
  await state.db
    .insertInto('organization')
    .values({ id: `org-${slug}`, name: slug, slug, logo: null, metadata: null, createdAt: new Date(0) })
    .execute();
  const { id } = await state.db
    .insertInto('project')
    .values({
      organization_id: `org-${slug}`,
      slug,
      name: slug,
      platform: '',
      short_id_prefix: slug.toUpperCase(),
      settings: '{}',
      created_at: 0,
      first_event_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const hash = (name: string): string => Buffer.from(name).toString('hex').padEnd(32, '0');

function event(hashes: readonly string[], facts: { at?: number; release?: string; project?: number } = {}): Recordable {
  const { at = 1_000, release = '', project = projectId } = facts;
  const row: ErrorRow = {
    project_id: project,
    group_hash: hash(hashes[0] ?? ''),
    group_hashes: hashes.map(hash),
    grouping_version: 'test:1',
    timestamp: at,
    received_at: at,
    event_id: crypto.randomUUID().replaceAll('-', ''),
    level: 'error',
    platform: 'node',
    environment: '',
    release,
    dist: '',
    transaction: '',
    title: 'TypeError: x',
    culprit: '',
    message: '',
    error_type: 'TypeError',
    error_value: 'x',
    issue_type: '',
    handled: 0,
    mechanism: '',
    user: '',
    user_id: '',
    user_email: '',
    user_username: '',
    user_ip: '',
    digest: '',
    trace_id: '',
    span_id: '',
    sdk_name: '',
    sdk_version: '',
    tags: {},
    missing_scripts: [],
    payload: '{}',
  };
  return {
    row,
    grouping: { version: 'test:1', hashes: hashes.map(hash), basis: 'exception', tree: [] },
    seed: { title: 'TypeError: x', culprit: '', level: 'error', platform: 'node', type: 'error', metadata: {} },
  };
}

const issues = () => state.db.selectFrom('issue').selectAll().orderBy('id').execute();

onEachDatabase('recordBatch', ({ migrated }) => {
  beforeEach(async () => {
    state = await migrated();
    projectId = await makeProject('web');
  });

  describe('first sight', () => {
    test('one issue per hash, numbered in order, with all hashes owned', async () => {
      const [recorded] = await recordBatch(state, [event(['a', 'sys']), event(['a', 'sys']), event(['b'])], 5);
      expect(recorded).toMatchObject({ projectId, count: 3, first: true });
      expect(recorded?.newIssueIds).toHaveLength(2);
      expect((await issues()).map((issue) => issue.number)).toEqual([1, 2]);
      expect(await state.db.selectFrom('issue_hash').selectAll().execute()).toHaveLength(3);
      expect((await recordBatch(state, [event(['c'])], 6))[0]).toMatchObject({ first: false });
      expect((await issues()).at(-1)?.number).toBe(3);
    });

    test('new for seven days from when it was first seen, however late that is known', async () => {
      const day = 86_400_000;
      const now = 100 * day;
      await recordBatch(state, [event(['a'], { at: now }), event(['late'], { at: now - 7 * day })], now);
      expect(await issues()).toMatchObject([
        { substatus: 'new', moves_at: now + 7 * day },
        { substatus: 'ongoing', moves_at: null },
      ]);
      await recordBatch(state, [event(['a'], { at: now - 6 * day }), event(['a'], { at: now + day })], now + day);
      expect((await issues())[0]).toMatchObject({ first_seen: now - 6 * day, moves_at: now + day });
    });

    test('what an import brings opens nothing again, and nobody is told of it', async () => {
      const brought = (name: string, at: number): Recordable => ({ ...event([name], { at }), imported: true });
      const types = async () =>
        (await state.db.selectFrom('issue_activity').select('type').orderBy('id').execute()).map(({ type }) => type);
      await recordBatch(state, [brought('a', 100), brought('a', 90)], 1_000);
      expect(await types()).toEqual(['imported']);
      await state.db.updateTable('issue').set({ status: 'resolved', substatus: null, status_changed_at: 50 }).execute();
      await recordBatch(state, [brought('a', 300)], 1_001);
      expect(await issues()).toMatchObject([{ status: 'resolved', first_seen: 90, last_seen: 300 }]);
      const until = () => state.db.selectFrom('project').select('imported_until').executeTakeFirstOrThrow();
      expect(await until()).toEqual({ imported_until: 300 });
      await recordBatch(state, [brought('a', 200)], 1_002);
      expect(await until()).toEqual({ imported_until: 300 });
      // One of a client in the same batch is news.
      await recordBatch(state, [brought('b', 400), event(['b'], { at: 500 })], 1_003);
      expect(await types()).toEqual(['imported', 'first_seen']);
      await recordBatch(state, [event(['a'], { at: 600 })], 1_004);
      expect(await types()).toEqual(['imported', 'first_seen', 'set_regression']);
    });

    test('a second hash that is known finds the issue and brings its first hash along', async () => {
      await recordBatch(state, [event(['a', 'sys'])], 5);
      const [recorded] = await recordBatch(state, [event(['other', 'sys'])], 6);
      expect(recorded?.newIssueIds).toEqual([]);
      expect(await issues()).toHaveLength(1);
      await recordBatch(state, [event(['other'])], 7);
      expect(await issues()).toHaveLength(1);
    });

    test('an owned hash is never moved', async () => {
      await recordBatch(state, [event(['a'])], 5);
      await recordBatch(state, [event(['b', 'shared'])], 6);
      await recordBatch(state, [event(['a', 'shared'])], 7);
      const owner = await state.db
        .selectFrom('issue_hash')
        .select('issue_id')
        .where('hash', '=', hash('shared'))
        .executeTakeFirst();
      expect(owner?.issue_id).toBe((await issues())[1]?.id);
    });

    test('hashes of one batch that overlap end in one issue', async () => {
      await recordBatch(state, [event(['a', 'sys']), event(['b', 'sys'])], 5);
      expect(await issues()).toHaveLength(1);
    });

    test('many batches at once make one issue', async () => {
      await Promise.all(Array.from({ length: 20 }, () => recordBatch(state, [event(['a']), event(['b'])], 5)));
      expect(await issues()).toHaveLength(2);
    });

    test('1,200 new hashes in one batch', async () => {
      await recordBatch(
        state,
        Array.from({ length: 1_200 }, (_, n) => event([`h${n}`])),
        5,
      );
      expect(await issues()).toHaveLength(1_200);
    });
  });

  describe('the words of built code', () => {
    /** `map` has the lines of the sources; without it the names are gone. */
    const said = (name: string, mapped: boolean, words = 'words'): Recordable => {
      const one = event([name]);
      return { ...one, grouping: { ...one.grouping, words: { hash: hash(words), mapped } } };
    };
    /** Each in a batch of its own; numbers of the issues, in the order of the events. */
    async function recorded(...events: Recordable[]): Promise<(number | undefined)[]> {
      for (const one of events) await recordBatch(state, [one], 5);
      const rows = await state.db
        .selectFrom('issue_hash')
        .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
        .select(['issue_hash.hash', 'issue.number'])
        .execute();
      const numbers = new Map(rows.map((row) => [row.hash, row.number]));
      return events.map(({ grouping }) => numbers.get(grouping.hashes[0] ?? ''));
    }

    test('bring an event without maps to the issue that has them, and the other way round', async () => {
      expect(await recorded(said('lines', true), said('no map', false))).toEqual([1, 1]);
      expect(await recorded(said('first', false, 'other'), said('then', true, 'other'))).toEqual([2, 2]);
    });

    test('do not join two places that say the same', async () => {
      expect(await recorded(said('here', true), said('there', true), said('no map', false))).toEqual([1, 2, 3]);
      expect(await recorded(said('a', false, 'x'), said('b', true, 'x'), said('c', true, 'x'))).toEqual([4, 4, 5]);
      expect(await recorded(said('d', false, 'y'), said('e', false, 'y'), said('f', true, 'y'))).toEqual([6, 7, 8]);
    });

    test('of a merged issue bring it what is its own, for the merge to be taken back', async () => {
      await recorded(said('one', false), event(['two']));
      const [one, two] = await issues();
      await state.db
        .updateTable('issue_hash')
        .set({ issue_id: two?.id, merged_from: one?.id })
        .where('issue_id', '=', one?.id ?? 0)
        .execute();
      await state.db
        .updateTable('issue')
        .set({ status: 'merged', merged_into: two?.id })
        .where('id', '=', one?.id ?? 0)
        .execute();
      expect(await recorded(said('lines', true))).toEqual([2]);
      const rows = await state.db
        .selectFrom('issue_hash')
        .select(['issue_id', 'merged_from'])
        .where('hash', '=', hash('lines'))
        .execute();
      expect(rows).toEqual([{ issue_id: two?.id, merged_from: one?.id }]);
      const words = await state.db.selectFrom('issue_words').select(['issue_id', 'state']).execute();
      expect(words).toEqual([{ issue_id: one?.id, state: 'taken' }]);
    });

    test('are remembered of an issue up to a bound, whatever its place says', async () => {
      const many = Array.from({ length: maxWordsPerIssue }, (_, n) => said('lines', true, `words ${n}`));
      for (const one of many) await recordBatch(state, [one], 5);
      await recordBatch(state, [said('lines', true, 'one more')], 5);
      const words = await state.db.selectFrom('issue_words').select('hash').execute();
      expect(words).toHaveLength(maxWordsPerIssue);
      expect(await recorded(said('no map', false, 'words 3'), said('nor here', false, 'one more'))).toEqual([1, 2]);
    });

    test('all in one batch, and once more', async () => {
      const batch = [said('lines', true), said('no map', false), said('other', true, 'z')];
      await recordBatch(state, batch, 5);
      await recordBatch(state, batch, 6);
      expect(await issues()).toHaveLength(2);
    });
  });

  describe('seen again', () => {
    test('times widen both ways, releases follow, and repeating changes nothing', async () => {
      await recordBatch(state, [event(['a'], { at: 500, release: 'r5' })], 5);
      const batch = [event(['a'], { at: 900, release: 'r9' }), event(['a'], { at: 100, release: 'r1' })];
      await recordBatch(state, batch, 6);
      const once = await issues();
      await recordBatch(state, batch, 7);
      expect(await issues()).toEqual(once);
      expect(once[0]).toMatchObject({ first_seen: 100, last_seen: 900, first_release: 'r5', last_release: 'r9' });
    });

    test.each([
      ['resolved', 2_000, 'unresolved', 'regressed'],
      ['resolved', 1_000, 'resolved', null],
      ['archived', 2_000, 'archived', null],
    ] as const)('%s at 1500, seen at %d: %s', async (status, at, expected, substatus) => {
      await recordBatch(state, [event(['a'], { at: 100 })], 5);
      await state.db.updateTable('issue').set({ status, substatus: null, status_changed_at: 1_500 }).execute();
      await recordBatch(state, [event(['a'], { at })], 6);
      expect((await issues())[0]).toMatchObject({ status: expected, substatus });
      const activity = await state.db.selectFrom('issue_activity').select('type').orderBy('id').execute();
      expect(activity.map((entry) => entry.type)).toEqual(
        substatus ? ['first_seen', 'set_regression'] : ['first_seen'],
      );
    });
  });

  test('events of a project that was deleted are left out, the others recorded', async () => {
    const recorded = await recordBatch(state, [event(['a']), event(['a'], { project: 999 })], 5);
    expect(recorded.map((project) => project.projectId)).toEqual([projectId]);
  });

  test('a project without a platform gets that of its first event, and keeps it', async () => {
    const platformOf = async (): Promise<string> =>
      (await state.db.selectFrom('project').select('platform').where('id', '=', projectId).executeTakeFirstOrThrow())
        .platform;
    const first = event(['a']);
    await recordBatch(state, [{ ...first, row: { ...first.row, sdk_name: 'sentry.python.django' } }], 5);
    expect(await platformOf()).toBe('python-django');
    await recordBatch(state, [event(['b'])], 6);
    expect(await platformOf()).toBe('python-django');
  });
});
