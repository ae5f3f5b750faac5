/** Alert rules: kept and muted. */
import * as alerts from '../../domains/alerts/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { isoOrNull } from '../shared/read.ts';
import * as contract from './contract.ts';
import { type Caller, createRuleAccess, isSeen, watching } from './rule-access.ts';
import { toAlertRule, toDefinition, toRequest } from './shapes.ts';

export function alertRoutes(api: Api): void {
  const { state, getUrl } = api.deps;
  const { placeOf, ruleOf, viewerOf, ownRuleOf, narrowed, check } = createRuleAccess(api.deps);

  const shown = async (caller: Caller, id: number) => {
    const rule = await ruleOf(caller, String(id));
    const [summaries, place, viewer] = await Promise.all([
      alerts.summariesOf(state, rule.organizationId, Date.now()),
      placeOf(caller.membership),
      viewerOf(caller),
    ]);
    return toAlertRule(rule, summaries.get(id), place, viewer);
  };

  implement(api, contract.listAlertRules, async ({ caller, query, request, reply }) => {
    const { organizationId } = caller.membership;
    const [rules, place, viewer, summaries] = await Promise.all([
      alerts.listRules(state.db, organizationId),
      placeOf(caller.membership),
      viewerOf(caller),
      alerts.summariesOf(state, organizationId, Date.now()),
    ]);
    const rank = { critical: 0, warning: 1, no_data: 2, problem: 3, learning: 4, ok: 4, disabled: 5 } as const;
    const seen = rules.filter((rule) => isSeen(rule, caller.membership));
    const shownRules = watching(seen, place.projects, query.project)
      .map((rule) => toAlertRule(rule, summaries.get(rule.id), place, viewer))
      .toSorted(
        (a, b) => rank[a.state] - rank[b.state] || a.name.localeCompare(b.name, 'en') || Number(a.id) - Number(b.id),
      );
    if (query.per_page === undefined) return shownRules;
    const cursor = parseCursor(query.cursor);
    const metric = shownRules.filter(({ kind }) => kind === 'metric');
    const page = pageOf(metric.slice(cursor?.offset ?? 0), cursor, query.per_page);
    linkPages(request, reply, getUrl(), page);
    return [...page.rows];
  });

  implement(api, contract.createAlertRule, async ({ caller, body, recorded }) => {
    const rule = await narrowed(caller, toDefinition(body));
    await alerts.checkOwner(state, caller.membership.organizationId, rule.owner);
    await check(caller, rule);
    const maker = { organizationId: caller.membership.organizationId, userId: caller.identity.userId };
    const id = await recorded(async (inside, note) => {
      const made = await alerts.addRule(inside, maker, rule, Date.now());
      note({ id: made, name: rule.name });
      return made;
    });
    return shown(caller, id);
  });

  implement(api, contract.getAlertRule, async ({ caller, params }) =>
    shown(caller, (await ruleOf(caller, params.rule)).id),
  );

  implement(api, contract.updateAlertRule, async ({ caller, params, body, recorded }) => {
    const before = await ownRuleOf(caller, params.rule);
    const { match, conditions, metric, ...settings } = body;
    const request = toRequest(before);
    const changed = { ...request, ...definedOf(settings) };
    const rule = await narrowed(
      caller,
      toDefinition(
        changed.kind === 'issue'
          ? { ...changed, ...definedOf({ match, conditions }) }
          : { ...changed, ...definedOf({ metric }) },
      ),
    );
    // Who has left may stay named until somebody names another.
    if (rule.owner !== before.owner) await alerts.checkOwner(state, caller.membership.organizationId, rule.owner);
    // A rule that cannot be read any more can still be turned off.
    if (rule.enabled) await check(caller, rule);
    await recorded(async (inside, note) => {
      await alerts.changeRule(inside, before, rule, Date.now());
      note({ id: before.id, name: before.name }, { before: { ...before }, after: { ...rule } });
    });
    return shown(caller, before.id);
  });

  implement(api, contract.deleteAlertRule, async ({ caller, params, recorded }) => {
    const rule = await ownRuleOf(caller, params.rule);
    await recorded(async (inside, note) => {
      await alerts.removeRule(inside, rule);
      note({ id: rule.id, name: rule.name });
    });
  });

  implement(api, contract.muteAlertRule, async ({ caller, params, body, recorded }) => {
    const rule = await ruleOf(caller, params.rule);
    const until = body.minutes === null ? null : Date.now() + body.minutes * 60_000;
    const { asker, members } = await viewerOf(caller);
    if ((body.for ?? (alerts.mayChange(rule, asker) ? 'everyone' : 'me')) === 'me') {
      await alerts.muteForPerson(state, rule.id, asker.userId, until);
    } else {
      alerts.checkMayChange(rule, asker, members);
      await recorded(async (inside, note) => {
        await alerts.muteRule(inside, rule, until);
        const told = { before: { mutedUntil: isoOrNull(rule.mutedUntil) }, after: { mutedUntil: isoOrNull(until) } };
        note({ id: rule.id, name: rule.name }, { action: 'alert_rule.update', ...told });
      });
    }
    return shown(caller, rule.id);
  });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what was left out. */
const definedOf = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
