/** Teams and members. Members come as invitations that nobody is sent: a mail goes out when somebody renews them. */
import { gaps } from '../../../base/texts/imports.ts';
import { CodedError } from '../../../base/errors.ts';
import { isSlug, slugFrom } from '../../projects/index.ts';
import { createTeam, invite, listInvitations, peopleOf } from '../../teams/index.ts';
import type { ImportContext } from '../context.ts';
import { offered } from '../offered.ts';

/** What projects, issues and comments name people and teams by. */
export interface People {
  readonly teams: ReadonlyMap<string, number>;
  /** Ids of members by address, in lower case. */
  readonly members: ReadonlyMap<string, string>;
}

export async function importPeople(context: ImportContext): Promise<People> {
  const { state, organizationId, userId, source, from, reporter, settings } = context;
  const people = await peopleOf(state, organizationId);
  const teams = new Map(people.teams.map((team) => [team.slug, team.id]));
  const bySlug = new Map<string, number>();
  for await (const { slug, name } of offered(context, 'team', source.teams(from))) {
    const own = isSlug(slug) ? slug : slugFrom(slug || name, 'team');
    const known = teams.get(own);
    if (known !== undefined) {
      reporter.known('team');
      bySlug.set(slug, known);
      continue;
    }
    reporter.made('team');
    if (settings.dryRun) continue;
    const input = { name: name.slice(0, 64) || own, slug: own, projectIds: [], userIds: [] };
    const id = await createTeam(state, organizationId, input, Date.now());
    teams.set(own, id);
    bySlug.set(slug, id);
  }
  const members = new Map(people.members.map(({ email, userId: id }) => [email.toLowerCase(), id]));
  const invited = new Set((await listInvitations(state, organizationId)).map(({ email }) => email));
  for await (const member of offered(context, 'member', source.members(from))) {
    const email = member.email.toLowerCase();
    if (members.has(email) || invited.has(email)) {
      reporter.known('member');
      continue;
    }
    if (member.role === 'owner') reporter.gap('member', 'role', gaps.owners, email);
    reporter.made('member');
    if (settings.dryRun) continue;
    const role = member.role === 'owner' ? 'admin' : member.role;
    const teamIds = member.teams.flatMap((slug) => bySlug.get(slug) ?? []);
    try {
      await invite(state, { organizationId, email, role, teamIds, inviterId: userId }, () => {}, Date.now());
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      reporter.gap('member', '', gaps.limit, email);
    }
    invited.add(email);
  }
  return { teams: bySlug, members };
}
