/** The statements of teams, invitations, ownership and comments on each database. */
import { expect, test, vi } from 'vitest';
import {
  changeOrganization,
  createAccounts,
  createOrganization,
  isInstallationOwner,
  scopesOfRole,
  sightIn,
} from '../accounts/index.ts';
import { seenProject, seenProjects, createProject } from '../projects/index.ts';
import { addComment, deleteComment, forgetDeleted, listComments, restoreComment } from '../issues/comments/index.ts';
import { createLive } from '../../base/live.ts';
import { addCodeowners, getOwnership, ownersAmong, saveOwnership, updateCodeowners } from '../ownership/index.ts';
import type { State } from '../../ports/state/state.ts';
import { onEachDatabase } from '../../ports/state/testing/databases.ts';
import { joinAs, joinAsNew } from './accept.ts';
import { invite, listInvitations, openInvitation } from './invitations.ts';
import { removeMember, updateMember } from './members.ts';
import { peopleOf } from './people.ts';
import { assign } from '../issues/work/assign.ts';
import { takeOffIssues } from '../issues/work/take-off.ts';
import { addToProject, createTeam, deleteTeam, updateTeam } from './teams.ts';

const odd = 'a \0\ud800 name';

async function setUp(state: State) {
  const accounts = await createAccounts({ state, getUrl: () => '', secret: 'a secret of thirty-two letters or more' });
  const made = await accounts.setUp({
    email: 'owner@example.com',
    password: 'correct horse battery',
    organization: 'Acme',
    project: 'Web',
  });
  const { id: issueId } = await state.db
    .insertInto('issue')
    .values({
      project_id: made.project.id,
      number: 1,
      status: 'unresolved',
      substatus: 'new',
      level: 'error',
      title: 'Error',
      culprit: '',
      platform: '',
      type: 'error',
      metadata: '{}',
      first_seen: 1,
      last_seen: 1,
      first_release: null,
      last_release: null,
      status_changed_at: null,
      created_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return {
    organizationId: made.organization.id,
    projectId: made.project.id,
    userId: made.user.id,
    issueId,
    live: createLive(),
  };
}

onEachDatabase('teams', (databases) => {
  test('are made, joined, given issues and left', async () => {
    const state = await databases.migrated();
    const { organizationId, projectId, userId, issueId, live } = await setUp(state);
    const asker = { kind: 'session', role: 'owner', scopes: scopesOfRole('owner') } as const;
    const mayReplace = vi.fn<(role: string) => void>();
    const teamId = await createTeam(
      state,
      organizationId,
      { name: odd, projectIds: [projectId], userIds: [userId] },
      1,
    );
    await updateTeam(state, organizationId, teamId, { slug: 'payments', projectIds: [] }, 2);
    await addToProject(state, teamId, projectId, 3);
    await addToProject(state, teamId, projectId, 4);

    const now = Date.now();
    const asked = {
      organizationId,
      email: 'kim@example.com',
      role: 'member' as const,
      teamIds: [teamId, 99],
      inviterId: userId,
    };
    await invite(state, asked, mayReplace, now);
    const { token } = await invite(state, { ...asked, role: 'admin' }, mayReplace, now);
    expect(mayReplace.mock.calls).toEqual([['member', asked.inviterId]]);
    expect(await listInvitations(state, organizationId)).toMatchObject([{ role: 'admin', inviterName: 'owner' }]);
    const opened = await openInvitation(state, token, now);
    // Of several at once one uses it.
    const joined = await Promise.allSettled(
      [1, 2].map(() => joinAsNew(state, opened, { name: 'Kim', password: 'correct horse battery' }, now)),
    );
    expect(joined.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(openInvitation(state, token, now)).rejects.toMatchObject({ code: 'INVITATION_GONE' });
    const kim = (await peopleOf(state, organizationId)).members.find(({ name }) => name === 'Kim');
    if (!kim) throw new Error('Kim did not join');
    expect(kim).toMatchObject({ role: 'admin', handle: 'kim' });
    expect((await peopleOf(state, organizationId)).teams).toMatchObject([
      { slug: 'payments', members: expect.arrayContaining([userId, kim.userId]), projectIds: [projectId] },
    ]);

    await updateMember(state, { asker, organizationId, memberId: kim.id, role: 'owner', teamIds: [] }, now);
    // Of two owners who go at once one stays.
    const people = (await peopleOf(state, organizationId)).members;
    const gone = await Promise.allSettled(
      people.map(({ id }) => removeMember(state, { asker, organizationId, memberId: id, keepsBuildTokens: false })),
    );
    expect(gone.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const [left] = (await peopleOf(state, organizationId)).members;
    const other = people.find(({ userId: own }) => own !== left?.userId);
    if (!other) throw new Error('nobody left');
    const inviterId = left?.userId ?? '';
    const again = await invite(state, { ...asked, email: other.email, teamIds: [], inviterId }, mayReplace, now);
    const stranger = { id: other.userId, email: 'x@example.com' };
    await expect(joinAs(state, again.invitation, stranger, now)).rejects.toMatchObject({
      code: 'INVITATION_FOR_OTHER',
    });
    await joinAs(state, again.invitation, { id: other.userId, email: other.email.toUpperCase() }, now);
    expect((await peopleOf(state, organizationId)).members).toHaveLength(2);

    await state.db.updateTable('issue').set({ assignee_team_id: teamId }).execute();
    await takeOffIssues({ state, live }, { kind: 'team', id: teamId }, { organizationId, byUserId: userId });
    await deleteTeam(state, teamId);
    const issue = await state.db.selectFrom('issue').selectAll().where('id', '=', issueId).executeTakeFirstOrThrow();
    expect(issue.assignee_team_id).toBeNull();
  });

  test('rules and files are kept', async () => {
    const state = await databases.migrated();
    const { organizationId, projectId } = await setUp(state);
    const owners = ownersAmong(await peopleOf(state, organizationId));
    const raw = `# ${odd}\npath:* owner@example.com`;
    await saveOwnership(state, projectId, { autoAssignment: 'off' }, owners, 1);
    await saveOwnership(state, projectId, { raw }, owners, 2);
    const id = await addCodeowners(state, projectId, { raw: '* @x', names: { '@x': 'user:1' } }, 3);
    await updateCodeowners(state, id, { raw: '*.ts @x' }, 4);
    expect(await getOwnership(state, projectId)).toMatchObject({
      autoAssignment: 'off',
      updatedAt: 2,
      codeowners: [{ id, raw: '*.ts @x', repositoryName: null, createdAt: 3, updatedAt: 4 }],
    });
    await expect(saveOwnership(state, projectId, { raw: 'path:* x@y.z' }, owners, 5)).rejects.toMatchObject({
      code: 'RULES_INVALID',
    });
  });

  test('comments are written, deleted, restored and forgotten', async () => {
    const state = await databases.migrated();
    const { organizationId, userId, issueId, live } = await setUp(state);
    const stores = { state, live };
    const tell = async (): Promise<void> => undefined;
    const writing = { issueId, organizationId, userId, text: `${odd} @owner`, mentions: [], nowMs: 1, tell };
    const { id, mentions } = await addComment(stores, writing);
    expect(mentions).toMatchObject([{ handle: 'owner' }]);
    await deleteComment(stores, { issueId, id, userId: 'ada', nowMs: 10 });
    expect(await listComments(state, issueId)).toEqual([]);
    await forgetDeleted(state, 20);
    expect(await restoreComment(stores, { issueId, id, userId: 'ada', nowMs: 10 })).toMatchObject({ id });
    await deleteComment(stores, { issueId, id, userId: 'ada', nowMs: 10 });
    await forgetDeleted(state, Date.now());
    await expect(restoreComment(stores, { issueId, id, userId: 'ada', nowMs: 10 })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('say what a member sees: all, or the projects of their teams', async () => {
    const state = await databases.migrated();
    const { organizationId, projectId, userId, issueId, live } = await setUp(state);
    const { project: other } = await createProject(state, { organizationId, name: 'Other' });
    const accounts = await createAccounts({
      state,
      getUrl: () => '',
      secret: 'a secret of thirty-two letters or more',
    });
    const member = await accounts.createUser({
      email: 'member@example.com',
      password: 'correct horse battery',
      organizationId,
    });
    const { token } = await accounts.createToken({
      organizationId,
      userId: member.id,
      name: 'x',
      scopes: ['org:read'],
    });
    const viewer = async () => {
      const identity = await accounts.identify(new Headers({ authorization: `Bearer ${token}` }));
      const [membership] = identity?.memberships ?? [];
      if (!membership) throw new Error('no membership');
      return membership;
    };
    const seen = async (): Promise<string[]> => (await seenProjects(state, await viewer())).map(({ slug }) => slug);
    expect(await seen()).toEqual(['other', 'web']);
    await changeOrganization(state, organizationId, { memberAccess: 'teams' });
    await changeOrganization(state, organizationId, { memberAccess: 'teams', name: 'Acme Ltd' });
    expect(await seen()).toEqual([]);
    const team = { name: 'Web', projectIds: [projectId], userIds: [member.id] };
    const teamId = await createTeam(state, organizationId, team, 1);
    await createTeam(state, organizationId, { name: 'Empty', projectIds: [], userIds: [member.id] }, 1);
    expect(await seen()).toEqual(['web']);
    expect([...((await viewer()).within?.teamIds ?? [])].length).toBe(2);
    expect(await seenProject(state, await viewer(), 'other')).toBeUndefined();
    const sees = await sightIn(state.db, [organizationId]);
    expect([member.id, userId].map((id) => [projectId, other.id].map((one) => sees(organizationId, id, one)))).toEqual([
      [true, false],
      [true, true],
    ]);

    const to = { kind: 'user', id: member.id } as const;
    const given = { issueIds: [issueId], to, byUserId: userId, why: 'user', nowMs: 1 } as const;
    await deleteTeam(state, teamId);
    expect(await assign({ state, live }, given)).toEqual([]);
    await changeOrganization(state, organizationId, { memberAccess: 'all' });
    expect(await assign({ state, live }, given)).toEqual([issueId]);
    expect(await seen()).toEqual(['other', 'web']);

    // Of several organisations each has its own.
    const second = await createOrganization(state, { name: 'Acme', owner: 'OWNER@example.com' });
    expect(second.slug).toBe('acme-2');
    expect([await isInstallationOwner(state, userId), await isInstallationOwner(state, member.id)]).toEqual([
      true,
      false,
    ]);
    const bot = await accounts.createServiceAccount({ organizationId, name: 'Bot', role: 'viewer', makerId: userId });
    expect(bot).toMatchObject({
      kind: 'service',
      role: 'viewer',
      maker: { email: 'owner@example.com', isMember: true },
    });
    const as = await accounts.identify(new Headers({ authorization: `Bearer ${bot.token}` }));
    expect(as).toMatchObject({ user: { name: 'Bot' }, memberships: [{ role: 'viewer', organizationId }] });
  });
});
