/** Ownership rules over HTTP, and whom they assign, on real stores. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, recordIssues, store } from '../../domains/issues/testing/stores.ts';
import { openLoops } from '../../base/jobs/testing.ts';
import { createAssigner } from '../../domains/ownership/index.ts';
import { createFailures } from '../../base/self/index.ts';
import { openTeamApi, org, type TeamApi } from '../teams/testing.ts';

let api: TeamApi;
let send: TeamApi['send'];
let jane: TeamApi['jane'];

beforeAll(async () => {
  api = await openTeamApi();
  ({ send, jane } = api);
});
afterAll(() => api?.[Symbol.asyncDispose]());

describe('ownership', () => {
  const project = '/api/0/projects/acme/web';
  const payload = JSON.stringify({
    exception: { values: [{ stacktrace: { frames: [{ filename: 'src/payments/pay.ts', in_app: true, lineno: 3 }] } }] },
    request: { url: 'https://shop.example/pay' },
  });
  const issueOf = async (title: string) => {
    const row = await api.state.db
      .selectFrom('issue')
      .selectAll()
      .where('title', 'like', `%${title}%`)
      .executeTakeFirstOrThrow();
    return row;
  };

  test('rules that cannot be read or name nobody are refused with their places', async () => {
    const { status, body } = await send<{ ruleProblems: unknown[] }>('PUT', `${project}/ownership/`, {
      raw: 'path:src/* #payments\npath:lib/* #nobody who@example.com\nsrc',
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'RULES_INVALID',
      ruleProblems: [
        {
          field: 'raw',
          line: 2,
          column: 12,
          endColumn: 19,
          message: expect.stringContaining('team #nobody not found'),
        },
        { field: 'raw', line: 2, column: 20, message: expect.stringContaining('not a member') },
        { field: 'raw', line: 3 },
      ],
    });
    expect((await send('PUT', `${project}/ownership/`, { raw: '' }, jane)).status).toBe(403);
  });

  test('a file with names that nobody has says so until somebody says who they are', async () => {
    const { body } = await send<{ id: string }>('POST', `${project}/codeowners/`, {
      raw: '*.ts @octocat @acme/payments',
    });
    expect(body).toMatchObject({ rules: 1, unknown: ['@octocat'], problems: [] });
    const url = `${project}/codeowners/${body.id}/`;
    expect((await send('PUT', url, { names: { '@octocat': `user:${jane.userId}` } })).body).toMatchObject({
      unknown: [],
    });
    expect((await send('DELETE', url)).status).toBe(204);
  });

  test('tried rules say which one matches and why; nothing is saved', async () => {
    await store(api, [
      errorRow({
        project_id: api.projectId,
        group_hash: hash('tried'),
        error_value: 'tried',
        payload,
        tags: { area: 'x' },
      }),
    ]);
    const { id } = await issueOf('tried');
    const raw = 'path:src/* jane@example.com\npath:src/payments/* #payments\npath:lib/* #payments';
    const { body } = await send('POST', `${project}/ownership/test/`, { issue: String(id), raw });
    expect(body).toMatchObject({
      assignee: { type: 'team', slug: 'payments' },
      paths: ['src/payments/pay.ts'],
      url: 'https://shop.example/pay',
      rules: [
        { line: 2, decides: true, why: 'src/payments/pay.ts' },
        { line: 1, decides: false },
      ],
    });
    const preview = await send<{ issues: { id: string; owner: unknown }[]; unowned: number }>(
      'POST',
      `${project}/ownership/preview/`,
      { raw },
    );
    expect(preview.body.issues.find((one) => one.id === String(id))?.owner).toMatchObject({ slug: 'payments' });
    expect(preview.body.unowned).toBe(preview.body.issues.length - 1);
    expect(await api.get(`${project}/ownership/`)).toMatchObject({ raw: '', lastUpdated: null });
  });

  test('new issues go to their owners by themselves; what a person decided stays', async () => {
    await send('PUT', `${project}/ownership/`, { raw: 'path:src/payments/* #payments' });
    const { state, events, live } = api;
    const failures = createFailures({
      logger: { error: (fields, message) => void api.errors.push({ message, fields: { ...fields } }) },
    });
    await using assigner = openLoops([createAssigner({ state, events, live })], { failures, everyMs: 20 });
    expect(assigner).toBeDefined();
    // What was there before it first ran is left alone.
    await expect
      .poll(() => state.db.selectFrom('setting').selectAll().where('name', '=', 'ownership_read_to').execute())
      .toHaveLength(1);
    const event = (value: string) =>
      errorRow({ project_id: api.projectId, group_hash: hash(value), error_value: value, payload });
    await store(api, [event('auto one'), event('auto two')]);
    await expect.poll(async () => (await issueOf('auto two')).assignee_team_id, { timeout: 20_000 }).not.toBeNull();
    await expect.poll(async () => (await issueOf('auto one')).assignee_team_id, { timeout: 20_000 }).not.toBeNull();
    expect((await issueOf('tried')).assignee_team_id).toBeNull();
    const issue = await issueOf('auto one');
    const noted = await state.db
      .selectFrom('issue_activity')
      .selectAll()
      .where('issue_id', '=', issue.id)
      .where('type', '=', 'assigned')
      .execute();
    expect(noted.map(({ data, user_id }) => [JSON.parse(data), user_id])).toMatchObject([[{ why: 'ownership' }, null]]);
    // Somebody takes it off the team; then it comes back.
    const at = Date.now();
    await state.db.updateTable('issue').set({ assignee_team_id: null }).where('id', '=', issue.id).execute();
    const other = await issueOf('auto two');
    await state.db.updateTable('issue').set({ assignee_team_id: null }).where('id', '=', other.id).execute();
    const entry = { issue_id: issue.id, data: '{}', created_at: at };
    await state.db
      .insertInto('issue_activity')
      .values([
        { ...entry, type: 'unassigned', user_id: api.userId },
        { ...entry, type: 'set_regression', user_id: null },
        { ...entry, issue_id: other.id, type: 'set_regression', user_id: null },
      ])
      .execute();
    await expect.poll(async () => (await issueOf('auto two')).assignee_team_id, { timeout: 20_000 }).not.toBeNull();
    expect((await issueOf('auto one')).assignee_team_id).toBeNull();
    expect(api.errors).toEqual([]);
  });

  test('what a stopping server did not come to is given by the next', async () => {
    const { state, events, live } = api;
    const failures = createFailures({
      logger: { error: (fields, message) => void api.errors.push({ message, fields: { ...fields } }) },
    });
    const names = Array.from({ length: 30 }, (_, index) => `stopped ${index}`);
    await store(
      api,
      names.map((value) =>
        errorRow({ project_id: api.projectId, group_hash: hash(value), error_value: value, payload }),
      ),
    );
    const rows = await Promise.all(names.map((name) => issueOf(name)));
    const ids = rows.map(({ id }) => id);
    const free = async (): Promise<number> => {
      const left = state.db
        .selectFrom('issue')
        .select('id')
        .where('id', 'in', ids)
        .where('assignee_team_id', 'is', null);
      return (await left.execute()).length;
    };
    // Longer ago than what is read again anyway.
    const before = Date.now() - 120_000;
    await state.db.updateTable('issue_activity').set({ created_at: before }).where('issue_id', 'in', ids).execute();
    const assigners = new AsyncDisposableStack();
    // Stops once the first of them is given.
    const firstAssigned = new Promise<void>((resolve) => {
      const stop = live.subscribe((message) => {
        if (message.type !== 'issues' || !message.issueIds.some((id) => ids.includes(id))) return;
        stop();
        void assigners.disposeAsync().then(resolve);
      });
    });
    assigners.use(openLoops([createAssigner({ state, events, live })], { failures, everyMs: 20 }));
    await firstAssigned;
    expect(await free()).toBeGreaterThan(20);
    await using next = openLoops([createAssigner({ state, events, live })], { failures, everyMs: 20 });
    expect(next).toBeDefined();
    await expect.poll(free, { timeout: 20_000 }).toBe(0);
    expect(api.errors).toEqual([]);
  });

  test('an issue whose event is stored only after a crash and a late start is given to its owner too', async () => {
    const { state, events, live } = api;
    const failures = createFailures({ logger: { error: () => {} } });
    const value = 'stored late';
    const rows = [errorRow({ project_id: api.projectId, group_hash: hash(value), error_value: value, payload })];
    await recordIssues(api, rows);
    const { id } = await issueOf(value);
    const longAgo = { created_at: Date.now() - 600_000 };
    await state.db.updateTable('issue_activity').set(longAgo).where('issue_id', '=', id).execute();
    await using assigner = openLoops([createAssigner({ state, events, live })], { failures, everyMs: 20 });
    expect(assigner).toBeDefined();
    const entry = await state.db
      .selectFrom('issue_activity')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('issue_id', '=', id)
      .executeTakeFirstOrThrow();
    // It waits for the event, and would begin with it after another crash.
    await delay(200);
    const place = await state.db
      .selectFrom('setting')
      .select('value')
      .where('name', '=', 'ownership_read_to')
      .executeTakeFirstOrThrow();
    expect(Number(place.value)).toBeLessThan(Number(entry.id));
    await store(api, rows);
    await expect.poll(async () => (await issueOf(value)).assignee_team_id, { timeout: 20_000 }).not.toBeNull();
  });

  test('where so chosen, they go to the author of the suspect commit instead', async () => {
    const commit = {
      id: 'a'.repeat(40),
      repository: 'acme/shop',
      message: 'Pay twice\n\nmore',
      author_name: 'Jane',
      author_email: 'jane@example.com',
      timestamp: new Date().toISOString(),
      patch_set: [{ path: 'src/payments/pay.ts', type: 'M' }],
    };
    const release = { version: 'shop@9.9.9', projects: ['web'], commits: [commit] };
    expect((await send('POST', `${org}/releases/`, release)).status).toBeLessThan(300);
    await send('PUT', `${project}/ownership/`, { autoAssignment: 'Auto Assign to Suspect Commits' });
    const { state, events, live } = api;
    const failures = createFailures({
      logger: { error: (fields, message) => void api.errors.push({ message, fields: { ...fields } }) },
    });
    await using assigner = openLoops([createAssigner({ state, events, live })], { failures, everyMs: 20 });
    expect(assigner).toBeDefined();
    const value = 'by commit';
    const common = { project_id: api.projectId, group_hash: hash(value), error_value: value, payload };
    await store(api, [errorRow({ ...common, release: 'shop@9.9.9' })]);
    await expect.poll(async () => (await issueOf(value)).assignee_user_id, { timeout: 20_000 }).toBe(jane.userId);
    const { id } = await issueOf(value);
    const { owners } = await api.get<{ owners: { id: string; reasons: unknown[] }[] }>(`/api/0/issues/${id}/owners/`);
    expect(owners.find((one) => one.id === jane.userId)?.reasons).toEqual([
      { kind: 'commit', text: 'Pay twice', line: null, why: 'src/payments/pay.ts', commit: commit.id },
    ]);
  });

  test('owners are suggested with their reasons', async () => {
    const { id } = await issueOf('auto one');
    expect(await api.get(`/api/0/issues/${id}/owners/`)).toEqual({
      owners: [
        expect.objectContaining({
          type: 'team',
          slug: 'payments',
          reasons: [
            { kind: 'rule', text: 'path:src/payments/* #payments', line: 1, why: 'src/payments/pay.ts', commit: null },
          ],
        }),
      ],
    });
  });
});
