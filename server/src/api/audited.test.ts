/** Each call that changes something names its action in the audit log, or says why it has none; and then leaves its entry. */
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actions, type Entry, listEntries, sealOf, verifyChain } from '../domains/audit/index.ts';
import { askForEmail, forgotPassword, insertMember } from '../domains/accounts/index.ts';
import { recordFeedback } from '../domains/feedback/index.ts';
import { registerClient, startDevice } from '../domains/oauth/index.ts';
import { botToken, openWorkspace, signingSecret } from '../domains/slack/testing/workspace.ts';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { testSecrets } from '../base/secrets/testing.ts';
import { factorDeeds } from './account/testing.ts';
import { type Audited, audited } from './shared/audited.ts';
import { endpoints } from './endpoints.ts';
import { openTeamApi, org, password, type Person, type TeamApi, tokenIn } from './teams/testing.ts';
import { openTestApi, owner } from './testing.ts';

let api: TeamApi;
const project = '/api/0/projects/acme/web';
const eventId = hash('event');
const issueIds = new Map<string, string>();
const itemOf = (fields: object) => ({
  project_id: api.projectId,
  received_at: Date.now(),
  outcome: 'accepted' as const,
  reason: '',
  detail: '',
  headers: '{}',
  blob_key: '',
  ...fields,
});

beforeAll(async () => {
  // Mails are queued; no test here sends one.
  api = await openTeamApi({ smtpUrl: 'smtp://127.0.0.1:9' });
  const names = ['one', 'two', 'three', 'four', 'five', 'six'];
  const row = (name: string) =>
    errorRow({ project_id: api.projectId, group_hash: hash(name), error_value: name, event_id: hash(`${name} event`) });
  await store(api, [
    ...names.map(row),
    errorRow({ project_id: api.projectId, group_hash: hash('e'), event_id: eventId }),
  ]);
  for (const name of names) {
    const found = await api.state.db
      .selectFrom('issue')
      .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
      .select('issue.id')
      .where('issue_hash.hash', '=', hash(name))
      .executeTakeFirstOrThrow();
    issueIds.set(name, String(found.id));
  }
  const feedback = JSON.stringify({ contexts: { feedback: { message: 'It broke' } } });
  const said = itemOf({
    item_type: 'feedback',
    category: 'feedback',
    event_id: hash('said'),
    size_bytes: feedback.length,
    payload: feedback,
  });
  await recordFeedback(api, [said as never], () => Promise.resolve(''));
  const attached = itemOf({
    item_type: 'attachment',
    category: 'attachment',
    event_id: eventId,
    headers: JSON.stringify({ type: 'attachment', filename: 'a.log', content_type: 'text/plain' }),
    size_bytes: 5,
    payload: 'hello',
  });
  await api.events.insert('items', [attached as never], 'attachment a.log');
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

const actionsOf = (entry: Audited): readonly string[] =>
  typeof entry === 'string' ? [entry] : 'some' in entry ? entry.some : [];

test('each call is in the list, and no other', () => {
  const changing = endpoints.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  expect(changing.filter((id) => !Object.hasOwn(audited, id))).toEqual([]);
  const known = new Set(endpoints.map(({ id }) => id));
  expect(Object.keys(audited).filter((id) => !known.has(id))).toEqual([]);
});

test('each reason is a sentence, and each action is known', () => {
  for (const [id, entry] of Object.entries(audited)) {
    if (typeof entry !== 'string') expect(entry.not, id).toMatch(/^[A-Z].{15,}\.$/);
    for (const action of actionsOf(entry)) expect(actions, id).toHaveProperty([action]);
  }
});

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Done {
  readonly id: string;
  readonly actions: string[];
  readonly entries: readonly Entry[];
}

const done: Done[] = [];

const lastSeq = async (): Promise<number> =>
  (await listEntries(api.state, api.organizationId, {}, { limit: 1 })).entries[0]?.seq ?? 0;

/** Makes a call, and keeps what it left. */
async function does<T = Record<string, unknown>>(
  id: string,
  method: Method,
  url: string,
  payload?: object,
  as?: Person,
): Promise<T> {
  const definition = endpoints.find((one) => one.id === id);
  expect(definition?.method).toBe(method);
  const before = await lastSeq();
  const headers = as && { cookie: as.cookie, 'sec-fetch-site': 'same-origin' };
  const answer = await api.call({
    method,
    url,
    ...(payload && { payload }),
    ...(as && { token: '', headers }),
  });
  expect(answer.statusCode, `${id}: ${answer.body} ${inspect(api.errors.at(-1), { depth: 9 })}`).toBeLessThan(300);
  const { entries } = await listEntries(api.state, api.organizationId, {}, { after: before, limit: 100 });
  done.push({ id, actions: entries.map(({ action }) => action).toReversed(), entries });
  try {
    return answer.json<T>();
  } catch {
    return answer.body as T;
  }
}

interface Made {
  readonly id: string;
}

async function tokensOfClients(): Promise<void> {
  const url = `${org}/org-auth-tokens/`;
  const made = await does<Made>('createOrganizationToken', 'POST', url, { name: 'ci' }, api.admin);
  await does('deleteOrganizationToken', 'DELETE', `${url}${made.id}/`, undefined, api.admin);
}

/** Of clients of Sentry, by its words. */
async function rulesOfClients(): Promise<void> {
  const [workflows, detectors] = [`${org}/workflows/`, `${org}/detectors/`];
  const triggers = { logicType: 'any-short', conditions: [{ type: 'first_seen_event', comparison: true }] };
  const workflow = await does<Made>('createWorkflow', 'POST', workflows, { name: 'Told', triggers });
  await does('updateWorkflow', 'PUT', `${workflows}${workflow.id}/`, { name: 'Told again' });
  await does('updateWorkflows', 'PUT', `${workflows}?id=${workflow.id}`, { enabled: false });
  await does('deleteWorkflow', 'DELETE', `${workflows}${workflow.id}/`);
  await does<Made>('createWorkflow', 'POST', workflows, { name: 'Told once', triggers });
  await does('deleteWorkflows', 'DELETE', `${workflows}?query=once`);
  const conditions = [{ type: 'gt', comparison: 10, conditionResult: 75 }];
  const metric = {
    name: 'Many',
    dataSources: [{ dataset: 'errors', aggregate: 'count()', timeWindow: 3600 }],
    conditionGroup: { logicType: 'any', conditions },
  };
  const makes = `${org}/projects/web/detectors/`;
  const detector = await does<Made>('createDetector', 'POST', makes, metric);
  await does('updateDetector', 'PUT', `${detectors}${detector.id}/`, { name: 'Too many' });
  await does('updateDetectors', 'PUT', `${detectors}?id=${detector.id}`, { enabled: false });
  await does('deleteDetector', 'DELETE', `${detectors}${detector.id}/`);
  await does<Made>('createDetector', 'POST', makes, { ...metric, name: 'Many at once' });
  await does('deleteDetectors', 'DELETE', `${detectors}?query=once`);
}

async function teamsAndPeople(): Promise<void> {
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

async function projectsAndKeys(): Promise<void> {
  await does('createProject', 'POST', `${org}/projects/`, { name: 'Api' });
  await does('createTeamProject', 'POST', '/api/0/teams/acme/payments/projects/', { name: 'Worker' });
  await does('updateProject', 'PUT', `${project}/`, { name: 'Web 2', settings: { scrubData: false } });
  await does('updatePerformanceConfiguration', 'PUT', `${project}/performance-issues/configure/`, {
    n_plus_one_db_queries_detection_enabled: false,
  });
  const key = await does<Made>('createKey', 'POST', `${project}/keys/`, { name: 'Second' });
  await does('updateKey', 'PUT', `${project}/keys/${key.id}/`, { isActive: false });
  await does('deleteKey', 'DELETE', `${project}/keys/${key.id}/`);
  await does('addProjectAlias', 'POST', `${project}/aliases/`, { alias: '4507199254740993' });
  await does('deleteProjectAlias', 'DELETE', `${project}/aliases/4507199254740993/`);
  await does('setMirror', 'PUT', `${project}/mirror/`, { dsn: 'http://key@127.0.0.1:9/1' });
  await does('setMirror', 'PUT', `${project}/mirror/`, { enabled: false });
  await does('testMirror', 'POST', `${project}/mirror/test/`);
  await does('deleteMirror', 'DELETE', `${project}/mirror/`);
  await does('updateOwnership', 'PUT', `${project}/ownership/`, { raw: 'path:src/* #payments' });
  const file = await does<Made>('createCodeowners', 'POST', `${project}/codeowners/`, { raw: '* @acme/payments' });
  await does('updateCodeowners', 'PUT', `${project}/codeowners/${file.id}/`, { raw: '/src @acme/payments' });
  await does('deleteCodeowners', 'DELETE', `${project}/codeowners/${file.id}/`);
  const repository = await does<Made>('createRepository', 'POST', `${org}/repos/`, {
    name: 'acme/shop',
    url: 'https://github.com/acme/shop',
  });
  await does('updateRepository', 'PUT', `${org}/repos/${repository.id}/`, { defaultBranch: 'trunk' });
  const mapping = await does<Made>('createCodeMapping', 'POST', `${org}/code-mappings/`, {
    project: 'web',
    repoId: repository.id,
    stackRoot: '/app/src',
    sourceRoot: 'src',
  });
  await does('updateCodeMapping', 'PUT', `${org}/code-mappings/${mapping.id}/`, { sourceRoot: 'lib' });
  await does('deleteCodeMapping', 'DELETE', `${org}/code-mappings/${mapping.id}/`);
  const mappings = [{ stackRoot: '/app/src', sourceRoot: 'src' }];
  const many = { project: 'web', repository: 'acme/shop', mappings };
  await does('setCodeMappings', 'POST', `${org}/code-mappings/bulk/`, many);
  await does('setCodeMappings', 'POST', `${org}/code-mappings/bulk/`, many);
  await does('deleteRepository', 'DELETE', `${org}/repos/${repository.id}/`);
  await does('deleteProject', 'DELETE', '/api/0/projects/acme/api/');
  for (const [id, url] of [
    ['deleteRelease', `${org}/releases/a@1/`],
    ['deleteProjectRelease', `${project}/releases/b@1/`],
  ] as const) {
    const version = id === 'deleteRelease' ? 'a@1' : 'b@1';
    await api.send('POST', `${org}/releases/`, { version, projects: ['web'] });
    await does(id, 'DELETE', url);
  }
}

async function alertsAndTokens(): Promise<void> {
  const rule = await does<Made>('createAlertRule', 'POST', `${org}/alert-rules/`, {
    kind: 'issue',
    name: 'Often',
    conditions: [{ type: 'new_issue' }],
  });
  await does('updateAlertRule', 'PUT', `${org}/alert-rules/${rule.id}/`, { name: 'Seldom' });
  await does('muteAlertRule', 'POST', `${org}/alert-rules/${rule.id}/mute/`, { minutes: 60, for: 'everyone' });
  await does('deleteAlertRule', 'DELETE', `${org}/alert-rules/${rule.id}/`);
  await rulesOfClients();
  await tokensOfClients();
  const url = 'https://hooks.slack.com/services/T0/B0/abcdefgh';
  const channel = await does<Made>('createChannel', 'POST', `${org}/channels/`, {
    type: 'slack',
    name: 'Ops',
    config: { url },
  });
  await does('updateChannel', 'PUT', `${org}/channels/${channel.id}/`, {
    name: 'Ops 2',
    config: { url: `${url}ij` },
  });
  await does('deleteChannel', 'DELETE', `${org}/channels/${channel.id}/`);
  const token = await does<Made & { token: string }>('createToken', 'POST', `${org}/api-tokens/`, {
    name: 'for a test',
    scopes: ['event:read'],
  });
  await does('deleteToken', 'DELETE', `${org}/api-tokens/${token.id}/`);
}

async function searchesAndExports(): Promise<void> {
  const shared = { query: 'level:error', visibility: 'organization' };
  const search = await does<Made>('createSearch', 'POST', `${org}/searches/`, { name: 'Errors', ...shared });
  await does('updateSearch', 'PUT', `${org}/searches/${search.id}/`, { name: 'Errors 2' });
  await does('deleteSearch', 'DELETE', `${org}/searches/${search.id}/`);
  const question = { dataset: 'errors', query: '', field: ['level', 'count()'] };
  const saved = await does<Made>('saveQuestion', 'POST', `${org}/explore/saved/`, {
    name: 'Levels',
    visibility: 'organization',
    question,
  });
  await does('updateSavedQuestion', 'PUT', `${org}/explore/saved/${saved.id}/`, { name: 'Levels 2' });
  await does('deleteSavedQuestion', 'DELETE', `${org}/explore/saved/${saved.id}/`);
  const job = await does<Made>('startExport', 'POST', `${org}/data-export/`, {
    format: 'csv',
    question: { ...question, statsPeriod: '24h' },
  });
  while ((await api.get<{ status: string }>(`${org}/data-export/${job.id}/`)).status !== 'done') await delay(20);
  await does('getExport', 'GET', `${org}/data-export/${job.id}/?download=true`);
}

async function issuesAndFiles(): Promise<void> {
  const one = issueIds.get('one') ?? '';
  const made = await does<{ shareId?: string }>('updateIssue', 'PUT', `/api/0/issues/${one}/`, { isPublic: true });
  const link = made.shareId ?? '';
  await does('getSharedIssue', 'GET', `/api/0/shared/issues/${link}/`);
  // Within the hour only once of an address, whichever way.
  await api.state.db.selectFrom('issue').select('id').execute();
  await does('updateOrganizationIssue', 'PUT', `${org}/issues/${one}/`, { isPublic: false });
  await does('updateOrganizationIssues', 'PUT', `${org}/issues/?id=${one}`, { isPublic: true });
  const shared = await api.get<{ shareId: string }>(`/api/0/issues/${one}/`);
  await does('getOrganizationSharedIssue', 'GET', `${org}/shared/issues/${shared.shareId}/`);
  await does('updateProjectIssues', 'PUT', `${project}/issues/?id=${one}`, { isPublic: false });
  const removed = await does<{ undo: { id: string } }>('deleteIssue', 'DELETE', `/api/0/issues/${one}/`);
  await does('undoBulk', 'POST', `${org}/issues/bulk/${removed.undo.id}/undo/`);
  await does('deleteOrganizationIssue', 'DELETE', `${org}/issues/${issueIds.get('two')}/`);
  await does('deleteOrganizationIssues', 'DELETE', `${org}/issues/?id=${issueIds.get('three')}`);
  await does('deleteProjectIssues', 'DELETE', `${project}/issues/?id=${issueIds.get('four')}`);
  await does('startBulk', 'POST', `${org}/issues/bulk/`, { query: 'five', change: { delete: true } });
  const [row] = await api.state.db
    .insertInto('tombstone')
    .values({
      project_id: api.projectId,
      number: 99,
      metadata: '{}',
      title: 'gone',
      culprit: '',
      level: 'error',
      type: 'error',
      user_id: null,
      created_at: Date.now(),
    })
    .returning('id')
    .execute();
  await does('deleteTombstone', 'DELETE', `${project}/tombstones/${row?.id}/`);
  const files = await api.get<Made[]>(`${project}/events/${eventId}/attachments/`);
  await does('deleteAttachment', 'DELETE', `${project}/events/${eventId}/attachments/${files[0]?.id}/`);
  const { feedback } = await api.get<{ feedback: Made[] }>(`${org}/feedback/`);
  await does('deleteFeedback', 'DELETE', `${org}/feedback/${feedback[0]?.id}/`);
}

async function uploads(): Promise<void> {
  const [row] = await api.state.db
    .insertInto('artifact_bundle')
    .values({
      organization_id: api.organizationId,
      checksum: hash('bundle') + '0'.repeat(8),
      release: 'a@1',
      dist: '',
      state: 'ok',
      detail: '',
      chunks: '[]',
      size_bytes: 1,
      file_count: 0,
      index_version: 9_999,
      created_at: Date.now(),
      uploaded_at: Date.now(),
      indexed_at: Date.now(),
      last_used_at: null,
    })
    .returning('id')
    .execute();
  const place = { bundle_id: row?.id ?? 0, project_id: api.projectId };
  await api.state.db.insertInto('artifact_bundle_project').values(place).execute();
  await does('deleteArtifactBundle', 'DELETE', `${project}/files/artifact-bundles/?bundleId=${row?.id}`);
  await api.state.db.updateTable('artifact_bundle').set({ kind: 'debug', name: 'a.zip' }).execute();
  await api.state.db.insertInto('artifact_bundle_project').values(place).execute();
  await does('deleteDebugFile', 'DELETE', `${project}/files/dsyms/?id=${row?.id}`);
}

/** What is done signed out, and perhaps after the answer. */
async function doesAsNobody(id: string, url: string, payload: object): Promise<void> {
  const before = await lastSeq();
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await api.app.inject({ method: 'POST', url, headers, payload });
  expect(answer.statusCode, `${id}: ${answer.body}`).toBeLessThan(300);
  await expect.poll(lastSeq, { timeout: 5_000 }).toBeGreaterThan(before);
  const { entries } = await listEntries(api.state, api.organizationId, {}, { after: before, limit: 10 });
  done.push({ id, actions: entries.map(({ action }) => action).toReversed(), entries });
}

const newPhrase = 'an entirely new phrase';

async function theOwnAccount(): Promise<void> {
  const member = await api.join('own@example.com', { name: 'Own' });
  const own = '/api/0/account';
  const elsewhere = await api.state.db
    .selectFrom('organization')
    .select('id')
    .where('slug', '=', 'other')
    .executeTakeFirstOrThrow();
  await api.state.transaction((trx) =>
    insertMember(trx, { organizationId: elsewhere.id, userId: member.userId, role: 'member' }),
  );
  const redirectUri = 'http://127.0.0.1:9/back';
  const app = await registerClient(api.state, { name: 'Agent', redirectUris: [redirectUri] }, Date.now());
  const challenge = { responseType: 'code', challenge: 'x'.repeat(43), challengeMethod: 'S256' };
  const asked = { clientId: app.id, redirectUri, ...challenge, scopes: ['event:read'] };
  await does('authorizeOAuthClient', 'POST', `${org}/oauth/authorizations/`, asked, member);
  for (const accept of [true, false]) {
    const { userCode: code } = await startDevice(api.state, { clientId: app.id }, Date.now());
    await does('decideOAuthDevice', 'POST', `${org}/oauth/devices/`, { code, accept, scopes: ['event:read'] }, member);
  }
  await does('updateAccount', 'PUT', `${own}/`, { name: 'Owen', theme: 'dark' }, member);
  expect(done.at(-1)?.entries).toHaveLength(1);
  await does('updateAccount', 'PUT', `${own}/`, { name: 'Owen', theme: 'light' }, member);
  expect(done.at(-1)?.entries).toEqual([]);
  const change = { currentPassword: password, newPassword: newPhrase };
  await does('changePassword', 'POST', `${own}/password/`, change, member);
  await does('requestEmail', 'POST', `${own}/email/`, { email: 'newer@example.com', password: newPhrase }, member);
  await does('cancelEmail', 'DELETE', `${own}/email/`, undefined, member);
  await does('cancelEmail', 'DELETE', `${own}/email/`, undefined, member);
  expect(done.at(-1)?.entries).toEqual([]);
  const { token } = await askForEmail(api.state, member.userId, 'newest@example.com', Date.now());
  await doesAsNobody('confirmEmail', '/api/0/email-confirmation/', { token });
  const credentials = { email: 'newest@example.com', password: newPhrase };
  for (let n = 0; n < 2; n += 1) expect(await api.accounts.signIn(credentials)).toBeDefined();
  const sessions = await does<{ id: string; isCurrent: boolean }[]>(
    'listAccountSessions',
    'GET',
    `${own}/sessions/`,
    undefined,
    member,
  );
  const other = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? '';
  await does('endAccountSession', 'DELETE', `${own}/sessions/${other}/`, undefined, member);
  await does('endOtherAccountSessions', 'DELETE', `${own}/sessions/`, undefined, member);
  await does('endOtherAccountSessions', 'DELETE', `${own}/sessions/`, undefined, member);
  expect(done.at(-1)?.entries).toEqual([]);
  const before = await lastSeq();
  const wrong = await api.send('POST', `${own}/delete/`, { password: 'never to be seen' }, member);
  expect(wrong.status).toBe(403);
  await api.accounts.flush();
  const { entries } = await listEntries(api.state, api.organizationId, {}, { after: before, limit: 10 });
  done.push({ id: 'wrongPassword', actions: entries.map(({ action }) => action), entries });
  await does('deleteAccount', 'POST', `${own}/delete/`, { password: newPhrase }, member);
  const inBoth = await listEntries(api.state, elsewhere.id, {}, { limit: 50 });
  const told = inBoth.entries.map(({ action }) => action).filter((action) => action.startsWith('user.'));
  expect(told.toReversed()).toEqual([
    'user.update',
    'user.change_password',
    'user.request_email',
    'user.cancel_email',
    'user.change_email',
    'user.end_session',
    'user.end_sessions',
    'user.fail_password',
    'user.delete',
  ]);
  await api.join('forgetful@example.com');
  await doesAsNobody('requestPasswordReset', '/api/0/password-reset/', { email: 'Forgetful@example.com' });
  const link = await forgotPassword(api.state, 'forgetful@example.com', Date.now());
  await doesAsNobody('resetPassword', '/api/0/password-reset/confirm/', { token: link?.token, password: newPhrase });
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
  await does('updateQuotaSettings', 'PUT', `${org}/quota-settings/`, { timeZone: 'Europe/Berlin' });
  await theProviders();
  await theErasures();
}

async function theErasures(): Promise<void> {
  const hold = '/api/0/projects/acme/web/hold/';
  await does('setProjectHold', 'PUT', hold, { reason: 'Case 7' });
  await does('deleteProjectHold', 'DELETE', hold);
  const list = `${org}/erasures/`;
  const event = { project: 'web', id: 'e'.repeat(32) };
  const kept = itemOf({
    item_type: 'attachment',
    category: 'attachment',
    event_id: event.id,
    size_bytes: 5,
    payload: 'hello',
  });
  await api.events.insert('items', [kept as never], 'of the event to be erased');
  const other = await does<Made>('startErasure', 'POST', list, { event, reference: 'PRIV-1' });
  await does('cancelErasure', 'DELETE', `${list}${other.id}/`);
  const { id } = await does<Made>('startErasure', 'POST', list, { event, reference: 'PRIV-2' });
  const found = (): Promise<void> =>
    expect
      .poll(
        () => api.state.db.selectFrom('erasure').select(['state', 'detail']).where('id', '=', Number(id)).execute(),
        {
          timeout: 60_000,
        },
      )
      .toMatchObject([{ state: 'found' }]);
  await found();
  await does('exportErasure', 'POST', `${list}${id}/export/`);
  await found();
  await does('getErasureFile', 'GET', `${list}${id}/file/`);
  await does('confirmErasure', 'POST', `${list}${id}/erase/`, { confirm: event.id });
}

async function theProviders(): Promise<void> {
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

/** Of an installation of its own. */
async function theSetUp(): Promise<void> {
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
async function organizations(): Promise<void> {
  const made = await does<Made>('createOrganization', 'POST', '/api/0/organizations/', { name: 'Other' });
  const { entries } = await listEntries(api.state, made.id, {}, { limit: 9 });
  done.push({ id: 'createOrganization', actions: entries.map(({ action }) => action), entries });
  await does('updateOrganization', 'PUT', `${org}/`, { name: 'Acme 2' });
}

async function theLogItself(): Promise<void> {
  await does('listAuditEntries', 'GET', `${org}/audit-log/?action=team`);
  await does('exportAuditEntries', 'GET', `${org}/audit-log/export/`);
  await does('updateAuditLog', 'PUT', `${org}/audit-log/settings/`, { retentionDays: 400 });
}

test('each leaves its entry', async () => {
  await theSetUp();
  await organizations();
  await theLogItself();
  await projectsAndKeys();
  await alertsAndTokens();
  await searchesAndExports();
  await issuesAndFiles();
  await uploads();
  await teamsAndPeople();
  await theOwnAccount();
  for (const { actions: found, ...deed } of await factorDeeds()) done.push({ ...deed, actions: [...found] });

  const left = new Map(done.map(({ id, actions: found }) => [id, found]));
  for (const [id, entry] of Object.entries(audited)) {
    const named = actionsOf(entry);
    if (!named.length) continue;
    const found = done.filter((one) => one.id === id).flatMap((one) => one.actions);
    expect(found.length, `${id} left nothing`).toBeGreaterThan(0);
    expect(
      found.filter((action) => !named.includes(action) && action !== 'sign_in.succeed'),
      id,
    ).toEqual([]);
    if (typeof entry === 'string') expect(left.get(id), id).toContain(entry);
  }
  const all = new Set(done.flatMap(({ actions: found }) => found));
  for (const action of ['invitation.update', 'member.update', 'invitation.delete', 'member.remove', 'issue.restore']) {
    expect(all).toContain(action);
  }
  const { organizationId } = api;
  expect(await verifyChain(api.state, sealOf(testSecrets), organizationId)).toMatchObject({ breaks: [] });
}, 120_000);

test('changes stand there as before and after, and secrets do not', () => {
  const entryOf = (id: string, action: string): Entry | undefined =>
    done.find((one) => one.id === id)?.entries.find((entry) => entry.action === action);
  expect(entryOf('updateProject', 'project.update')).toMatchObject({
    actor: { type: 'token', email: owner.email, token: { name: 'test' } },
    target: { type: 'project', name: 'web', project: 'web' },
    source: { address: '127.0.0.1', agent: 'lightMyRequest' },
    changes: [
      { field: 'name', before: 'Web', after: 'Web 2' },
      { field: 'scrubData', before: true, after: false },
    ],
  });
  expect(entryOf('updateChannel', 'channel.update')?.changes).toEqual([
    { field: 'name', before: 'Ops', after: 'Ops 2' },
    { field: 'config' },
  ]);
  expect(entryOf('updateAccount', 'user.update')?.changes).toMatchObject([{ field: 'name', after: 'Owen' }]);
  expect(entryOf('confirmEmail', 'user.change_email')).toMatchObject({
    actor: { type: 'user', email: 'newest@example.com' },
    changes: [{ field: 'email', before: 'own@example.com', after: 'newest@example.com' }],
  });
  expect(entryOf('wrongPassword', 'user.fail_password')).toMatchObject({
    actor: { type: 'user', email: 'newest@example.com', session: expect.any(String) },
    target: { name: 'newest@example.com' },
    source: { address: '127.0.0.1' },
    details: { reason: 'wrong', times: 1 },
  });
  expect(entryOf('deleteAccount', 'user.delete')?.target).toMatchObject({ name: 'newest@example.com' });
  expect(entryOf('requestPasswordReset', 'user.request_reset')).toMatchObject({
    actor: { type: 'visitor' },
    target: { name: 'forgetful@example.com' },
  });
  expect(entryOf('updateSessionPolicy', 'organization.update')?.changes).toEqual([
    { field: 'sessionLifetimeHours', before: null, after: 24 },
  ]);
  const text = JSON.stringify(done);
  for (const secret of ['abcdefgh', 'sntryu_', password, newPhrase, 'never to be seen', botToken, signingSecret])
    expect(text).not.toContain(secret);
});
