/** Rules as who asks finds them, and what they are about. */
import type { Identity, Membership } from '../../domains/accounts/index.ts';
import * as alerts from '../../domains/alerts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { listChannels } from '../../domains/notify/index.ts';
import { ofPeople, type Project, seenProjects } from '../../domains/projects/index.ts';
import { peopleOf } from '../../domains/teams/index.ts';
import type { Api } from '../shared/implement.ts';
import { things } from '../../base/texts/things.ts';
import { inputs } from '../../base/texts/alerts.ts';
import type { RulePlace } from './rule-place.ts';
import type { RuleViewer } from './shapes.ts';

export interface Caller {
  readonly membership: Membership;
  readonly identity: Identity;
}

export const projectNamed = (projects: readonly Project[], name: string): Project => {
  const project = projects.find((one) => one.slug === name || String(one.id) === name);
  if (!project) throw new CodedError('NOT_FOUND', [things.project(name)]);
  return project;
};

/** Those that watch a project; all without one. */
export const watching = (
  rules: readonly alerts.Rule[],
  projects: readonly Project[],
  name: string | undefined,
): alerts.Rule[] => {
  if (!name) return [...rules];
  const { id } = projectNamed(projects, name);
  return rules.filter((rule) => alerts.projectsOf(rule, projects).some((project) => project.id === id));
};

/** A rule is seen by who sees all that it is about. */
export const isSeen = ({ projectIds }: Pick<alerts.Rule, 'projectIds'>, { within }: Membership): boolean =>
  alerts.isSeen(projectIds, within?.projectIds);

export function createRuleAccess({ state, events }: Pick<Api['deps'], 'state' | 'events'>) {
  const placeOf = async (membership: Membership): Promise<RulePlace> => {
    const [projects, channels] = await Promise.all([
      seenProjects(state, membership),
      listChannels(state, membership.organizationId),
    ]);
    return { projects, channels };
  };

  const ruleOf = async ({ membership }: Caller, id: string): Promise<alerts.Rule> => {
    const found = /^\d{1,9}$/.test(id)
      ? await alerts.findRule(state, membership.organizationId, Number(id))
      : undefined;
    if (!found || !isSeen(found, membership)) throw new CodedError('NOT_FOUND', [things.alertRule(id)]);
    return found;
  };

  const viewerOf = async ({ membership, identity: { userId } }: Caller): Promise<RuleViewer> => {
    const [people, muted] = await Promise.all([
      peopleOf(state, membership.organizationId),
      alerts.mutedFor(state, userId, Date.now()),
    ]);
    return { asker: { userId, role: membership.role }, members: people.members, muted };
  };

  /** Throws `RULE_NOT_YOURS`, too. */
  const ownRuleOf = async (caller: Caller, id: string): Promise<alerts.Rule> => {
    const rule = await ruleOf(caller, id);
    const { asker, members } = await viewerOf(caller);
    alerts.checkMayChange(rule, asker, members);
    return rule;
  };

  /** A rule about all projects, of somebody who sees only some: about those. */
  const narrowed = async ({ membership }: Caller, rule: alerts.RuleDefinition): Promise<alerts.RuleDefinition> => {
    if (!membership.within || rule.projectIds.length) return rule;
    const { projects } = await placeOf(membership);
    const projectIds = ofPeople(projects).map(({ id }) => id);
    if (!projectIds.length) throw new CodedError('INPUT_INVALID', [inputs.noProject]);
    return { ...rule, projectIds };
  };

  /** Throws what is wrong with it. */
  const check = async ({ membership, identity }: Caller, rule: alerts.RuleDefinition): Promise<void> => {
    const { projects, channels } = await placeOf(membership);
    const gone = rule.channelIds.find((id) => !channels.some((channel) => channel.id === id));
    if (gone !== undefined) throw new CodedError('INPUT_INVALID', [inputs.channel(gone)]);
    const watched = rule.projectIds.length ? projects : alerts.projectsOf(rule, projects);
    const { organizationId } = membership;
    await alerts.checkRule(
      { state, events },
      rule,
      { organizationId, userId: identity.userId, projects: watched },
      Date.now(),
    );
  };

  return { placeOf, ruleOf, viewerOf, ownRuleOf, narrowed, check };
}
