/** The API with a workspace of Slack that is connected to it, an issue, and messages that are really delivered. For tests. */
import { randomUUID } from 'node:crypto';
import { addPerson, type Person } from '../../api/access-testing.ts';
import { sendProblem } from '../../api/index.ts';
import { openTestApi, type TestApi } from '../../api/testing.ts';
import { openLoops } from '../../base/jobs/testing.ts';
import { parseAllowList } from '../../base/outbound/index.ts';
import { createFailures } from '../../base/self/index.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { createNotifier, enqueue, type Notification } from '../../domains/notify/index.ts';
import { testVault } from '../../domains/notify/testing/vault.ts';
import {
  botToken,
  openWorkspace,
  type Posted,
  type Request,
  signingSecret,
  type Workspace,
} from '../../domains/slack/testing/workspace.ts';
import { openOwnVisitors } from '../../ingest/index.ts';
import { registerSlack } from './register.ts';

export interface SlackApi extends TestApi {
  readonly workspace: Workspace;
  readonly issueId: number;
  /** A member, a viewer, and another member, all of them in Slack as `U` and their name. */
  readonly people: Readonly<Record<'ada' | 'vic' | 'bob', Person>>;
  connect(fields?: object): Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;
  /** Posts a message about the issue. */
  alert(key?: string, changed?: Partial<Notification>): Promise<Posted>;
  /** To the organisation's own address, unless another one is given. */
  send(request: Request, organizationId?: string): Promise<{ readonly status: number; readonly body: string }>;
}

export const at = '/api/0/organizations/acme/slack/';

export async function openSlackApi(): Promise<SlackApi> {
  await using opened = new AsyncDisposableStack();
  const api = opened.use(await openTestApi());
  const workspace = opened.use(await openWorkspace());
  workspace.channels.push({ id: 'C0001', name: 'alerts' });
  const { app, state, organizationId, projectId, slack } = api;
  const failures = createFailures({
    logger: { error: (fields, message) => api.errors.push({ message, fields: { ...fields } }) },
  });
  await app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, failures));
    registerSlack(scope, { slack, openVisitors: openOwnVisitors });
  });
  const notifier = createNotifier({
    state,
    failures,
    mail: undefined,
    vault: testVault,
    allow: parseAllowList('127.0.0.1'),
    getUrl: () => 'http://culprit.test',
    slackApp: (id) => slack.accessOf(id),
  });
  opened.use(openLoops(notifier.jobs, { failures, node: randomUUID(), everyMs: 20 }));
  await store(api, [errorRow({ project_id: projectId, group_hash: hash('slack') })]);
  const { issue_id: issueId } = await state.db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('hash', '=', hash('slack'))
    .executeTakeFirstOrThrow();
  const people = {
    ada: await addPerson(api, 'ada', 'member'),
    vic: await addPerson(api, 'vic', 'viewer'),
    bob: await addPerson(api, 'bob', 'member'),
  };
  for (const name of Object.keys(people)) workspace.people.set(`U${name}`, { email: `${name}@example.com` });

  const connect: SlackApi['connect'] = async (fields = {}) => {
    const payload = { token: botToken, signingSecret, apiUrl: workspace.apiUrl, ...fields };
    const answer = await api.call({ method: 'PUT', url: at, payload });
    return { status: answer.statusCode, body: answer.json() };
  };
  let channelId: number | undefined;
  const alert: SlackApi['alert'] = async (key = `alert:${randomUUID()}`, changed = {}) => {
    if (channelId === undefined) {
      const config = { via: 'app', channel: 'C0001', channelName: 'alerts' };
      const payload = { type: 'slack', name: 'Alerts', config };
      const made = await api.call({ method: 'POST', url: '/api/0/organizations/acme/channels/', payload });
      channelId = Number(made.json<{ id: string }>().id);
    }
    const to = { channelId };
    const before = workspace.posted.length;
    const notification: Notification = {
      kind: 'issue_alert',
      severity: 'warning',
      title: 'New issue: TypeError <!channel>',
      text: 'app/cart.ts',
      url: 'http://culprit.test/issues/WEB-1',
      project: { id: projectId, slug: 'web', name: 'Web' },
      issue: {
        id: issueId,
        shortId: 'WEB-1',
        title: 'TypeError <!channel>',
        culprit: 'app/cart.ts',
        level: 'error',
        count: 1,
        userCount: 0,
        release: '',
        environment: '',
      },
      fields: [],
      groupKey: `issue:${issueId}`,
      ...changed,
    };
    await state.transaction((trx) => enqueue(trx, { key, organizationId, to, notification }));
    notifier.wake();
    return until(() => workspace.posted[before]);
  };
  const send: SlackApi['send'] = async ({ headers, body }, to = organizationId) => {
    const answer = await app.inject({ method: 'POST', url: `/slack/${to}/actions`, headers, payload: body });
    return { status: answer.statusCode, body: answer.body };
  };
  const everything = opened.move();
  return {
    ...api,
    workspace,
    issueId,
    people,
    connect,
    alert,
    send,
    [Symbol.asyncDispose]: () => everything.disposeAsync(),
  };
}

/** Waits for what is not undefined, false or ''. */
export async function until<T>(look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const giveUpAt = performance.now() + 30_000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > giveUpAt) throw new Error(`never came: ${look.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
