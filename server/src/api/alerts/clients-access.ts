/** Rules as Sentry's clients choose them, and what their shapes are made of. */
import * as alerts from '../../domains/alerts/index.ts';
import { peopleOf } from '../../domains/teams/index.ts';
import type { Api } from '../shared/implement.ts';
import type { ClientPlace, IssueRule, MetricRule } from './clients-shapes.ts';
import { type Caller, createRuleAccess, isSeen, projectNamed } from './rule-access.ts';

export function createClientAccess(deps: Pick<Api['deps'], 'state' | 'events'>) {
  const { state } = deps;
  const { placeOf } = createRuleAccess(deps);

  const clientPlace = async ({ membership }: Caller): Promise<ClientPlace> => {
    const [place, rules, people, summaries] = await Promise.all([
      placeOf(membership),
      alerts.listRules(state.db, membership.organizationId),
      peopleOf(state, membership.organizationId),
      alerts.summariesOf(state, membership.organizationId, Date.now()),
    ]);
    return { ...place, rules: rules.filter((rule) => isSeen(rule, membership)), people, summaries };
  };

  /** Of the projects named, all without any; by name where words of it are given. */
  const rulesOf = (
    place: ClientPlace,
    { named, words, ids }: { named: readonly string[]; words: string; ids?: readonly string[] | undefined },
  ): alerts.Rule[] => {
    const wanted = named.filter((one) => one !== '' && one !== '-1').map((one) => projectNamed(place.projects, one).id);
    const text = words.toLowerCase();
    return place.rules.filter(
      (rule) =>
        (!ids || ids.includes(String(rule.id))) &&
        (!wanted.length || alerts.projectsOf(rule, place.projects).some(({ id }) => wanted.includes(id))) &&
        rule.name.toLowerCase().includes(text),
    );
  };

  return { clientPlace, rulesOf };
}

export const isIssueRule = (rule: alerts.Rule): rule is IssueRule => rule.kind === 'issue';
export const isMetricRule = (rule: alerts.Rule): rule is MetricRule => rule.kind === 'metric';

/** `type:metric_issue name:"*slow*"`, as clients write it; other words are of the name. */
export function readQuery(text: string): { type: string; words: string } {
  const type = /(?:^|\s)type:(\w+)/.exec(text)?.[1] ?? '';
  const quoted = /(?:^|\s)name:"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replace(/\\(.)/g, '$1');
  const words = quoted ?? text.replace(/(?:^|\s)type:\w+/, ' ').replace(/(?:^|\s)name:/, ' ');
  return { type, words: words.trim().replace(/^\*|\*$/g, '') };
}
