/** Alert rules as Sentry's clients create, change and delete them. */
import { CodedError } from '../../base/errors.ts';
import { clientRules as texts } from '../../base/texts/client-alerts.ts';
import { things } from '../../base/texts/things.ts';
import * as alerts from '../../domains/alerts/index.ts';
import { type Api, implement, type Recorded } from '../shared/implement.ts';
import { createClientAccess, isIssueRule, isMetricRule, readQuery } from './clients-access.ts';
import * as contract from './clients-changes-contract.ts';
import { readDetector, readWorkflow } from './clients-requests.ts';
import { type IssueRule, type MetricRule, toDetector, toWorkflow } from './clients-shapes.ts';
import { type Caller, createRuleAccess } from './rule-access.ts';

export function clientChangeRoutes(api: Api): void {
  const { state } = api.deps;
  const { ruleOf, viewerOf, ownRuleOf, narrowed, check } = createRuleAccess(api.deps);
  const { clientPlace, rulesOf } = createClientAccess(api.deps);

  const create = async (caller: Caller, wanted: alerts.RuleDefinition, recorded: Recorded): Promise<alerts.Rule> => {
    const { organizationId } = caller.membership;
    const rule = await narrowed(caller, wanted);
    await alerts.checkOwner(state, organizationId, rule.owner);
    await check(caller, rule);
    const maker = { organizationId, userId: caller.identity.userId };
    const id = await recorded(async (inside, note) => {
      const made = await alerts.addRule(inside, maker, rule, Date.now());
      note({ id: made, name: rule.name });
      return made;
    });
    return ruleOf(caller, String(id));
  };

  const change = async (
    caller: Caller,
    before: alerts.Rule,
    wanted: alerts.RuleDefinition,
    recorded: Recorded,
  ): Promise<alerts.Rule> => {
    const rule = await narrowed(caller, wanted);
    if (rule.owner !== before.owner) await alerts.checkOwner(state, caller.membership.organizationId, rule.owner);
    // A rule that cannot be read any more can still be turned off.
    if (rule.enabled) await check(caller, rule);
    await recorded(async (inside, note) => {
      await alerts.changeRule(inside, before, rule, Date.now());
      note({ id: before.id, name: before.name }, { before: { ...before }, after: { ...rule } });
    });
    return ruleOf(caller, String(before.id));
  };

  const remove = async (rules: readonly alerts.Rule[], recorded: Recorded): Promise<void> =>
    recorded(async (inside, note) => {
      for (const rule of rules) {
        await alerts.removeRule(inside, rule);
        note({ id: rule.id, name: rule.name }, { action: 'alert_rule.delete' });
      }
    });

  const ofKind = <T extends alerts.Rule>(rule: alerts.Rule, is: (one: alerts.Rule) => one is T, named: string): T => {
    if (!is(rule)) throw new CodedError('NOT_FOUND', [things.alertRule(named)]);
    return rule;
  };
  const issueRule = async (caller: Caller, id: string): Promise<IssueRule> =>
    ofKind(await ownRuleOf(caller, id), isIssueRule, id);
  const metricRule = async (caller: Caller, id: string): Promise<MetricRule> =>
    ofKind(await ownRuleOf(caller, id), isMetricRule, id);

  /** All of them are who asks's to change. */
  const selected = async <T extends alerts.Rule>(
    caller: Caller,
    query: {
      readonly project: readonly string[];
      readonly projectSlug: readonly string[];
      readonly id?: readonly string[] | undefined;
      readonly query: string;
    },
    is: (one: alerts.Rule) => one is T,
  ): Promise<T[]> => {
    const named = [...query.project, ...query.projectSlug];
    if (!named.length && !query.id?.length && !query.query) {
      throw new CodedError('INPUT_INVALID', [texts.selection]);
    }
    const place = await clientPlace(caller);
    const { words } = readQuery(query.query);
    const rules = rulesOf(place, { named, words, ids: query.id }).filter(is);
    const { asker, members } = await viewerOf(caller);
    for (const rule of rules) alerts.checkMayChange(rule, asker, members);
    return rules;
  };

  /** Returns them as they are then. */
  const enable = async <T extends alerts.Rule>(
    caller: Caller,
    rules: readonly T[],
    enabled: boolean,
    recorded: Recorded,
  ): Promise<T[]> => {
    const changed = rules.filter((rule) => rule.enabled !== enabled);
    if (enabled) for (const rule of changed) await check(caller, { ...rule, enabled });
    await recorded(async (inside, note) => {
      for (const rule of changed) {
        const after = { ...rule, enabled };
        await alerts.changeRule(inside, rule, after, Date.now());
        note(
          { id: rule.id, name: rule.name },
          { action: 'alert_rule.update', before: { ...rule }, after: { ...after } },
        );
      }
    });
    return rules.map((rule) => ({ ...rule, enabled }));
  };

  implement(api, contract.createWorkflow, async ({ caller, body, recorded }) => {
    const place = await clientPlace(caller);
    const rule = await create(caller, readWorkflow(body, place), recorded);
    return toWorkflow(ofKind(rule, isIssueRule, ''), place);
  });

  implement(api, contract.updateWorkflow, async ({ caller, params, body, recorded }) => {
    const before = await issueRule(caller, params.rule);
    const place = await clientPlace(caller);
    const rule = await change(caller, before, readWorkflow(body, place, before), recorded);
    return toWorkflow(ofKind(rule, isIssueRule, ''), place);
  });

  implement(api, contract.deleteWorkflow, async ({ caller, params, recorded }) =>
    remove([await issueRule(caller, params.rule)], recorded),
  );

  implement(api, contract.updateWorkflows, async ({ caller, query, body, recorded }) => {
    const rules = await enable(caller, await selected(caller, query, isIssueRule), body.enabled, recorded);
    const place = await clientPlace(caller);
    return rules.map((rule) => toWorkflow(rule, place));
  });

  implement(api, contract.deleteWorkflows, async ({ caller, query, recorded }) =>
    remove(await selected(caller, query, isIssueRule), recorded),
  );

  implement(api, contract.createDetector, async ({ caller, body, recorded }) => {
    const place = await clientPlace(caller);
    const rule = await create(caller, readDetector(body, place, undefined, caller.project), recorded);
    return toDetector(ofKind(rule, isMetricRule, ''), place);
  });

  implement(api, contract.updateDetector, async ({ caller, params, body, recorded }) => {
    const before = await metricRule(caller, params.rule);
    const place = await clientPlace(caller);
    const rule = await change(caller, before, readDetector(body, place, before), recorded);
    return toDetector(ofKind(rule, isMetricRule, ''), place);
  });

  implement(api, contract.deleteDetector, async ({ caller, params, recorded }) =>
    remove([await metricRule(caller, params.rule)], recorded),
  );

  implement(api, contract.updateDetectors, async ({ caller, query, body, recorded }) => {
    const rules = await enable(caller, await selected(caller, query, isMetricRule), body.enabled, recorded);
    const place = await clientPlace(caller);
    return rules.map((rule) => toDetector(rule, place));
  });

  implement(api, contract.deleteDetectors, async ({ caller, query, recorded }) =>
    remove(await selected(caller, query, isMetricRule), recorded),
  );
}
