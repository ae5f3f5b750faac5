/** Alert rules as Sentry's clients ask for them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as alerts from '../../domains/alerts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import { peopleOf } from '../../domains/teams/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import * as contract from './clients-contract.ts';
import {
  type ClientPlace,
  type IssueRule,
  type MetricRule,
  toCombined,
  toDetector,
  toErrorDetector,
  toWorkflow,
} from './clients-shapes.ts';
import { type Caller, createRuleAccess, isSeen, projectNamed } from './rule-access.ts';

interface Pages {
  readonly cursor?: string | undefined;
  readonly per_page: number;
}

export function clientRoutes(api: Api): void {
  const { state, getUrl } = api.deps;
  const { placeOf, ruleOf } = createRuleAccess(api.deps);

  const clientPlace = async ({ membership }: Caller): Promise<ClientPlace> => {
    const [place, people, summaries] = await Promise.all([
      placeOf(membership),
      peopleOf(state, membership.organizationId),
      alerts.summariesOf(state, membership.organizationId, Date.now()),
    ]);
    return { ...place, people, summaries };
  };

  /** Of the projects named, all without any; by name where words of it are given. */
  const rulesOf = async (
    { membership }: Caller,
    place: ClientPlace,
    { named, words, ids }: { named: readonly string[]; words: string; ids?: readonly string[] | undefined },
  ): Promise<alerts.Rule[]> => {
    const wanted = named.filter((one) => one !== '' && one !== '-1').map((one) => projectNamed(place.projects, one).id);
    const text = words.toLowerCase();
    return (await alerts.listRules(state.db, membership.organizationId)).filter(
      (rule) =>
        isSeen(rule, membership) &&
        (!ids || ids.includes(String(rule.id))) &&
        (!wanted.length || alerts.projectsOf(rule, place.projects).some(({ id }) => wanted.includes(id))) &&
        rule.name.toLowerCase().includes(text),
    );
  };

  const page = <T>(
    rows: readonly T[],
    { cursor: text, per_page: limit }: Pages,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const cursor = parseCursor(text);
    const found = pageOf(rows.slice(cursor?.offset ?? 0), cursor, limit);
    linkPages(request, reply, getUrl(), found);
    return found.rows;
  };

  implement(api, contract.listWorkflows, async ({ caller, query, request, reply }) => {
    const place = await clientPlace(caller);
    const named = [...query.project, ...query.projectSlug];
    const { words } = readQuery(query.query);
    const rules = (await rulesOf(caller, place, { named, words, ids: query.id })).filter(isIssueRule);
    return page(sorted(rules, query.sortBy), query, request, reply).map((rule) => toWorkflow(rule, place));
  });

  implement(api, contract.getWorkflow, async ({ caller, params }) => {
    const rule = await ruleOf(caller, params.rule);
    if (!isIssueRule(rule)) throw new CodedError('NOT_FOUND', [things.alertRule(params.rule)]);
    return toWorkflow(rule, await clientPlace(caller));
  });

  implement(api, contract.listDetectors, async ({ caller, query, request, reply }) => {
    const place = await clientPlace(caller);
    const named = [...query.project, ...query.projectSlug];
    const { type, words } = readQuery(query.query);
    if (type === 'error') {
      const wanted = named.map((name) => projectNamed(place.projects, name).id);
      const projects = place.projects.filter(({ id }) => !wanted.length || wanted.includes(id));
      return page(projects, query, request, reply).map((one) => toErrorDetector(one, caller.membership.organizationId));
    }
    const all = type === '' || type === 'metric_issue';
    const rules = all ? await rulesOf(caller, place, { named, words, ids: query.id }) : [];
    return page(sorted(rules.filter(isMetricRule), query.sortBy), query, request, reply).map((rule) =>
      toDetector(rule, place),
    );
  });

  implement(api, contract.getDetector, async ({ caller, params }) => {
    const rule = await ruleOf(caller, params.rule);
    if (!isMetricRule(rule)) throw new CodedError('NOT_FOUND', [things.alertRule(params.rule)]);
    return toDetector(rule, await clientPlace(caller));
  });

  implement(api, contract.listCombinedRules, async ({ caller, query, request, reply }) => {
    const place = await clientPlace(caller);
    const { alertType: types } = query;
    const wanted = (rule: alerts.Rule): boolean =>
      types.length === 0 || types.includes(rule.kind === 'metric' ? 'alert_rule' : 'rule');
    const rules = await rulesOf(caller, place, { named: query.project, words: query.name });
    return page(sorted(rules.filter(wanted), query.sortBy), query, request, reply).map((rule) =>
      toCombined(rule, place),
    );
  });
}

const isIssueRule = (rule: alerts.Rule): rule is IssueRule => rule.kind === 'issue';
const isMetricRule = (rule: alerts.Rule): rule is MetricRule => rule.kind === 'metric';

/** `type:metric_issue name:"*slow*"`, as clients write it; other words are of the name. */
export function readQuery(text: string): { type: string; words: string } {
  const type = /(?:^|\s)type:(\w+)/.exec(text)?.[1] ?? '';
  const quoted = /(?:^|\s)name:"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replace(/\\(.)/g, '$1');
  const words = quoted ?? text.replace(/(?:^|\s)type:\w+/, ' ').replace(/(?:^|\s)name:/, ' ');
  return { type, words: words.trim().replace(/^\*|\*$/g, '') };
}

function sorted<T extends alerts.Rule>(rules: readonly T[], by: string): T[] {
  const key = by.replace(/^-/, '');
  const sign = by.startsWith('-') ? -1 : 1;
  return rules.toSorted(
    (a, b) =>
      sign *
      (key === 'name'
        ? a.name.localeCompare(b.name, 'en') || a.id - b.id
        : key === 'dateCreated'
          ? a.createdAt - b.createdAt || a.id - b.id
          : a.id - b.id),
  );
}
