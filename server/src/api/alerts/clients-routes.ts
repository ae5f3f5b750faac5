/** Alert rules as Sentry's clients ask for them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as alerts from '../../domains/alerts/index.ts';
import { listChannels } from '../../domains/notify/index.ts';
import { CodedError } from '../../base/errors.ts';
import { things } from '../../base/texts/things.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import * as contract from './clients-contract.ts';
import { createClientAccess, isIssueRule, isMetricRule, readQuery } from './clients-access.ts';
import { knownActions, knownConditions } from './clients-known.ts';
import { toCombined, toDetector, toErrorDetector, toWorkflow } from './clients-shapes.ts';
import { createRuleAccess, projectNamed } from './rule-access.ts';

interface Pages {
  readonly cursor?: string | undefined;
  readonly per_page: number;
}

export function clientRoutes(api: Api): void {
  const { getUrl } = api.deps;
  const { ruleOf } = createRuleAccess(api.deps);
  const { clientPlace, rulesOf } = createClientAccess(api.deps);

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
    const rules = rulesOf(place, { named, words, ids: query.id }).filter(isIssueRule);
    return page(sorted(rules, query.sortBy), query, request, reply).map((rule) => toWorkflow(rule, place));
  });

  implement(api, contract.getWorkflow, async ({ caller, params }) => {
    const rule = await ruleOf(caller, params.rule);
    if (!isIssueRule(rule)) throw new CodedError('NOT_FOUND', [things.alertRule(params.rule)]);
    return toWorkflow(rule, await clientPlace(caller));
  });

  implement(api, contract.getWorkflowScope, async ({ caller, params }) => {
    const rule = await ruleOf(caller, params.rule);
    if (!isIssueRule(rule)) throw new CodedError('NOT_FOUND', [things.alertRule(params.rule)]);
    const { projects } = await clientPlace(caller);
    const projectIds = alerts.projectsOf(rule, projects).map(({ id }) => String(id));
    return { projectIds, includesAllProjects: rule.projectIds.length === 0 };
  });

  implement(api, contract.getRuleDetector, async ({ caller, query }) => {
    const named = query.alert_rule_id ?? query.detector_id ?? '';
    const rule = await ruleOf(caller, named);
    if (!isMetricRule(rule)) throw new CodedError('NOT_FOUND', [things.alertRule(named)]);
    const both = String(rule.id);
    return { alertRuleId: both, detectorId: both, ruleId: null };
  });

  implement(api, contract.listDataConditions, async ({ query, request, reply }) => [
    ...page(knownConditions(query.group), query, request, reply),
  ]);

  implement(api, contract.listAvailableActions, async ({ caller: { membership }, query, request, reply }) => {
    const channels = await listChannels(api.deps.state, membership.organizationId);
    return [...page(knownActions(channels, query.type), query, request, reply)];
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
    const rules = all ? rulesOf(place, { named, words, ids: query.id }) : [];
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
    const rules = rulesOf(place, { named: query.project, words: query.name });
    return page(sorted(rules.filter(wanted), query.sortBy), query, request, reply).map((rule) =>
      toCombined(rule, place),
    );
  });
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
