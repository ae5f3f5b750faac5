/**
 * Messages in Slack and their buttons, the whole way: a message is posted, somebody presses, the issue is changed as the
 * member they are, and the message tells so. The workspace is the tests' own: it answers as Slack's documents say.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { narrow } from '../../api/access-testing.ts';
import { changeOrganization } from '../../domains/accounts/index.ts';
import { listEntries } from '../../domains/audit/index.ts';
import { type Posted, pressable, said } from '../../domains/slack/testing/workspace.ts';
import { openSlackApi, type SlackApi, until } from './testing.ts';

let api: SlackApi;
beforeAll(async () => {
  api = await openSlackApi();
  expect((await api.connect()).status).toBe(200);
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());
afterEach(() => {
  api.workspace.instead = () => undefined;
  api.workspace.whispered.length = 0;
});

const statusNow = async (): Promise<string> =>
  (await api.get<{ status: string }>(`/api/0/issues/${api.issueId}/`)).status;

const entries = async () =>
  (await listEntries(api.state, api.organizationId, { actions: ['issue.change_by_slack'] }, { limit: 50 })).entries;

/** Presses, and waits until the message says another thing. */
async function pressed(message: Posted, action: string, by: string, options?: { selected?: string }): Promise<void> {
  const before = JSON.stringify(message.blocks);
  expect(await api.send(api.workspace.press(message, action, by, options))).toEqual({ status: 200, body: '' });
  await until(() => JSON.stringify(message.blocks) !== before);
}

/** Presses what only says something to who pressed. */
async function whispered(
  message: Posted,
  action: string,
  by: string,
  options?: { selected?: string },
): Promise<string> {
  api.workspace.whispered.length = 0;
  expect((await api.send(api.workspace.press(message, action, by, options))).status).toBe(200);
  return until(() => api.workspace.whispered[0]);
}

describe.sequential('a member', () => {
  test('resolves, and takes it back; the message says who', async () => {
    const message = await api.alert();
    expect(pressable(message)).toEqual(['resolve', 'archive', 'assign_me', 'assign']);
    await pressed(message, 'resolve', 'Uada');
    expect([await statusNow(), said(message)]).toEqual(['resolved', 'Resolved by ada.']);
    expect(pressable(message)[0]).toBe('unresolve');
    await pressed(message, 'unresolve', 'Ubob');
    expect([await statusNow(), said(message)]).toEqual(['unresolved', 'Reopened by bob.']);
    const [last, first] = await entries();
    expect(first).toMatchObject({
      actor: { type: 'user', id: api.people.ada.userId, email: 'ada@example.com' },
      target: { type: 'issue', id: String(api.issueId), project: 'web' },
      details: { change: 'resolve', slackUser: 'Uada', workspace: 'Acme HQ' },
    });
    expect(last).toMatchObject({ actor: { id: api.people.bob.userId }, details: { change: 'unresolve' } });
  });

  test('archives, assigns and unassigns', async () => {
    const message = await api.alert();
    await pressed(message, 'archive', 'Uada');
    expect([await statusNow(), said(message)]).toEqual(['ignored', 'Archived by ada.']);
    await pressed(message, 'unarchive', 'Uada');
    await pressed(message, 'assign_me', 'Uada');
    expect(said(message)).toBe('Assigned to ada.');
    await pressed(message, 'assign', 'Uada', { selected: 'Ubob' });
    expect(said(message)).toBe('Assigned to bob.');
    await pressed(message, 'unassign', 'Uada');
    expect(said(message)).toBe('Unassigned by ada.');
    const { assignedTo } = await api.get<{ assignedTo: unknown }>(`/api/0/issues/${api.issueId}/`);
    expect(assignedTo).toBeNull();
  });

  test('who presses what is so already changes nothing, and sees how it is', async () => {
    const [one, other] = [await api.alert(), await api.alert()];
    await pressed(one, 'resolve', 'Uada');
    const before = (await entries()).length;
    await pressed(other, 'resolve', 'Ubob');
    expect([said(other), (await entries()).length]).toEqual(['Resolved by ada.', before]);
    await pressed(other, 'unresolve', 'Uada');
  });

  test('a message whose delivery is forgotten is made of the issue', async () => {
    const message = await api.alert('forgotten');
    await api.state.db.deleteFrom('delivery').where('key', '=', 'forgotten').execute();
    await pressed(message, 'resolve', 'Uada');
    expect(said(message)).toBe('Resolved by ada.');
    expect(JSON.stringify(message.blocks)).toContain('http://culprit.test/issues/');
    await pressed(message, 'unresolve', 'Uada');
  });
});

describe('who may not is told why, alone, and nothing changes', () => {
  test.each([
    ['a viewer', 'Uvic', 'Your role in Culprit does not allow this'],
    ['somebody with another address', 'Uother', 'No member of Acme in Culprit has the address other@example.com'],
    ['somebody of another workspace', 'Ustranger', 'You are from another workspace'],
    ['somebody whose address nobody confirmed', 'Ufresh', 'has not confirmed your email'],
    ['somebody without an address', 'Unone', 'users:read.email'],
    ['somebody unknown', 'Ugone', 'not in the workspace'],
  ])('%s', async (_, by, why) => {
    const { people } = api.workspace;
    people.set('Uother', { email: 'other@example.com' });
    people.set('Ustranger', { email: 'ada@example.com', team: 'T9999' });
    people.set('Ufresh', { email: 'ada@example.com', more: { is_email_confirmed: false } });
    people.set('Unone', {});
    const message = await api.alert();
    const [before, made] = [JSON.stringify(message.blocks), (await entries()).length];
    expect(await whispered(message, 'resolve', by)).toContain(why);
    expect([await statusNow(), JSON.stringify(message.blocks), (await entries()).length]).toEqual([
      'unresolved',
      before,
      made,
    ]);
  });

  test('an assignee who is no member', async () => {
    const message = await api.alert();
    expect(await whispered(message, 'assign', 'Uada', { selected: 'Ugone' })).toContain('not in the workspace');
    api.workspace.people.set('Uother', { email: 'other@example.com' });
    expect(await whispered(message, 'assign', 'Uada', { selected: 'Uother' })).toContain('no member has their address');
  });

  test('texts in these sentences are escaped', async () => {
    api.workspace.people.set('Ueve', { email: '<!channel>&@example.com' });
    expect(await whispered(await api.alert(), 'resolve', 'Ueve')).toContain('&lt;!channel&gt;&amp;@example.com');
  });

  test('Slack that does not say who it was', async () => {
    api.workspace.instead = (method) =>
      method === 'users.info'
        ? { status: 200, body: '{"ok":false,"error":"missing_scope","needed":"users:read"}' }
        : undefined;
    expect(await whispered(await api.alert(), 'resolve', 'Uada')).toContain('lacks the scope users:read');
    expect(await statusNow()).toBe('unresolved');
  });
});

describe.sequential('where members see the projects of their teams', () => {
  test('a project that is not seen is not there; and nobody is given an issue of it', async () => {
    const message = await api.alert();
    await narrow(api);
    expect(await whispered(message, 'resolve', 'Uada')).toBe('You cannot see this issue in Culprit, or it is gone.');
    api.workspace.people.set('Uowner', { email: 'dev@example.com' });
    expect(await whispered(message, 'assign', 'Uowner', { selected: 'Uada' })).toContain('cannot see the project');
    expect(await statusNow()).toBe('unresolved');
    await changeOrganization(api.state, api.organizationId, { memberAccess: 'all' });
  });

  test('from networks that the organisation does not allow nothing is done', async () => {
    const message = await api.alert();
    const allow = (allowedAddresses: string[]) =>
      api.state.db
        .insertInto('organization_setting')
        .values({ organization_id: api.organizationId, allowed_addresses: JSON.stringify(allowedAddresses) })
        .onConflict((one) =>
          one.column('organization_id').doUpdateSet({ allowed_addresses: JSON.stringify(allowedAddresses) }),
        )
        .execute();
    await allow(['203.0.113.0/24']);
    expect(await whispered(message, 'resolve', 'Uada')).toContain('certain networks only');
    await allow([]);
  });
});

describe('a request', () => {
  const refused = async (request: Parameters<SlackApi['send']>[0], why: string, to?: string): Promise<void> => {
    const { status, body } = await api.send(request, to);
    expect([status, body]).toEqual([401, expect.stringContaining(why)]);
    expect(await statusNow()).toBe('unresolved');
  };

  test('is taken once', async () => {
    const message = await api.alert();
    const request = api.workspace.press(message, 'assign_me', 'Uada');
    expect((await api.send(request)).status).toBe(200);
    await refused(request, 'sent before');
  });

  test('of several at once one is taken', async () => {
    const request = api.workspace.press(await api.alert(), 'archive', 'Uvic');
    const all = await Promise.all(Array.from({ length: 8 }, () => api.send(request)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('that Slack did not sign, long ago or for another one, is refused', async () => {
    const message = await api.alert();
    const { workspace } = api;
    await refused(workspace.press(message, 'resolve', 'Uada', { secret: 'x'.repeat(32) }), 'signature is wrong');
    await refused(workspace.press(message, 'resolve', 'Uada', { age: 400 }), 'more than 5 minutes old');
    await refused(workspace.press(message, 'resolve', 'Uada'), 'signature is wrong', 'another-organisation');
    await refused({ ...workspace.press(message, 'resolve', 'Uada'), headers: {} }, 'signature is missing');
    await refused(workspace.press(message, 'resolve', 'Uada', { team: 'T9999' }), 'another workspace');
    await refused(workspace.signed('payload=%7B'), 'no payload');
    const elsewhere = { responseUrl: 'http://127.0.0.1:9/respond' };
    await refused(workspace.press(message, 'resolve', 'Uada', elsewhere), 'another workspace');
  });

  test('that is too large is not read', async () => {
    const { status } = await api.send(api.workspace.signed(`payload=${'x'.repeat(600_000)}`));
    expect(status).toBe(413);
  });

  test('of another kind is taken, and nothing is done', async () => {
    const payload = { type: 'view_closed', user: { id: 'Uada' } };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    expect(await api.send(api.workspace.signed(body))).toEqual({ status: 200, body: '' });
  });

  test('is answered before Slack has said who it was', async () => {
    const message = await api.alert();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    const { workspace } = api;
    workspace.instead = (method) => (method === 'users.info' ? held.then(() => undefined) : undefined);
    const before = JSON.stringify(message.blocks);
    expect((await api.send(workspace.press(message, 'assign_me', 'Uada'))).status).toBe(200);
    expect(JSON.stringify(message.blocks)).toBe(before);
    answer();
    await until(() => JSON.stringify(message.blocks) !== before);
  });

  test('an answer that Slack does not take at once is sent again', async () => {
    const message = await api.alert();
    let refusals = 0;
    api.workspace.instead = (method) => {
      if (method !== 'respond' || refusals > 0) return undefined;
      refusals += 1;
      return { status: 429, headers: { 'retry-after': '1' } };
    };
    await pressed(message, 'assign', 'Uada', { selected: 'Ubob' });
    expect([refusals, said(message)]).toEqual([1, 'Assigned to bob.']);
  });
});

test('the test message has a button that tells who one is', async () => {
  const message = await api.alert('test', { kind: 'test', issue: undefined });
  expect(await whispered(message, 'check', 'Uvic')).toBe('The buttons work. In Culprit you are vic (vic@example.com).');
  const { app } = await api.get<{ app: { lastPressed: string } }>('/api/0/organizations/acme/slack/');
  expect(Date.parse(app.lastPressed)).toBeGreaterThan(Date.now() - 60_000);
});

test('nothing failed on the way', () => expect(api.errors).toEqual([]));

test('the server stops though Slack does not answer', async () => {
  const message = await api.alert();
  const asked = new Promise<void>((resolve) => {
    api.workspace.instead = () => {
      resolve();
      return new Promise(() => undefined);
    };
  });
  expect((await api.send(api.workspace.press(message, 'resolve', 'Uada'))).status).toBe(200);
  await asked;
  const started = performance.now();
  await api.slack[Symbol.asyncDispose]();
  expect(performance.now() - started).toBeLessThan(6_000);
});
