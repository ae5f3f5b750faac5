/** Merging, taking apart, similar issues, rules and their previews, over the API on real stores. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSettings } from '../../domains/projects/index.ts';
import { sendEvents } from '../../domains/regroup/testing/send.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api[Symbol.asyncDispose]());

const prefix = '/api/0';
const thrown = (functions: readonly string[], value = 'x', type = 'PayError') => ({
  platform: 'node',
  exception: {
    values: [
      {
        type,
        value,
        stacktrace: {
          frames: functions.map((name) => ({
            function: name,
            filename: `/app/src/${name}.js`,
            abs_path: `/app/src/${name}.js`,
            in_app: true,
          })),
        },
      },
    ],
  },
});

async function send(...events: object[]): Promise<string[]> {
  const { settings } = await api.state.db
    .selectFrom('project')
    .select('settings')
    .where('id', '=', api.projectId)
    .executeTakeFirstOrThrow();
  return sendEvents(api, api.projectId, events, { settings: parseSettings(settings) });
}

interface Listed {
  id: string;
  shortId: string;
  count: string;
  title: string;
}
const list = async () => api.get<Listed[]>(`${prefix}/organizations/acme/issues/?query=&sort=new`);
const issueOf = async (eventId: string): Promise<string> => {
  const found = await api.get<{ groupId: string }>(`${prefix}/organizations/acme/eventids/${eventId}/`);
  return found.groupId;
};
const call = async (method: 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
  api.call({ method, url: `${prefix}${url}`, ...(payload && { payload }) });

describe('two issues merged', () => {
  let parent: string;
  let child: string;

  test('the list has one, with the events of both', async () => {
    const ids = await send(thrown(['a', 'charge'], 'one'), thrown(['a', 'charge'], 'two'), thrown(['b', 'charge']));
    parent = await issueOf(ids[0] ?? '');
    child = await issueOf(ids[2] ?? '');
    const answer = await call('PUT', `/organizations/acme/issues/?id=${child}&id=${parent}`, { merge: true });
    expect(answer.json()).toMatchObject({ merge: { parent, children: [child] }, issueIds: [] });
    expect(await list()).toMatchObject([{ id: parent, count: '3' }]);
  });

  test('its address, its short id and its events lead to the parent, which says so', async () => {
    const detail = await api.get<{ id: string; mergedFrom: object }>(`${prefix}/issues/${child}/`);
    expect(detail).toMatchObject({ id: parent, mergedFrom: { id: child, shortId: 'WEB-2' } });
    expect(await api.get(`${prefix}/organizations/acme/issues/WEB-2/`)).toMatchObject({ id: parent });
    expect(await api.get(`${prefix}/organizations/acme/shortids/WEB-2/`)).toMatchObject({ groupId: parent });
    expect(await api.get(`${prefix}/organizations/acme/issues/?query=WEB-2`)).toMatchObject([{ id: parent }]);
    expect(await api.get(`${prefix}/issues/${parent}/`)).toMatchObject({ mergedFrom: null });
    expect(await api.get(`${prefix}/issues/${parent}/merges/`)).toMatchObject([
      { issue: { id: child, shortId: 'WEB-2' }, events: 1, by: { email: 'dev@example.com' } },
    ]);
  });

  test('a rule that makes it last; once saved, events of a new kind go there', async () => {
    const { rule, why } = await api.get<{ rule: string; why: string }>(`${prefix}/issues/${parent}/suggested-rule/`);
    expect(rule).toBe('error.type:PayError stack.function:charge -> payerror-charge');
    expect(why).toContain('charge');
    const saved = await call('PUT', '/projects/acme/web/', { fingerprintingRules: rule });
    expect(saved.statusCode).toBe(200);
    const [id = ''] = await send(thrown(['never', 'seen', 'charge'], 'three'));
    expect(await issueOf(id)).toBe(parent);
    await call('PUT', '/projects/acme/web/', { fingerprintingRules: '' });
  });

  test('taken back it stands for itself, and may be merged and taken back with others', async () => {
    const one = await call('DELETE', `/issues/${parent}/merges/${child}/`);
    expect(one.json()).toMatchObject({ issues: [{ id: child, shortId: 'WEB-2' }] });
    expect((await list()).map(({ id }) => id).toSorted()).toEqual([parent, child].toSorted());
    expect(await api.get(`${prefix}/issues/${child}/`)).toMatchObject({ id: child, mergedFrom: null, count: '1' });
    expect((await call('DELETE', `/issues/${parent}/merges/${child}/`)).statusCode).toBe(404);
    await call('PUT', `/organizations/acme/issues/?id=${child}&id=WEB-1`, { merge: true, mergeInto: 'WEB-2' });
    expect(await api.get(`${prefix}/issues/${parent}/`)).toMatchObject({ id: child });
    expect((await call('DELETE', `/organizations/acme/issues/WEB-2/merges/?id=WEB-1`)).json()).toMatchObject({
      issues: [{ id: parent }],
    });
  });

  test('what cannot be is said', async () => {
    const alone = await call('PUT', `/organizations/acme/issues/?id=${child}`, { merge: true });
    expect(alone.json()).toMatchObject({ code: 'MERGE_REFUSED', status: 409 });
    const both = { merge: true, status: 'resolved' };
    expect((await call('PUT', `/organizations/acme/issues/?id=${child}`, both)).statusCode).toBe(400);
    expect((await call('PUT', `/organizations/acme/issues/?id=${child}`, {})).statusCode).toBe(400);
    expect((await call('DELETE', `/issues/${parent}/merges/`)).statusCode).toBe(400);
    const reader = await api.makeToken('event:read');
    const url = `${prefix}/organizations/acme/issues/?id=${child}&id=${parent}`;
    expect((await api.call({ method: 'PUT', url, payload: { merge: true }, token: reader })).statusCode).toBe(403);
  });

  test('similar issues with what differs; not the same is remembered', async () => {
    interface Similar {
      issue: { id: string; count: number };
      differing: object[];
    }
    const similar = () => api.get<Similar[]>(`${prefix}/issues/${parent}/similar/`);
    expect((await similar()).find(({ issue }) => issue.id === child)).toMatchObject({
      issue: { count: 1, status: 'unresolved' },
      why: 'frames',
      differing: [{ kind: 'frame', here: 'a in a.js', there: 'b in b.js' }, { kind: 'message' }],
    });
    const url = `/issues/${parent}/similar/WEB-2/dismissal/`;
    expect((await call('POST', url)).statusCode).toBe(204);
    expect((await similar()).some(({ issue }) => issue.id === child)).toBe(false);
    expect((await call('DELETE', url)).statusCode).toBe(204);
    expect((await similar()).some(({ issue }) => issue.id === child)).toBe(true);
    expect((await call('POST', `/issues/${parent}/similar/${parent}/dismissal/`)).statusCode).toBe(404);
  });

  test('a hash moved out makes an issue of its own', async () => {
    await call('PUT', `/organizations/acme/issues/?id=${child}&id=${parent}`, { merge: true, mergeInto: parent });
    const hashes = await api.get<{ hash: string; count: number }[]>(`${prefix}/issues/${parent}/hashes/`);
    const single = hashes.find(({ count }) => count === 1)?.hash ?? '';
    const answer = await call('DELETE', `/organizations/acme/issues/WEB-1/hashes/?id=${single}`);
    expect(answer.json()).toMatchObject({ issue: { shortId: expect.stringMatching(/^WEB-\d+$/) } });
    const moved = answer.json<{ issue: { id: string } }>().issue.id;
    expect(await api.get(`${prefix}/issues/${moved}/`)).toMatchObject({ count: '1', status: 'unresolved' });
  });
});

test('how an event is grouped: a hash for each variant, the primary one marked', async () => {
  const [id = ''] = await send(thrown(['m', 'n'], 'y', 'InfoError'));
  const info = await api.get<{ hashes: string[] }>(`${prefix}/projects/acme/web/events/${id}/grouping-info/`);
  expect(info).toMatchObject({
    eventId: id,
    basis: 'exception',
    fingerprint: null,
    rules: [],
    stored: { same: true, hashes: info.hashes },
  });
  expect(info).toMatchObject({ variants: [{ hash: info.hashes[0], primary: true, contributes: true, key: 'app' }] });
});

describe('a preview', () => {
  interface Preview {
    id: string;
    status: string;
    result?: { merges: { issues: object[] }[]; problems: object[]; examined: { events: number } };
  }

  test('of a rule says which issues would be one, and changes nothing', async () => {
    const ids = await send(thrown(['p1'], 'y', 'PreviewError'), thrown(['p2'], 'y', 'PreviewError'));
    const before = await list();
    const started = await call('POST', '/projects/acme/web/grouping/preview/', {
      fingerprintingRules: 'error.type:PreviewError -> preview\nnonsense',
    });
    expect(started.statusCode).toBe(202);
    const { id } = started.json<Preview>();
    const url = `${prefix}/projects/acme/web/grouping/preview/${id}/`;
    await expect.poll(async () => (await api.get<Preview>(url)).status, { timeout: 20_000 }).toBe('done');
    const { result } = await api.get<Preview>(url);
    expect(result?.problems).toMatchObject([{ field: 'fingerprintingRules', line: 2 }]);
    const found = await Promise.all(ids.map(issueOf));
    expect(result?.merges).toHaveLength(1);
    expect(result?.merges[0]?.issues).toHaveLength(2);
    expect(JSON.stringify(result?.merges)).toContain(`"id":"${found[0]}"`);
    expect(await list()).toEqual(before);
    expect((await call('DELETE', `/projects/acme/web/grouping/preview/${id}/`)).statusCode).toBe(204);
    expect((await api.call({ method: 'GET', url })).statusCode).toBe(404);
  });
});
