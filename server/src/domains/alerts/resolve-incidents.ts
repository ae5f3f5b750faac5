/**
 * Pagers keep an incident open until they are told that it is over. What a rule told of an issue is over once the issue is
 * resolved: then each pager that was told of it gets that word, once for what it was told last.
 */
import { issuesById } from '../issues/index.ts';
import { enqueue, pagerTypes } from '../notify/index.ts';
import type { Project } from '../projects/index.ts';
import type { State } from '../../ports/state/state.ts';
import type { LookMemory } from './issue/memory.ts';
import { issueGroupKey, issueUrl } from './message.ts';
import { messageKey } from './message-key.ts';

const resolvedActivities = ['set_resolved', 'set_resolved_in_release', 'set_resolved_by_commit'];
/** Of one look: those that were told last. */
const maxResolved = 5_000;
/** Keys of deliveries of one question. */
const maxKeys = 500;

export interface OverRequest {
  readonly organizationId: string;
  readonly projects: readonly Project[];
  /** From there on what happened is read. */
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly memory: LookMemory;
  /** Public address, without a trailing slash. */
  readonly baseUrl: string;
}

/** Returns how many messages were written. Repeating it writes none. */
export async function resolveIncidents(state: State, request: OverRequest): Promise<number> {
  const { organizationId, projects, sinceMs, nowMs, memory, baseUrl } = request;
  const pagers = await state.db
    .selectFrom('channel')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('type', 'in', pagerTypes)
    .where('enabled', '=', 1)
    .execute();
  if (!pagers.length) return 0;
  const rows = await state.db
    .selectFrom('issue_activity')
    .innerJoin('alert_firing', 'alert_firing.issue_id', 'issue_activity.issue_id')
    .innerJoin('alert_rule', 'alert_rule.id', 'alert_firing.rule_id')
    .select(['issue_activity.id as activity', 'alert_firing.id as firing', 'alert_firing.issue_id as issue'])
    .select(['alert_firing.rule_id as rule', 'alert_rule.name as name'])
    .where('issue_activity.created_at', '>=', sinceMs)
    .where('issue_activity.type', 'in', resolvedActivities)
    .where('alert_firing.organization_id', '=', organizationId)
    .where('alert_firing.state', '=', 'told')
    // What was told since is news, and not over with it.
    .whereRef('alert_firing.at', '<=', 'issue_activity.created_at')
    .orderBy('alert_firing.id', 'desc')
    .limit(maxResolved)
    .execute();
  const fresh = rows.filter((row) => !memory.isJudged(overKey(row)));
  if (!fresh.length) return 0;
  const open = await openIncidents(
    state,
    organizationId,
    fresh.flatMap(({ firing, issue, rule, name }) =>
      pagers.map(({ id }) => ({
        key: messageKey(firing, id),
        channelId: id,
        issueId: issue ?? 0,
        rule: { id: rule, name },
      })),
    ),
  );
  const issues = await issuesById(state, [...new Set(open.map((one) => one.issueId))]);
  const byId = new Map(projects.map((project) => [project.id, project]));
  let written = 0;
  await state.transaction(async (trx) => {
    for (const { key, channelId, issueId, rule } of open) {
      const issue = issues.get(issueId);
      const project = issue && byId.get(issue.projectId);
      if (!project) continue;
      const { title, culprit } = issue;
      const url = issueUrl({ shortId: `${project.shortIdPrefix}-${issue.number}` }, { baseUrl });
      const notification = {
        kind: 'issue_alert',
        severity: 'resolved',
        title,
        text: culprit,
        url,
        project: { id: project.id, slug: project.slug, name: project.name },
        rule: { ...rule, url: `${baseUrl}/alerts/${rule.id}` },
        fields: [],
        groupKey: issueGroupKey(rule.id, issueId),
      } as const;
      const isNew = await enqueue(trx, { key: `${key}:over`, organizationId, to: { channelId }, notification });
      if (isNew) written += 1;
    }
  });
  for (const row of fresh) memory.noteJudged(overKey(row), nowMs);
  return written;
}

const overKey = ({ activity, firing }: { readonly activity: number; readonly firing: number }): string =>
  `over:${activity}:${firing}`;

interface Incident {
  /** Of the delivery that opened it. */
  readonly key: string;
  readonly channelId: number;
  readonly issueId: number;
  readonly rule: { readonly id: number; readonly name: string };
}

/** Of those that may have been told, the last that was told of each rule, issue and channel. `may` has the newest first. */
async function openIncidents(state: State, organizationId: string, may: readonly Incident[]): Promise<Incident[]> {
  const found = new Map<string, Incident>();
  for (let from = 0; from < may.length; from += maxKeys) {
    const part = may.slice(from, from + maxKeys);
    const rows = await state.db
      .selectFrom('delivery')
      .select(['key', 'group_key'])
      .where('organization_id', '=', organizationId)
      .where(
        'key',
        'in',
        part.map((one) => one.key),
      )
      .where('state', 'not in', ['skipped', 'failed'])
      .execute();
    const groups = new Map(rows.map((row) => [row.key, row.group_key]));
    for (const one of part) {
      const matter = `${one.channelId} ${one.rule.id} ${one.issueId}`;
      // A message about several issues is another matter.
      if (groups.get(one.key) !== issueGroupKey(one.rule.id, one.issueId) || found.has(matter)) continue;
      found.set(matter, one);
    }
  }
  return [...found.values()];
}
