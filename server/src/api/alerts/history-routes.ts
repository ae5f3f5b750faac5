/** What alert rules have told, and why. */
import * as alerts from '../../domains/alerts/index.ts';
import { issuesById } from '../../domains/issues/index.ts';
import { listChannels } from '../../domains/notify/index.ts';
import { seenProjects } from '../../domains/projects/index.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkCursors, parseCursor } from '../shared/pagination.ts';
import * as contract from './contract.ts';
import { type Caller, createRuleAccess, isSeen, watching } from './rule-access.ts';
import { toAlertFiring, toHistoryEntry } from './shapes.ts';

export function alertHistoryRoutes(api: Api): void {
  const { state, getUrl } = api.deps;
  const { ruleOf } = createRuleAccess(api.deps);

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
    const projects = await seenProjects(state, membership);
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
      seenProjects(state, caller.membership),
    ]);
    const issueId = query.issue === undefined ? undefined : Number(query.issue);
    const seen = all.filter((rule) => isSeen(rule, caller.membership));
    const asked = { ...query, issueId, all: !query.project && seen.length === all.length };
    const { rows, next } = await firingsOf(caller, watching(seen, projects, query.project), asked);
    linkCursors(request, reply, getUrl(), { next, previous: undefined });
    return rows;
  });
}
