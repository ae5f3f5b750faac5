/** Where members see the projects of their teams only: real calls about a project of others, and what they tell of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testLogRow, testSpanRow } from '../ports/events/test-rows.ts';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { createProject } from '../domains/projects/index.ts';
import { enqueue } from '../domains/notify/index.ts';
import { stances } from './access-stances.ts';
import { addPerson, addTeam, callAs, join, narrow, type Person } from './access-testing.ts';
import { sortedEndpoints } from './access-table.ts';
import type { Endpoint } from './shared/endpoint.ts';
import { apiPrefix } from './shared/route-schema.ts';
import { openTestApi, type TestApi } from './testing.ts';

/** Stands in all that the other project has. */
const marker = 'zebra';
const traceId = hash('trace of others');
const eventId = hash('event of others');
const logId = '0190a1b2c3d47e5f8091a2b3c4d5e6f7';

let api: TestApi;
let outsider: Person;
let manager: Person;
let hidden: {
  id: number;
  issue: number;
  rule: number;
  feedback: number;
  mapping: number;
  saved: number;
  search: number;
};
let webTeam: number;
let theirTeam: number;

const rest = sortedEndpoints().filter(({ url, access }) => access !== 'public' && !/:(project|issue)\b/.test(url));

const made = async (url: string, payload: object, method: 'POST' | 'PUT' = 'POST'): Promise<number> => {
  const answer = await api.call({ method, url: `${apiPrefix}${url}`, payload });
  expect(answer.statusCode, `${url} ${answer.body}`).toBeLessThan(300);
  return Number(answer.json<{ id?: string }>().id ?? 0);
};

beforeAll(async () => {
  api = await openTestApi();
  webTeam = await narrow(api);
  const { project } = await createProject(api.state, { organizationId: api.organizationId, name: marker });
  theirTeam = await addTeam(api, 'Theirs', project.id);
  outsider = await addPerson(api, 'outsider', 'member');
  manager = await addPerson(api, 'manager', 'manager');
  for (const person of [outsider, manager]) await join(api, webTeam, person);
  const now = Date.now();
  const common = { project_id: project.id, environment: marker, release: `${marker}@1` };
  await store(api, [
    errorRow({ project_id: api.projectId, group_hash: hash('ours') }),
    errorRow({
      ...common,
      group_hash: hash('theirs'),
      event_id: eventId,
      trace_id: traceId,
      digest: '4242424242',
      platform: 'node',
      error_value: marker,
      tags: { secret: marker },
    }),
  ]);
  const span = { project_id: project.id, trace_id: traceId, span_id: 'a'.repeat(16), is_segment: 1 as const };
  const place = { started_at: (now - 60_000) * 1000, duration_us: 5000, description: marker, segment_name: marker };
  await api.events.insert('spans', [testSpanRow({ ...span, ...place, environment: marker })], 'spans');
  const log = { project_id: project.id, trace_id: traceId, timestamp: (now - 60_000) * 1000, body: marker };
  await api.events.insert('logs', [testLogRow({ ...log, log_id: logId } as never)], 'logs');
  await made('/organizations/acme/releases/', { version: `${marker}@1`, projects: [marker] });
  const { id: issue } = await api.state.db
    .selectFrom('issue')
    .select('id')
    .where('project_id', '=', project.id)
    .executeTakeFirstOrThrow();
  const condition = { kind: 'issue', conditions: [{ type: 'new_issue' }] };
  const rule = await made('/organizations/acme/alert-rules/', {
    ...condition,
    name: marker,
    projectIds: [String(project.id)],
  });
  await made('/organizations/acme/alert-rules/', { ...condition, name: `all, also ${marker}` });
  const { id: feedback } = await api.state.db
    .insertInto('feedback')
    .values({
      feedback_id: hash('feedback'),
      project_id: project.id,
      message: marker,
      name: '',
      email: '',
      url: '',
      kind: 'feedback',
      status: 'open',
      source: '',
      event_id: eventId,
      group_hash: '',
      replay_id: '',
      trace_id: '',
      release: '',
      environment: '',
      details: '{}',
      created_at: now,
      received_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const repository = await made('/organizations/acme/repos/', {
    name: 'acme/web',
    provider: 'github',
    url: 'https://github.com/acme/web',
  });
  const mapping = await made('/organizations/acme/code-mappings/', {
    project: marker,
    repoId: String(repository),
    stackRoot: marker,
    sourceRoot: '',
  });
  const visibility = 'organization';
  const search = await made('/organizations/acme/searches/', {
    type: 'issues',
    name: 'x',
    query: `project:${marker}`,
    visibility,
  });
  const question = { dataset: 'errors', field: ['title'], project: [marker] };
  const saved = await made('/organizations/acme/explore/saved/', { name: 'y', visibility, question });
  await enqueue(api.state.db, {
    key: 'theirs',
    organizationId: api.organizationId,
    to: { email: 'somebody@example.com' },
    notification: {
      kind: 'state',
      severity: 'info',
      title: marker,
      text: marker,
      url: 'http://culprit.test/',
      project: { id: project.id, slug: marker, name: marker },
      fields: [],
      groupKey: 'x',
    },
  });
  hidden = { id: project.id, issue, rule, feedback, mapping, saved, search };
});

afterAll(() => api[Symbol.asyncDispose]());

test('every call takes a stand', () => {
  const others = sortedEndpoints().filter(({ url }) => !/:(project|issue)\b/.test(url));
  expect(others.filter(({ id }) => !stances.has(id)).map(({ id }) => id)).toEqual([]);
  const known = new Set(others.map(({ id }) => id));
  expect([...stances.keys()].filter((id) => !known.has(id))).toEqual([]);
});

/** An address about the project of others. */
function addressOf({ id, url }: Endpoint): string {
  const path = url
    .replace(':org', 'acme')
    .replace(':event', eventId)
    .replace(':trace', traceId)
    .replace(':span', 'a'.repeat(16))
    .replace(':log', `${hidden.id}-${logId}`)
    .replace(':rule', String(hidden.rule))
    .replace(':version', `${marker}@1`)
    .replace(':feedback', String(hidden.feedback))
    .replace(':saved', String(hidden.saved))
    .replace(':shortId', 'ZEBRA-1')
    .replace(':item', `${hidden.id}-1-${'0'.repeat(16)}`)
    .replace(':key', 'secret')
    .replace(':team', 'theirs')
    .replaceAll(/:\w+/g, '1');
  return `${path}?${new URLSearchParams(queries[id] ?? {})}`;
}

const queries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  find: { q: '4242424242' },
  exploreAttributes: { itemType: 'spans' },
  exploreEvents: { field: 'title', dataset: 'errors', statsPeriod: '1h' },
  exploreTimeseries: { groupBy: 'title', dataset: 'errors', topEvents: '5' },
  exploreStats: { field: 'title', dataset: 'errors', topEvents: '5' },
  getTransaction: { transaction: marker, project: marker },
  getVitalCauses: { transaction: marker, project: marker },
  listTransactionOperations: { transaction: marker, project: marker },
  listTransactionSamples: { transaction: marker, project: marker },
  listSlowTags: { transaction: marker, project: marker },
  compareReleases: { from: `${marker}@1`, to: `${marker}@2` },
  listSessions: { field: 'sum(session)', groupBy: 'project' },
  listTraceLogs: { traceId },
};

const reading = rest.filter(({ method, id }) => method === 'GET' && id !== 'getLive' && stances.get(id) !== 'nobody');

describe('of a project of others', () => {
  test('nothing is told, and owners are told of it', async () => {
    const told: string[] = [];
    const toOwner: string[] = [];
    for (const endpoint of reading) {
      const url = addressOf(endpoint);
      const theirs = await callAs(api, outsider.session, { method: 'GET', url });
      // What was asked stands in answers to it.
      if (theirs.statusCode < 300 && theirs.body.replaceAll('"query":"', '').includes(marker)) {
        told.push(`${endpoint.id}: ${theirs.body.slice(0, 300)}`);
      }
      const all = await api.call({ method: 'GET', url: `${apiPrefix}${url}` });
      if (all.statusCode < 300 && all.body.includes(marker)) toOwner.push(endpoint.id);
    }
    expect(told).toEqual([]);
    console.log(
      `${reading.length} calls read; owners find the project of others in ${toOwner.length}:`,
      toOwner.join(' '),
    );
    expect(toOwner.length).toBeGreaterThan(25);
  });

  test('who names it hears that it is not there', async () => {
    const wrong: string[] = [];
    let asked = 0;
    for (const endpoint of reading) {
      const shape = (endpoint.query as { shape?: object } | undefined)?.shape ?? {};
      // Nothing is ever in that list.
      if (!('project' in shape) || endpoint.id === 'listMonitors') continue;
      asked++;
      const url = addressOf(endpoint);
      const by = url.includes('project=') ? url : `${url}&project=${hidden.id}`;
      const { statusCode } = await callAs(api, outsider.session, { method: 'GET', url: by });
      if (statusCode !== 404) wrong.push(`${endpoint.id}: ${statusCode}`);
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(25);
  });

  test.each<[method: 'POST' | 'PUT' | 'DELETE', url: () => string, body?: () => object]>([
    ['PUT', () => `/organizations/acme/issues/?id=${hidden.issue}`, () => ({ status: 'resolved' })],
    ['DELETE', () => `/organizations/acme/issues/?id=${hidden.issue}`],
    ['POST', () => '/organizations/acme/issues/bulk/', () => ({ ids: ['ZEBRA-1'], change: { status: 'resolved' } })],
    ['POST', () => '/organizations/acme/issues/bulk/', () => ({ project: [marker], change: { status: 'resolved' } })],
    ['PUT', () => `/organizations/acme/alert-rules/${hidden.rule}/`, () => ({ name: 'mine' })],
    ['PUT', () => `/organizations/acme/alert-rules/${hidden.rule + 1}/`, () => ({ name: 'mine' })],
    ['DELETE', () => `/organizations/acme/alert-rules/${hidden.rule}/`],
    ['POST', () => `/organizations/acme/alert-rules/${hidden.rule}/mute/`, () => ({ minutes: 5 })],
    ['PUT', () => `/organizations/acme/workflows/${hidden.rule}/`, () => ({ name: 'mine' })],
    ['DELETE', () => `/organizations/acme/workflows/${hidden.rule}/`],
    ['PUT', () => `/organizations/acme/workflows/?project=${marker}`, () => ({ enabled: false })],
    ['DELETE', () => `/organizations/acme/workflows/?project=${marker}`],
    [
      'POST',
      () => '/organizations/acme/workflows/',
      () => ({
        name: 'x',
        triggers: { conditions: [{ type: 'first_seen_event' }] },
        detectorIds: [String(hidden.id)],
      }),
    ],
    [
      'POST',
      () => '/organizations/acme/alert-rules/',
      () => ({ kind: 'issue', name: 'x', conditions: [{ type: 'new_issue' }], projectIds: [String(hidden.id)] }),
    ],
    [
      'POST',
      () => '/organizations/acme/events-compare/',
      () => ({ dataset: 'errors', project: [marker], selection: { query: 'a' } }),
    ],
    [
      'POST',
      () => '/organizations/acme/data-export/',
      () => ({ question: { dataset: 'errors', field: ['title'], project: [marker] } }),
    ],
    ['PUT', () => `/organizations/acme/explore/saved/${hidden.saved}/`, () => ({ name: 'mine' })],
    ['DELETE', () => `/organizations/acme/searches/${hidden.search}/`],
    ['DELETE', () => `/organizations/acme/feedback/${hidden.feedback}/`],
    ['POST', () => '/organizations/acme/digest-watches/', () => ({ digest: '4242424242', project: marker })],
    ['PUT', () => `/organizations/acme/code-mappings/${hidden.mapping}/`, () => ({ stackRoot: 'x' })],
    ['DELETE', () => `/organizations/acme/code-mappings/${hidden.mapping}/`],
    [
      'POST',
      () => '/organizations/acme/code-mappings/',
      () => ({ project: marker, repoId: '1', stackRoot: 'x', sourceRoot: '' }),
    ],
    [
      'POST',
      () => '/organizations/acme/code-mappings/bulk/',
      () => ({ project: marker, repository: 'acme/shop', mappings: [{ stackRoot: 'x', sourceRoot: '' }] }),
    ],
    ['PUT', () => '/organizations/acme/repos/1/', () => ({ name: 'x' })],
    ['DELETE', () => '/organizations/acme/repos/1/'],
    ['PUT', () => `/organizations/acme/releases/${marker}@1/`, () => ({ ref: 'x' })],
    ['DELETE', () => `/organizations/acme/releases/${marker}@1/`],
    ['POST', () => `/organizations/acme/releases/${marker}@1/deploys/`, () => ({ environment: 'x' })],
    ['POST', () => '/organizations/acme/releases/', () => ({ version: `${marker}@1`, projects: ['web'], ref: 'x' })],
    ['POST', () => '/organizations/acme/releases/', () => ({ version: 'new@1', projects: [marker] })],
    [
      'POST',
      () => '/organizations/acme/artifactbundle/assemble/',
      () => ({ checksum: 'a'.repeat(40), chunks: ['b'.repeat(40)], projects: [marker] }),
    ],
    ['PUT', () => '/teams/acme/theirs/', () => ({ name: 'Ours' })],
    ['PUT', () => '/teams/acme/web-team/', () => ({ projects: [marker] })],
    ['DELETE', () => '/teams/acme/theirs/'],
    ['POST', () => '/organizations/acme/members/me/teams/theirs/'],
    ['POST', () => '/organizations/acme/members/', () => ({ email: 'a@example.com', teams: ['theirs'] })],
    ['POST', () => '/organizations/acme/members/', () => ({ email: 'a@example.com' })],
    ['POST', () => '/teams/acme/theirs/projects/', () => ({ name: 'New' })],
    ['PUT', () => '/organizations/acme/', () => ({ memberAccess: 'all' })],
  ])('%s %s', async (method, url, body) => {
    for (const [who, { session }] of Object.entries({ outsider, manager })) {
      const answer = await callAs(api, session, { method, url: url(), ...(body && { payload: body() }) });
      expect(answer.statusCode, `${who}: ${answer.body}`).toBeOneOf([400, 403, 404]);
    }
  });

  test('and nothing was changed', async () => {
    const { db } = api.state;
    const row = await db.selectFrom('issue').selectAll().where('id', '=', hidden.issue).executeTakeFirstOrThrow();
    expect(row.status).toBe('unresolved');
    const rules = await db
      .selectFrom('alert_rule')
      .select(['name', 'muted_until'])
      .where('id', '>=', hidden.rule)
      .execute();
    expect(rules.map(({ name, muted_until }) => [name, muted_until])).toEqual([
      [marker, null],
      [`all, also ${marker}`, null],
    ]);
    const inTeam = await db.selectFrom('team_member').select('user_id').where('team_id', '=', theirTeam).execute();
    expect(inTeam).toEqual([]);
    const feedback = await db.selectFrom('feedback').select('id').execute();
    expect(feedback.length).toBe(1);
    const release = await db.selectFrom('release').select('ref').where('version', '=', `${marker}@1`).execute();
    expect(release).toEqual([{ ref: null }]);
  });
});

test('what somebody found while they saw it, they do not see any more', async () => {
  await join(api, theirTeam, outsider);
  const get = (url: string) => callAs(api, outsider.session, { method: 'GET', url: `/organizations/acme/${url}` });
  const watched = await callAs(api, outsider.session, {
    method: 'POST',
    url: '/organizations/acme/digest-watches/',
    payload: { digest: '4242424242' },
  });
  expect(watched.json(), watched.body).toMatchObject({ status: 'found' });
  const started = await callAs(api, outsider.session, {
    method: 'POST',
    url: '/organizations/acme/data-export/',
    payload: { question: { dataset: 'errors', field: ['title'], project: [marker] } },
  });
  const { id } = started.json<{ id: string }>();
  expect((await get(`data-export/${id}/`)).statusCode).toBe(200);
  const priority = async () =>
    (await api.state.db.selectFrom('issue').select('priority').where('id', '=', hidden.issue).executeTakeFirst())
      ?.priority;
  const changed = await callAs(api, outsider.session, {
    method: 'PUT',
    url: `/organizations/acme/issues/?id=${hidden.issue}`,
    payload: { priority: 'low' },
  });
  expect(changed.statusCode, changed.body).toBe(200);
  const { undo } = changed.json<{ undo: { id: string } }>();
  const before = await priority();
  await api.state.db.deleteFrom('team_member').where('team_id', '=', theirTeam).execute();
  for (const url of ['digest-watches/', 'data-export/', 'find/?q=4242424242']) {
    const answer = await get(url);
    expect(answer.statusCode, url).toBe(200);
    expect(answer.body, url).not.toContain(marker);
  }
  expect((await get(`data-export/${id}/`)).statusCode).toBe(404);
  const undone = await callAs(api, outsider.session, {
    method: 'POST',
    url: `/organizations/acme/issues/bulk/${undo.id}/undo/`,
  });
  expect(undone.json(), undone.body).toMatchObject({ code: 'UNDO_REFUSED' });
  expect(await priority()).toBe(before);
});

describe('what is theirs, members change as before', () => {
  test('an alert rule of all projects is one of those that its maker sees', async () => {
    const payload = { kind: 'issue', name: 'mine', conditions: [{ type: 'new_issue' }] };
    const answer = await callAs(api, outsider.session, {
      method: 'POST',
      url: '/organizations/acme/alert-rules/',
      payload,
    });
    expect(answer.json()).toMatchObject({ projectIds: [String(api.projectId)] });
  });

  test('nobody gets an issue that they cannot see, by whomever', async () => {
    const answer = await api.call({
      method: 'PUT',
      url: `${apiPrefix}/issues/${hidden.issue}/`,
      payload: { assignedTo: `user:${outsider.userId}` },
    });
    expect(answer.json()).toMatchObject({ code: 'INPUT_INVALID' });
    const row = await api.state.db.selectFrom('issue').selectAll().where('id', '=', hidden.issue).executeTakeFirst();
    expect(row?.assignee_user_id).toBeNull();
  });

  test('a manager makes a project for their teams, and moves people among them', async () => {
    const post = (url: string, payload: object, method: 'POST' | 'PUT' | 'DELETE' = 'POST') =>
      callAs(api, manager.session, { method, url: `/organizations/acme/${url}`, payload });
    expect((await post('projects/', { name: 'Managed' })).statusCode).toBe(201);
    const seen = await callAs(api, outsider.session, { method: 'GET', url: '/projects/acme/managed/' });
    expect(seen.statusCode).toBe(200);
    const invited = await post('members/', { email: 'new@example.com', role: 'viewer', teams: ['web-team'] });
    expect(invited.statusCode, invited.body).toBe(201);
    expect((await post('members/', { email: 'b@example.com', role: 'admin', teams: ['web-team'] })).statusCode).toBe(
      403,
    );
    const loner = await addPerson(api, 'loner', 'member');
    const members = (await callAs(api, manager.session, { method: 'GET', url: '/organizations/acme/members/' })).json<
      { id: string; user: { id: string } | null }[]
    >();
    const id = members.find(({ user }) => user?.id === loner.userId)?.id;
    expect((await post(`members/${id}/`, { role: 'viewer' }, 'PUT')).json()).toMatchObject({ code: 'TEAM_NOT_YOURS' });
    expect((await post(`members/${id}/teams/web-team/`, {})).statusCode).toBe(201);
    expect((await post(`members/${id}/`, { role: 'viewer' }, 'PUT')).statusCode).toBe(200);
    await join(api, theirTeam, loner);
    expect((await post(`members/${id}/`, {}, 'DELETE')).json()).toMatchObject({ code: 'TEAM_NOT_YOURS' });
    expect((await post(`members/${id}/`, { teams: ['web-team'] }, 'PUT')).statusCode).toBe(403);
    expect((await post(`members/${id}/teams/web-team/`, {}, 'DELETE')).statusCode).toBe(200);
  });
});
