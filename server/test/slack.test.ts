/**
 * The real server and its Slack app: an error comes in, a rule posts a message, somebody presses its button, and the issue
 * is resolved as the member they are. The workspace is the test's own: it answers as Slack's documents say.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  botToken,
  openWorkspace,
  pressable,
  type Request,
  said,
  signingSecret,
  type Workspace,
} from '../src/domains/slack/testing/workspace.ts';
import { envelopeUrl, errorEnvelope, newEventId, owner, Server } from './harness.ts';

let server: Server;
let workspace: Workspace;
beforeAll(async () => {
  [server, workspace] = await Promise.all([
    Server.create({ CULPRIT_OUTBOUND_ALLOW: '127.0.0.1', CULPRIT_SELF_REPORT: 'off' }),
    openWorkspace(),
  ]);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await workspace?.[Symbol.asyncDispose]();
});

const send = (path: string, method: string, body: object) =>
  server.api<{ id: string }>(`/organizations/acme/${path}`, { method, body: JSON.stringify(body) });

test('an alert is posted with buttons, and one of them resolves the issue', { timeout: 180_000 }, async () => {
  workspace.people.set('UOWNER', { email: owner.email });
  workspace.channels.push({ id: 'C0001', name: 'alerts' });
  await send('slack/', 'PUT', { token: botToken, signingSecret, apiUrl: workspace.apiUrl });
  const { requestUrl } = await server.api<{ requestUrl: string }>('/organizations/acme/slack/');
  expect(requestUrl).toMatch(new RegExp(`^${server.url}/slack/\\w+/actions$`));
  const config = { via: 'app', channel: 'C0001', channelName: 'alerts' };
  const channel = await send('channels/', 'POST', { type: 'slack', name: 'Alerts', config });
  await send('alert-rules/', 'POST', {
    kind: 'issue',
    name: 'New issues',
    channelIds: [channel.id],
    digestMinutes: 0,
    conditions: [{ type: 'new_issue' }],
  });
  const event = {
    exception: { values: [{ type: 'PaymentError', value: '<!channel> no <https://evil.example|card>' }] },
  };
  const body = errorEnvelope(newEventId(), event);
  expect((await fetch(envelopeUrl(server.installed.dsn), { method: 'POST', body })).status).toBe(200);
  await server.until('the message is posted', () => workspace.posted.length > 0);
  const [message] = workspace.posted;
  if (!message) throw new Error('no message');
  expect(pressable(message)).toEqual(['resolve', 'archive', 'assign_me', 'assign']);
  expect(message.text).toContain('&lt;!channel&gt; no &lt;https://evil.example|card&gt;');

  const post = ({ headers, body: form }: Request) => fetch(requestUrl, { method: 'POST', headers, body: form });
  const forged = workspace.press(message, 'resolve', 'UOWNER', { secret: 'f'.repeat(32) });
  expect((await post(forged)).status).toBe(401);
  const request = workspace.press(message, 'resolve', 'UOWNER');
  const answer = await post(request);
  expect([answer.status, await answer.text()]).toEqual([200, '']);
  await server.until('the message says who did it', () => said(message).startsWith('Resolved by owner'));
  expect(pressable(message)[0]).toBe('unresolve');
  const [issue] = await server.api<{ id: string; status: string }[]>('/organizations/acme/issues/?query=PaymentError');
  expect(issue?.status).toBe('resolved');
  const log = await server.api<{ actor: { email?: string }; target: { id?: string } }[]>(
    '/organizations/acme/audit-log/?action=issue.change_by_slack',
  );
  expect(log).toMatchObject([{ actor: { email: owner.email }, target: { id: issue?.id } }]);

  // Whoever has seen it on its way cannot send it again, whichever process takes it.
  await server.stop();
  await server.start();
  expect((await post(request)).status).toBe(401);
  expect((await post(workspace.press(message, 'unresolve', 'UOWNER'))).status).toBe(200);
  await server.until('it is taken back', () => said(message).startsWith('Reopened by owner'));
});
