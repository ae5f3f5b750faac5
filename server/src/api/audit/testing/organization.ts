/** What is done with organisations, their people and their settings. For the test of the audit log. */
import { expect } from 'vitest';
import { listEntries } from '../../../domains/audit/index.ts';
import { botToken, openWorkspace, signingSecret } from '../../../domains/slack/testing/workspace.ts';
import { org, password, tokenIn } from '../../teams/testing.ts';
import { openTestApi, owner } from '../../testing.ts';
import { type Deeds, type Made, project } from './deeds.ts';

/** Of an installation of its own. */
export async function theSetUp({ done }: Deeds): Promise<void> {
  await using fresh = await openTestApi({ setUp: false });
  const secret = (await fresh.accounts.setUpLink())?.split('#')[1];
  const answer = await fresh.app.inject({
    method: 'POST',
    url: '/api/0/setup/',
    headers: { 'sec-fetch-site': 'same-origin', host: 'culprit.test', 'user-agent': 'a browser' },
    payload: { ...owner, secret, organization: 'Acme', project: 'Web' },
  });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  const organizationId = answer.json<{ organization: { id: string } }>().organization.id;
  const { entries } = await listEntries(fresh.state, organizationId, {}, { limit: 9 });
  expect(entries.toReversed()).toMatchObject([
    { action: 'installation.set_up', actor: { type: 'user', email: owner.email }, details: { owner: owner.email } },
    { action: 'sign_in.succeed', actor: { email: owner.email, session: expect.any(String) } },
  ]);
  expect(entries[0]?.source).toEqual({ address: '127.0.0.1', agent: 'a browser' });
  done.push({ id: 'postSetup', actions: entries.map(({ action }) => action), entries });
}

/** Another one has a log of its own from its first moment. */
export async function organizations({ api, done, does }: Deeds): Promise<void> {
  const made = await does<Made>('createOrganization', 'POST', '/api/0/organizations/', { name: 'Other' });
  const { entries } = await listEntries(api.state, made.id, {}, { limit: 9 });
  done.push({ id: 'createOrganization', actions: entries.map(({ action }) => action), entries });
  await does('updateOrganization', 'PUT', `${org}/`, { name: 'Acme 2' });
}

export async function theLogItself({ does }: Deeds): Promise<void> {
  await does('listAuditEntries', 'GET', `${org}/audit-log/?action=team`);
  await does('exportAuditEntries', 'GET', `${org}/audit-log/export/`);
  await does('updateAuditLog', 'PUT', `${org}/audit-log/settings/`, { retentionDays: 400 });
}

export async function teamsAndPeople({ api, done, does, lastSeq }: Deeds): Promise<void> {
  await does('createTeam', 'POST', `${org}/teams/`, { name: 'Shop' });
  await does('updateTeam', 'PUT', '/api/0/teams/acme/shop/', { name: 'Shop 2', projects: ['web'] });
  await does('removeProjectTeam', 'DELETE', `${project}/teams/shop/`);
  await does('addProjectTeam', 'POST', `${project}/teams/shop/`);
  await does('joinTeam', 'POST', `${org}/members/${api.jane.id}/teams/shop/`);
  await does('leaveTeam', 'DELETE', `${org}/members/${api.jane.id}/teams/shop/`);
  await does('deleteTeam', 'DELETE', '/api/0/teams/acme/shop/');
  const invited = await does<Made & { inviteLink: string }>('inviteMember', 'POST', `${org}/members/`, {
    email: 'new@example.com',
  });
  await does('updateMember', 'PUT', `${org}/members/${invited.id}/`, { role: 'admin' });
  const again = await does<{ inviteLink: string }>('renewInvitation', 'POST', `${org}/members/${invited.id}/renew/`);
  const before = await lastSeq();
  const joined = await api.app.inject({
    method: 'POST',
    url: `/api/0/invitations/${tokenIn(again as never)}/`,
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { password },
  });
  expect(joined.statusCode).toBe(200);
  const { entries } = await listEntries(api.state, api.organizationId, {}, { after: before, limit: 10 });
  done.push({ id: 'acceptInvitation', actions: entries.map(({ action }) => action).toReversed(), entries });
  await does('updateMember', 'PUT', `${org}/members/${api.jane.id}/`, { role: 'admin', teams: [] });
  const other = await api.invite('other@example.com');
  await does('removeMember', 'DELETE', `${org}/members/${other.id}/`);
  await does('removeMember', 'DELETE', `${org}/members/${api.jane.id}/`);
}

/** Whole organisations and projects of them: what is kept, scrubbed, filtered and limited. */
export async function settings({ does }: Deeds): Promise<void> {
  const limits = { lifetimeHours: 24, idleHours: null };
  await does('updateSessionPolicy', 'PUT', `${org}/session-policy/`, limits);
  const scim = await does<Made>('createScimToken', 'POST', `${org}/scim-tokens/`, { name: 'Entra' });
  await does('deleteScimToken', 'DELETE', `${org}/scim-tokens/${scim.id}/`);
  await does('updateSecuritySettings', 'PUT', `${org}/security/`, { memberInvitations: true });
  const rules = JSON.stringify({ applications: { $string: ['@email'] } });
  await does('updateOrganizationScrubbing', 'PUT', `${org}/scrubbing/`, { rules, removeIpAddresses: true });
  await does('updateProjectScrubbing', 'PUT', `${project}/scrubbing/`, { rules });
  await does('previewScrubbing', 'POST', `${project}/scrubbing/preview/`, { rules });
  await does('updateFilter', 'PUT', `${project}/filters/localhost/`, { active: true });
  await does('previewFilters', 'POST', `${project}/filters/preview/`, {});
  const quota = await does<Made>('createQuota', 'POST', `${org}/quotas/`, {
    category: 'error',
    period: 'month',
    amount: 1_000,
  });
  await does('updateQuota', 'PUT', `${org}/quotas/${quota.id}/`, { amount: 2_000 });
  await does('deleteQuota', 'DELETE', `${org}/quotas/${quota.id}/`);
  await does('previewRetention', 'POST', `${org}/retention/preview/`, { classes: [{ name: 'logs', days: 14 }] });
  await does('updateRetention', 'PUT', `${org}/retention/`, {
    classes: [{ name: 'logs', days: 14 }],
    policies: [{ name: 'Short', days: 7 }],
  });
  const chosen = { classes: [{ name: 'logs', policy: 'Short' }] };
  await does('previewProjectRetention', 'POST', `${project}/retention/preview/`, chosen);
  await does('updateProjectRetention', 'PUT', `${project}/retention/`, chosen);
  await does('updateQuotaSettings', 'PUT', `${org}/quota-settings/`, { timeZone: 'Europe/Berlin' });
}

export async function connections({ does }: Deeds): Promise<void> {
  const incoming = await does<Made>('createIncomingWebhook', 'POST', `${org}/incoming-webhooks/`, {
    name: 'Shop',
    provider: 'github',
    mappings: [],
  });
  const ofIncoming = `${org}/incoming-webhooks/${incoming.id}/`;
  await does('updateIncomingWebhook', 'PUT', ofIncoming, { enabled: false });
  await does('rotateIncomingWebhookSecret', 'POST', `${ofIncoming}secret/`, {});
  await does('deleteIncomingWebhook', 'DELETE', ofIncoming);
  const webhook = await does<Made>('createWebhook', 'POST', `${org}/webhooks/`, {
    name: 'hook',
    url: 'http://127.0.0.1:9/',
    events: ['issue.created'],
  });
  await does('updateWebhook', 'PUT', `${org}/webhooks/${webhook.id}/`, { enabled: false });
  await does('rotateWebhookSecret', 'POST', `${org}/webhooks/${webhook.id}/secret/`);
  await does('deleteWebhook', 'DELETE', `${org}/webhooks/${webhook.id}/`);
  await using workspace = await openWorkspace();
  const secrets = { token: botToken, signingSecret, apiUrl: workspace.apiUrl };
  await does('connectSlack', 'PUT', `${org}/slack/`, secrets);
  await does('connectSlack', 'PUT', `${org}/slack/`, { token: botToken });
  await does('disconnectSlack', 'DELETE', `${org}/slack/`);
}

export async function theProviders({ api, does }: Deeds): Promise<void> {
  const list = `${org}/sign-in-providers/`;
  const settings = { issuer: 'http://127.0.0.1:1', clientId: 'culprit', clientSecret: 'never to be seen' };
  const body = { kind: 'oidc', name: 'SSO', domains: ['sso.example'], settings };
  const { id } = await does<Made>('createSignInProvider', 'POST', list, body);
  await does('updateSignInProvider', 'PUT', `${list}${id}/`, {
    name: 'Single sign-on',
    settings: { clientSecret: 'never to be seen either' },
  });
  await does('testSignInProvider', 'POST', `${list}test/`, { kind: 'oidc', settings: {}, id });
  await api.state.db.updateTable('sign_in_domain').set({ verified_at: null }).execute();
  const { proof } = await api.state.db.selectFrom('sign_in_domain').select('proof').executeTakeFirstOrThrow();
  api.txtRecords.push(`culprit-domain=${proof}`);
  await does('verifySignInDomains', 'POST', `${list}${id}/domains/`);
  await api.accounts.demands.set(api.organizationId, { providerId: id }, Date.now());
  await does('updateRequiredProvider', 'PUT', `${org}/required-provider/`, { provider: null });
  await does('findWayIn', 'POST', '/api/0/sign-in/', { email: 'a@sso.example' });
  await does('deleteSignInProvider', 'DELETE', `${list}${id}/`);
}
