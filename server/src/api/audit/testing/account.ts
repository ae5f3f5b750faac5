/** What people do with their own account. For the test of the audit log. */
import { expect } from 'vitest';
import { listEntries } from '../../../domains/audit/index.ts';
import { askForEmail, forgotPassword, insertMember } from '../../../domains/accounts/index.ts';
import { registerClient, startDevice } from '../../../domains/oauth/index.ts';
import { org, password } from '../../teams/testing.ts';
import { type Deeds, newPhrase } from './deeds.ts';

export async function theOwnAccount({ api, does, doesAsNobody, done, lastSeq }: Deeds): Promise<void> {
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
}
