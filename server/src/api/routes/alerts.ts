/** Alert rules: kept, tried, muted; and what they told. */
import type { Identity, Membership } from '../../accounts/index.ts';
import * as alerts from '../../alerts/index.ts';
import { CodedError } from '../../errors.ts';
import { issuesById } from '../../issues/index.ts';
import { listChannels } from '../../notify/index.ts';
import { listProjects, type Project } from '../../projects/index.ts';
import { createFailures } from '../../self/index.ts';
import { peopleOf } from '../../teams/index.ts';
import * as contract from '../contract/alerts.ts';
import { type Api, implement } from '../implement.ts';
import { linkCursors, parseCursor } from '../pagination.ts';
import { searchOfRules } from '../rule-search.ts';
import {
  type RulePlace,
  type RuleViewer,
  sentenceFor,
  toAlertFiring,
  toAlertPreview,
  toAlertRule,
  toDefinition,
  toHistoryEntry,
  toRequest,
} from '../shapes/alerts.ts';

interface Caller {
  readonly membership: Membership;
  readonly identity: Identity;
}

/** Who asks for a preview waits so long before it goes on by itself. */
const previewWaitMs = 900;

export function alertRoutes(api: Api): void {
  const { state, events, getUrl, failures = createFailures({ logger: api.app.log }) } = api.deps;
  const stores = { state, events, readSearch: searchOfRules({ state, events }) };
  const previews = alerts.openAlertPreviews({ ...stores, failures });
  // While the stores are open still.
  api.app.addHook('preClose', () => previews[Symbol.asyncDispose]());

  const placeOf = async ({ organizationId }: Membership): Promise<RulePlace> => {
    const [projects, channels] = await Promise.all([
      listProjects(state, organizationId),
      listChannels(state, organizationId),
    ]);
    return { projects, channels };
  };

  const ruleOf = async ({ membership }: Caller, id: string): Promise<alerts.Rule> => {
    const found = /^\d{1,9}$/.test(id)
      ? await alerts.findRule(state, membership.organizationId, Number(id))
      : undefined;
    if (!found) throw new CodedError('NOT_FOUND', [`alert rule ${id}`]);
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

  const shown = async (caller: Caller, id: number) => {
    const rule = await ruleOf(caller, String(id));
    const [summaries, place, viewer] = await Promise.all([
      alerts.summariesOf(state, rule.organizationId, Date.now()),
      placeOf(caller.membership),
      viewerOf(caller),
    ]);
    return toAlertRule(rule, summaries.get(id), place, viewer);
  };

  /** Throws what is wrong with it. */
  const check = async ({ membership, identity }: Caller, rule: alerts.RuleDefinition): Promise<void> => {
    const { projects, channels } = await placeOf(membership);
    const gone = rule.channelIds.find((id) => !channels.some((channel) => channel.id === id));
    if (gone !== undefined) throw new CodedError('INPUT_INVALID', [`channelIds: there is no channel ${gone}`]);
    const watched = rule.projectIds.length ? projects : alerts.projectsOf(rule, projects);
    const { organizationId } = membership;
    await alerts.checkRule(stores, rule, { organizationId, userId: identity.userId, projects: watched }, Date.now());
  };

  const projectNamed = (projects: readonly Project[], name: string): Project => {
    const project = projects.find((one) => one.slug === name || String(one.id) === name);
    if (!project) throw new CodedError('NOT_FOUND', [`project ${name}`]);
    return project;
  };

  /** Those that watch a project; all without one. */
  const watching = (
    rules: readonly alerts.Rule[],
    projects: readonly Project[],
    name: string | undefined,
  ): alerts.Rule[] => {
    if (!name) return [...rules];
    const { id } = projectNamed(projects, name);
    return rules.filter((rule) => alerts.projectsOf(rule, projects).some((project) => project.id === id));
  };

  implement(api, contract.listAlertRules, async ({ caller, query }) => {
    const { organizationId } = caller.membership;
    const [rules, place, viewer, summaries] = await Promise.all([
      alerts.listRules(state.db, organizationId),
      placeOf(caller.membership),
      viewerOf(caller),
      alerts.summariesOf(state, organizationId, Date.now()),
    ]);
    const rank = { critical: 0, warning: 1, no_data: 2, problem: 3, learning: 4, ok: 4, disabled: 5 } as const;
    return watching(rules, place.projects, query.project)
      .map((rule) => toAlertRule(rule, summaries.get(rule.id), place, viewer))
      .toSorted(
        (a, b) => rank[a.state] - rank[b.state] || a.name.localeCompare(b.name, 'en') || Number(a.id) - Number(b.id),
      );
  });

  implement(api, contract.createAlertRule, async ({ caller, body }) => {
    const rule = toDefinition(body);
    await alerts.checkOwner(state, caller.membership.organizationId, rule.owner);
    await check(caller, rule);
    const maker = { organizationId: caller.membership.organizationId, userId: caller.identity.userId };
    return shown(caller, await alerts.addRule(state, maker, rule, Date.now()));
  });

  implement(api, contract.getAlertRule, async ({ caller, params }) =>
    shown(caller, (await ruleOf(caller, params.rule)).id),
  );

  implement(api, contract.updateAlertRule, async ({ caller, params, body }) => {
    const before = await ownRuleOf(caller, params.rule);
    const { match, conditions, metric, ...settings } = body;
    const given = toRequest(before);
    const changed = { ...given, ...definedOf(settings) };
    const rule = toDefinition(
      changed.kind === 'issue'
        ? { ...changed, ...definedOf({ match, conditions }) }
        : { ...changed, ...definedOf({ metric }) },
    );
    // Who has left may stay named until somebody names another.
    if (rule.owner !== before.owner) await alerts.checkOwner(state, caller.membership.organizationId, rule.owner);
    // A rule that cannot be read any more can still be turned off.
    if (rule.enabled) await check(caller, rule);
    await alerts.changeRule(state, before, rule, Date.now());
    return shown(caller, before.id);
  });

  implement(api, contract.deleteAlertRule, async ({ caller, params }) => {
    await alerts.removeRule(state, await ownRuleOf(caller, params.rule));
  });

  implement(api, contract.muteAlertRule, async ({ caller, params, body }) => {
    const rule = await ruleOf(caller, params.rule);
    const until = body.minutes === null ? null : Date.now() + body.minutes * 60_000;
    const { asker, members } = await viewerOf(caller);
    if ((body.for ?? (alerts.mayChange(rule, asker) ? 'everyone' : 'me')) === 'me') {
      await alerts.muteForPerson(state, rule.id, asker.userId, until);
    } else {
      alerts.checkMayChange(rule, asker, members);
      await alerts.muteRule(state, rule, until);
    }
    return shown(caller, rule.id);
  });

  const firingsOf = async (
    { membership }: Caller,
    rules: readonly alerts.Rule[],
    asked: {
      readonly cursor?: string | undefined;
      readonly limit: number;
      readonly issueId?: number | undefined;
      readonly all: boolean;
    },
  ) => {
    const { organizationId } = membership;
    const before = parseCursor(asked.cursor)?.offset;
    const ruleIds = asked.all ? undefined : rules.map((rule) => rule.id);
    const found = await alerts.listFirings(state, {
      organizationId,
      ruleIds,
      issueId: asked.issueId,
      before,
      limit: asked.limit + 1,
    });
    const page = found.slice(0, asked.limit);
    const issues = await issuesById(
      state,
      page.flatMap((one) => one.issueId ?? []),
    );
    const projects = await listProjects(state, organizationId);
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    return {
      rows: page.map((firing) => toAlertFiring(firing, byId, issues, projects)),
      next: found.length > page.length ? `0:${page.at(-1)?.id ?? 0}:0` : undefined,
    };
  };

  implement(api, contract.listAlertHistory, async ({ caller, params, query, request, reply }) => {
    const rule = await ruleOf(caller, params.rule);
    const { rows, next } = await firingsOf(caller, [rule], { ...query, all: false });
    linkCursors(request, reply, getUrl(), { next, previous: undefined });
    const { organizationId } = caller.membership;
    const messages = await alerts.messagesOf(state, {
      organizationId,
      ruleId: rule.id,
      firings: rows.map((row) => ({ id: Number(row.id), state: row.state })),
      channelIds: (await listChannels(state, organizationId)).map(({ id }) => id),
    });
    return rows.map((row) => toHistoryEntry(row, messages.get(Number(row.id))));
  });

  implement(api, contract.listAlertFirings, async ({ caller, query, request, reply }) => {
    const { organizationId } = caller.membership;
    const [all, projects] = await Promise.all([
      alerts.listRules(state.db, organizationId),
      listProjects(state, organizationId),
    ]);
    const issueId = query.issue === undefined ? undefined : Number(query.issue);
    const asked = { ...query, issueId, all: !query.project };
    const { rows, next } = await firingsOf(caller, watching(all, projects, query.project), asked);
    linkCursors(request, reply, getUrl(), { next, previous: undefined });
    return rows;
  });

  implement(api, contract.previewAlertRule, async ({ caller, body }) => {
    const rule = toDefinition(body);
    await check(caller, rule);
    const preview = await previews.start(caller.membership.organizationId, rule, previewWaitMs);
    return toAlertPreview(preview, await placeOf(caller.membership));
  });

  implement(api, contract.getAlertPreview, async ({ caller: { membership }, params }) => {
    const preview = previews.find(membership.organizationId, params.preview);
    if (!preview) throw new CodedError('NOT_FOUND', [`preview ${params.preview}`]);
    return toAlertPreview(preview, await placeOf(membership));
  });

  implement(api, contract.cancelAlertPreview, async ({ caller: { membership }, params }) => {
    if (!previews.cancel(membership.organizationId, params.preview)) {
      throw new CodedError('NOT_FOUND', [`preview ${params.preview}`]);
    }
  });

  implement(api, contract.suggestAlertRules, async ({ caller: { membership }, query }) => {
    const place = await placeOf(membership);
    const channel = place.channels.find((one) => one.enabled);
    const project = query.project ? projectNamed(place.projects, query.project) : undefined;
    return alerts
      .suggestionsFor(project, channel ? [channel.id] : [])
      .map(({ rule, ...one }) => ({ ...one, sentence: sentenceFor(rule, place), rule: toRequest(rule) }));
  });
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what was left out. */
const definedOf = <T extends object>(given: T): Defined<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>;
