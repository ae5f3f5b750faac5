/**
 * Writes what a look found: firings, messages, what rules know, and how far was read, all in one transaction that only
 * whoever holds the lease can commit. A cause fires once, because it is unique in its rule; a message is written into the outbox
 * in the same transaction as the firings that it tells. So nothing is told twice or lost, whoever dies in between.
 */
import type { Claimer } from '../../base/jobs/index.ts';
import { endIncidents, enqueue, existingChannels } from '../notify/index.ts';
import type { Project } from '../projects/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { reasons } from '../../base/texts/alerts.ts';
import type { IssueFinding } from './issue/look.ts';
import { keepLease } from './lease.ts';
import { issueMessage, metricMessage, severityOfLevel, type IssueSummary } from './message.ts';
import { messageKey } from './message-key.ts';
import type { MetricLook } from './metric/look.ts';
import { newState } from './new-state.ts';
import { toState } from './rules.ts';
import type { FiringData, FiringState, IssueRule, MetricRule, Rule, RuleState } from './types.ts';

export interface Outcome {
  readonly organizationId: string;
  /** The node that has the lease, until now at least. */
  readonly claimer: Claimer;
  /** Everything that happened before was looked at; undefined: what happened was not. */
  readonly readUntil: number | undefined;
  readonly findings: readonly IssueFinding[];
  /** Rules with firings that wait for the next message, which is due. */
  readonly flushes: readonly IssueRule[];
  readonly looks: readonly MetricLook[];
  /** Rules whose search cannot be read, with why, and those that it was said of before. */
  readonly problems: readonly RuleProblem[];
  /** Issues as messages show them. */
  readonly issues: ReadonlyMap<number, IssueSummary>;
  /** Ids that `issues` was asked for. Of those that it has not the issue is gone, and nothing is told; others wait. */
  readonly asked: ReadonlySet<number>;
  projectsOf(rule: Rule): readonly Project[];
  readonly baseUrl: string;
  readonly nowMs: number;
}

export interface RuleProblem {
  readonly rule: Rule;
  /** '' for none. */
  readonly problem: string;
}

export interface Written {
  /** New firings, whether they were told or not. */
  readonly firings: number;
  readonly messages: number;
}

/** Throws `LeaseLost`. */
export async function writeOutcome(state: State, outcome: Outcome): Promise<Written> {
  return state.transaction(async (trx) => {
    const { organizationId, claimer, readUntil, findings, flushes, looks, nowMs } = outcome;
    await keepLease(trx, organizationId, { ...claimer, nowMs }, readUntil);
    const written = { firings: 0, messages: 0 };
    const byRule = Map.groupBy(findings, (one) => one.rule);
    for (const rule of flushes) if (!byRule.has(rule)) byRule.set(rule, []);
    for (const [rule, found] of byRule) await writeIssueRule(trx, outcome, rule, found, written);
    for (const look of looks) await writeMetricRule(trx, outcome, look, written);
    for (const { rule, problem } of outcome.problems) {
      if (await currentOf(trx, rule)) {
        const before = (await readState(trx, rule.id)) ?? newState(rule, outcome.nowMs);
        await writeState(trx, rule.id, { ...before, problem });
      }
    }
    return written;
  });
}

/** As it is by now: it may have been changed, muted or deleted since it was looked at. */
async function currentOf(
  trx: StateTransaction,
  rule: Rule,
): Promise<{ mutedUntil: number; channelIds: number[]; version: number } | undefined> {
  const row = await trx
    .selectFrom('alert_rule')
    .select(['muted_until', 'channel_ids', 'enabled', 'version'])
    .where('id', '=', rule.id)
    .executeTakeFirst();
  if (!row || row.enabled !== 1) return undefined;
  const channelIds = await existingChannels(trx, rule.organizationId, JSON.parse(row.channel_ids) as number[]);
  return { mutedUntil: row.muted_until ?? 0, channelIds, version: row.version };
}

async function writeIssueRule(
  trx: StateTransaction,
  { issues, asked, baseUrl, nowMs }: Outcome,
  rule: IssueRule,
  found: readonly IssueFinding[],
  written: { firings: number; messages: number },
): Promise<void> {
  const current = await currentOf(trx, rule);
  if (!current) return;
  const before = await readState(trx, rule.id);
  const lastNotified = await lastNotifiedOf(trx, rule, found);
  const throttleMs = rule.throttleMinutes * 60_000;
  for (const { issueId, cause } of found) {
    const issue = issues.get(issueId);
    if (!issue) continue;
    const last = lastNotified.get(issueId);
    const isThrottled = last !== undefined && nowMs - last < throttleMs;
    // What holds still is no news within the throttle; what happened is worth a line.
    if (isThrottled && !cause.isHappening) continue;
    const quiet = isThrottled ? 'throttled' : current.mutedUntil > nowMs ? 'muted' : undefined;
    const state: FiringState = quiet ?? (current.channelIds.length ? 'waiting' : 'unheard');
    const { why, value, threshold } = cause;
    const id = await insertFiring(trx, rule, {
      cause: cause.cause,
      issueId,
      state,
      severity: severityOfLevel(issue.level),
      at: nowMs,
      data: { why, value, threshold },
    });
    if (id === undefined) continue;
    written.firings += 1;
    if (state !== 'throttled') lastNotified.set(issueId, nowMs);
  }
  const isGathering =
    before?.messageAt != null && nowMs - before.messageAt < rule.digestMinutes * 60_000 && before.messageAt <= nowMs;
  if (isGathering || current.mutedUntil > nowMs) return;
  const rows = await trx
    .selectFrom('alert_firing')
    .select(['id', 'issue_id', 'data'])
    .where('rule_id', '=', rule.id)
    .where('state', '=', 'waiting')
    .orderBy('id')
    .limit(maxWaiting)
    .execute();
  // Another pass may have found some meanwhile, or there are more than one look asks for.
  const waiting = rows.filter((row) => row.issue_id === null || asked.has(row.issue_id));
  const listed = waiting.flatMap((row) => {
    const issue = issues.get(row.issue_id ?? 0);
    return issue ? [{ ...(JSON.parse(row.data) as FiringData), issue }] : [];
  });
  const ids = waiting.map((row) => row.id);
  const [firstId] = ids;
  if (firstId === undefined) return;
  await trx.updateTable('alert_firing').set({ state: 'told' }).where('id', 'in', ids).execute();
  if (!listed.length) return;
  const notification = issueMessage(rule, listed, firstId, { baseUrl });
  for (const channelId of current.channelIds) {
    await enqueue(trx, {
      key: messageKey(firstId, channelId),
      organizationId: rule.organizationId,
      to: { channelId },
      notification,
    });
    written.messages += 1;
  }
  await writeState(trx, rule.id, { ...(before ?? newState(rule, nowMs)), version: rule.version, messageAt: nowMs });
}

/** Of one rule in one message. */
const maxWaiting = 900;

async function writeMetricRule(
  trx: StateTransaction,
  { projectsOf, baseUrl, nowMs }: Outcome,
  { rule, state, telling, isOver }: MetricLook,
  written: { firings: number; messages: number },
): Promise<void> {
  const current = await currentOf(trx, rule);
  // It was changed meanwhile: the next look is at what it is now.
  if (current?.version !== rule.version) return;
  await writeState(trx, rule.id, state);
  const isMuted = current.mutedUntil > nowMs || telling?.isMuted === true;
  if (isOver && (isMuted || !telling)) {
    written.messages += await endAlarm(trx, rule, current.channelIds, projectsOf(rule), baseUrl);
  }
  if (!telling) return;
  const { severity, cause, why, value, estimated, threshold } = telling;
  const id = await insertFiring(trx, rule, {
    cause,
    issueId: null,
    state: isMuted ? 'muted' : current.channelIds.length ? 'told' : 'unheard',
    severity,
    at: nowMs,
    data: { why, value, ...(estimated && { estimated }), threshold },
  });
  if (id === undefined) return;
  written.firings += 1;
  if (isMuted) return;
  const notification = metricMessage(rule, telling, projectsOf(rule), { baseUrl });
  for (const channelId of current.channelIds) {
    await enqueue(trx, {
      key: messageKey(id, channelId),
      organizationId: rule.organizationId,
      to: { channelId },
      notification,
    });
    written.messages += 1;
  }
}

/** An alarm that was told before a mute and is over now is told to nobody but to pagers. Returns how many. */
async function endAlarm(
  trx: StateTransaction,
  rule: MetricRule,
  channelIds: readonly number[],
  projects: readonly Project[],
  baseUrl: string,
): Promise<number> {
  const ended = { severity: 'resolved', why: reasons.recovered, value: null, threshold: null } as const;
  const notification = metricMessage(rule, ended, projects, { baseUrl });
  return endIncidents(trx, { organizationId: rule.organizationId, channelIds, notification });
}

interface NewFiring {
  readonly cause: string;
  readonly issueId: number | null;
  readonly state: FiringState;
  readonly severity: 'info' | 'warning' | 'critical' | 'resolved';
  readonly at: number;
  readonly data: FiringData;
}

/** Undefined where the rule has fired for the cause already. */
async function insertFiring(trx: StateTransaction, rule: Rule, firing: NewFiring): Promise<number | undefined> {
  const row = await trx
    .insertInto('alert_firing')
    .values({
      organization_id: rule.organizationId,
      rule_id: rule.id,
      cause: firing.cause.slice(0, 400),
      issue_id: firing.issueId,
      state: firing.state,
      severity: firing.severity,
      at: firing.at,
      data: JSON.stringify(firing.data),
    })
    .onConflict((conflict) => conflict.columns(['rule_id', 'cause']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

async function lastNotifiedOf(
  trx: StateTransaction,
  rule: Rule,
  found: readonly IssueFinding[],
): Promise<Map<number, number>> {
  const latest = new Map<number, number>();
  const ids = [...new Set(found.map((one) => one.issueId))];
  for (let from = 0; from < ids.length; from += 500) {
    const rows = await trx
      .selectFrom('alert_firing')
      .select((eb) => ['issue_id', eb.fn.max('at').as('at')])
      .where('rule_id', '=', rule.id)
      .where('issue_id', 'in', ids.slice(from, from + 500))
      .where('state', '!=', 'throttled')
      .groupBy('issue_id')
      .execute();
    for (const row of rows) if (row.issue_id !== null) latest.set(row.issue_id, Number(row.at));
  }
  return latest;
}

async function readState(trx: StateTransaction, ruleId: number): Promise<RuleState | undefined> {
  const row = await trx.selectFrom('alert_rule_state').selectAll().where('rule_id', '=', ruleId).executeTakeFirst();
  return row && toState(row);
}

export async function writeState(trx: StateTransaction, ruleId: number, state: RuleState): Promise<void> {
  const columns = {
    version: state.version,
    state: state.state,
    state_since: state.stateSince,
    told: state.notifiedState,
    calm: state.calm,
    value: state.value,
    evaluated_at: state.evaluatedAt,
    message_at: state.messageAt,
    problem: state.problem.slice(0, 1000),
  };
  await trx
    .insertInto('alert_rule_state')
    .values({ rule_id: ruleId, ...columns })
    .onConflict((conflict) => conflict.column('rule_id').doUpdateSet(columns))
    .execute();
}
