/** Feedback under the names that Sentry's clients have for it: a list and single ones, field by field, and what is no search of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ItemRow } from '../../base/tables/items.ts';
import { feedbackNamed, recordFeedback } from '../../domains/feedback/index.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { createProject } from '../../domains/projects/index.ts';
import { addPerson, addTeam, callAs, join, narrow } from '../access-testing.ts';
import { openTestApi, type TestApi } from '../testing.ts';
import { readFeedbackSearch } from './feedback.ts';

let api: TestApi;
const org = '/organizations/acme';
const issues = `${org}/issues/?query=`;
const at = Date.now() - 60_000;

interface Shown {
  readonly id: string;
  readonly shortId: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const said = (name: string, message: string, projectId: number, more: object = {}): ItemRow => {
  const contexts = {
    feedback: { message, name: 'Ada', contact_email: 'ada@example.com', url: 'https://shop.example.com/' },
  };
  const payload = JSON.stringify({
    contexts,
    environment: 'production',
    release: 'shop@1.2.0',
    tags: { plan: 'pro' },
    ...more,
  });
  return {
    project_id: projectId,
    received_at: at,
    item_type: 'feedback',
    category: 'feedback',
    outcome: 'accepted',
    reason: '',
    detail: '',
    event_id: hash(name),
    headers: '{}',
    size_bytes: payload.length,
    payload,
    blob_key: '',
  };
};

async function get<T = Shown[]>(path: string, token?: string): Promise<{ status: number; body: T }> {
  const answer = await api.call({ method: 'GET', url: `/api/0${path}`, ...(token !== undefined && { token }) });
  return { status: answer.statusCode, body: answer.json<T>() };
}

beforeAll(async () => {
  api = await openTestApi();
  const { project } = await createProject(api.state, { organizationId: api.organizationId, name: 'zebra' });
  await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('a') })]);
  await recordFeedback(
    api,
    [
      said('one', 'The button does nothing\nat all', api.projectId),
      said('two', 'Slow on my phone', api.projectId, { environment: 'staging' }),
      said('theirs', 'Of others', project.id),
    ],
    () => Promise.resolve(''),
  );
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const find = async (words: string, more = ''): Promise<string[]> =>
  (await get(`${issues}${encodeURIComponent(`issue.category:feedback ${words}`)}${more}`)).body.map(
    ({ metadata }) => metadata['message'] ?? '',
  );

test('a list of issues of the category has it, and no other list does', async () => {
  const { body } = await get(`${issues}issue.category:feedback%20status:unresolved%20button&statsPeriod=14d`);
  expect(body).toEqual([
    expect.objectContaining({
      id: expect.stringMatching(/^1\d{10}$/) as string,
      shortId: expect.stringMatching(/^WEB-F\d+$/) as string,
      title: 'User Feedback: The button does nothing',
      culprit: 'https://shop.example.com/',
      status: 'unresolved',
      issueType: 'feedback',
      issueCategory: 'feedback',
      count: '1',
      userCount: 1,
      firstSeen: new Date(at).toISOString(),
      lastSeen: new Date(at).toISOString(),
      project: expect.objectContaining({ slug: 'web' }) as unknown,
      metadata: {
        title: 'User Feedback',
        value: 'The button does nothing\nat all',
        message: 'The button does nothing\nat all',
        name: 'Ada',
        contact_email: 'ada@example.com',
      },
    }),
  ]);
  expect((await get(`${issues}`)).body).toMatchObject([{ issueCategory: 'error' }]);
  expect((await get(`${issues}issue.category:error`)).body).toMatchObject([{ issueCategory: 'error' }]);
});

test('by words, status, project and environment, page by page', async () => {
  expect((await find('')).toSorted()).toEqual(['Of others', 'Slow on my phone', 'The button does nothing\nat all']);
  expect(await find('is:resolved')).toEqual([]);
  expect(await find('', '&environment=staging')).toEqual(['Slow on my phone']);
  expect(await find('project:zebra')).toEqual(['Of others']);
  expect(await find('', `&project=${api.projectId}&limit=1`)).toHaveLength(1);
  const first = await api.call({ method: 'GET', url: `/api/0${issues}issue.category:feedback&limit=1` });
  expect(first.headers['link']).toContain('rel="next"; results="true"; cursor="0:1:0"');
});

test('what it is not searched by is said', async () => {
  expect(readFeedbackSearch('is:unresolved TypeError')).toBeUndefined();
  expect(readFeedbackSearch('"category:feedback"')).toBeUndefined();
  for (const words of ['level:error', '!status:resolved', 'a OR b', 'status:escalating', 'has:release', '(a b)']) {
    const { status, body } = await get<{ detail: string }>(
      `${issues}${encodeURIComponent(`issue.category:feedback ${words}`)}`,
    );
    expect([words, status, body.detail]).toEqual([
      words,
      400,
      expect.stringContaining('feedback is searched by words'),
    ]);
  }
});

describe('one of them', () => {
  test('by ID and by short ID, with its event', async () => {
    const [{ id, shortId } = { id: '', shortId: '' }] = (await get(`${issues}issue.category:feedback%20button`)).body;
    const shown = { id, shortId, issueCategory: 'feedback', metadata: { contact_email: 'ada@example.com' } };
    for (const path of [`/issues/${id}/`, `${org}/issues/${id}/`, `${org}/issues/${shortId}/`]) {
      expect(await get(path)).toMatchObject({ status: 200, body: shown });
    }
    const named = await get<object>(`${org}/shortids/${shortId.toLowerCase()}/`);
    expect(named.body).toMatchObject({ groupId: id, shortId, projectSlug: 'web', group: shown });
    for (const which of ['latest', hash('one')]) {
      expect((await get<object>(`${org}/issues/${id}/events/${which}/`)).body).toMatchObject({
        eventID: hash('one'),
        groupID: id,
        environment: 'production',
        release: { version: 'shop@1.2.0' },
        user: { name: 'Ada', email: 'ada@example.com' },
        contexts: { feedback: { message: 'The button does nothing\nat all', url: 'https://shop.example.com/' } },
        tags: expect.arrayContaining([{ key: 'plan', value: 'pro' }]) as unknown,
      });
    }
    expect((await get(`${org}/issues/${id}/events/${hash('two')}/`)).status).toBe(404);
    // What is done to issues is not done to it.
    for (const part of ['hashes', 'activities', 'tags']) expect((await get(`/issues/${id}/${part}/`)).status).toBe(404);
  });

  test('has a status that is changed, and nothing else', async () => {
    const [{ id } = { id: '' }] = (await get(`${issues}issue.category:feedback%20phone`)).body;
    const put = async (payload: object, token?: string) => {
      const url = `/api/0${org}/issues/${id}/`;
      const answer = await api.call({ method: 'PUT', url, payload, ...(token !== undefined && { token }) });
      return { status: answer.statusCode, body: answer.json<{ status: string; detail: string }>() };
    };
    for (const [status, mailbox] of [
      ['resolved', 'resolved'],
      ['ignored', 'ignored'],
      ['unresolved', 'unresolved'],
    ] as const) {
      expect((await put({ status })).body).toMatchObject({
        id,
        status: mailbox,
        issueCategory: 'feedback',
        undo: null,
      });
      expect(await find(`status:${mailbox} phone`)).toEqual(['Slow on my phone']);
    }
    for (const change of [{ assignedTo: 'me' }, { status: 'resolved', priority: 'low' }, {}]) {
      const { status, body } = await put(change);
      expect([status, body.detail]).toEqual([400, expect.stringContaining('only the status can be changed')]);
    }
    expect((await put({ status: 'resolved' }, await api.makeToken('event:read'))).status).toBe(403);
    expect(await find('status:unresolved phone')).toEqual(['Slow on my phone']);
  });

  test('no ID of an issue is one, and no number is too large', async () => {
    expect(feedbackNamed('123456789')).toBeUndefined();
    expect(feedbackNamed('WEB-12')).toBeUndefined();
    expect(feedbackNamed('web-f12')).toEqual({ id: 12, prefix: 'WEB' });
    for (const name of [
      '19999999999',
      '10000000000',
      '10000000999',
      'WEB-F999999999',
      'NONE-F1',
      `${'x'.repeat(90)}-F1`,
    ]) {
      expect([name, (await get(`${org}/issues/${name}/`)).status]).toEqual([name, 404]);
    }
    expect(api.errors).toEqual([]);
  });

  test('strangers, tokens without the scope, and who does not see its project find nothing', async () => {
    const theirs = (await get(`${issues}issue.category:feedback%20others`)).body[0]?.id ?? '';
    expect((await get(`/issues/${theirs}/`, '')).status).toBe(401);
    expect((await get(`/issues/${theirs}/`, await api.makeToken('org:read'))).status).toBe(403);
    const team = await narrow(api);
    const outsider = await addPerson(api, 'outsider', 'member');
    await addTeam(api, 'Nobody', api.projectId);
    await join(api, team, outsider);
    const seen = async (url: string) => callAs(api, outsider.session, { method: 'GET', url });
    expect((await seen(`${org}/issues/${theirs}/`)).statusCode).toBe(404);
    expect((await seen(`${org}/issues/${theirs}/events/latest/`)).statusCode).toBe(404);
    expect((await seen(`${issues}issue.category:feedback`)).body).not.toContain('Of others');
    expect((await seen(`${issues}issue.category:feedback`)).body).toContain('Slow on my phone');
  });
});
