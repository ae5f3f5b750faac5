/** Each call that changes something names its action in the audit log, or says why it has none; and then leaves its entry. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actions, type Entry, sealOf, verifyChain } from '../domains/audit/index.ts';
import { botToken, signingSecret } from '../domains/slack/testing/workspace.ts';
import { testSecrets } from '../base/secrets/testing.ts';
import { factorDeeds } from './account/testing.ts';
import { theOwnAccount } from './audit/testing/account.ts';
import { alertsAndTokens } from './audit/testing/alerts.ts';
import { type Deeds, newPhrase, openDeeds } from './audit/testing/deeds.ts';
import { issuesAndFiles, searchesAndExports, theErasures } from './audit/testing/issues.ts';
import {
  connections,
  organizations,
  settings,
  teamsAndPeople,
  theLogItself,
  theProviders,
  theSetUp,
} from './audit/testing/organization.ts';
import { projectsAndKeys, uploads } from './audit/testing/projects.ts';
import { type Audited, audited } from './shared/audited.ts';
import { endpoints } from './endpoints.ts';
import { password } from './teams/testing.ts';
import { owner } from './testing.ts';

let deeds: Deeds;
beforeAll(async () => {
  deeds = await openDeeds();
}, 60_000);
afterAll(() => deeds?.[Symbol.asyncDispose]());

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

const inOrder = [
  theSetUp,
  organizations,
  theLogItself,
  projectsAndKeys,
  alertsAndTokens,
  searchesAndExports,
  issuesAndFiles,
  uploads,
  teamsAndPeople,
  theOwnAccount,
  settings,
  connections,
  theProviders,
  theErasures,
];

test('each leaves its entry', async () => {
  const { api, done } = deeds;
  for (const make of inOrder) await make(deeds);
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
  const seen = new Set(done.flatMap(({ actions: found }) => found));
  for (const action of ['invitation.update', 'member.update', 'invitation.delete', 'member.remove', 'issue.restore']) {
    expect(seen).toContain(action);
  }
  const { organizationId } = api;
  expect(await verifyChain(api.state, sealOf(testSecrets), organizationId)).toMatchObject({ breaks: [] });
}, 120_000);

test('changes stand there as before and after, and secrets do not', () => {
  const { done } = deeds;
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
