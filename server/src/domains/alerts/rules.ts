/** Rules and what they told, as the state store has them. */
import { type Insertable, type Selectable, sql } from 'kysely';
import { CodedError } from '../../base/errors.ts';
import type { AlertFiringTable, AlertRuleStateTable, AlertRuleTable } from '../../ports/state/alert-tables.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import type { Firing, FiringData, IssueTrigger, Metric, Rule, RuleDefinition, RuleState } from './types.ts';

type Database = State['db'] | StateTransaction;

/** Of an organisation. */
const maxRules = 2_000;
const dayMs = 86_400_000;

/** By id. */
export async function listRules(db: Database, organizationId: string): Promise<Rule[]> {
  const rows = await db
    .selectFrom('alert_rule')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
  return rows.map(toRule);
}

/** Undefined where the organisation has none of the id. */
export async function findRule(state: State, organizationId: string, id: number): Promise<Rule | undefined> {
  const row = await state.db
    .selectFrom('alert_rule')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toRule(row);
}

export interface RuleMaker {
  readonly organizationId: string;
  /** Null: nobody. */
  readonly userId: string | null;
}

/** Returns the id. Throws `ALERT_RULES_FULL`. */
export async function addRule(
  state: State,
  { organizationId, userId }: RuleMaker,
  rule: RuleDefinition,
  nowMs: number,
): Promise<number> {
  return state.transaction(async (trx) => {
    const { there } = await trx
      .selectFrom('alert_rule')
      .select((eb) => eb.fn.countAll<number | string>().as('there'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    if (Number(there) >= maxRules) throw new CodedError('ALERT_RULES_FULL', [maxRules]);
    const { id } = await trx
      .insertInto('alert_rule')
      .values({
        ...columnsOf(rule),
        organization_id: organizationId,
        muted_until: null,
        version: 1,
        created_by: userId,
        created_at: nowMs,
        updated_at: nowMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** What was known of what it watched counts no more where that changed. */
export async function changeRule(state: State, before: Rule, rule: RuleDefinition, nowMs: number): Promise<void> {
  const watched = (one: RuleDefinition): string => {
    const { enabled, projectIds, environment, query } = one;
    return JSON.stringify([enabled, projectIds, environment, query, one.kind === 'issue' ? one.trigger : one.metric]);
  };
  const isOther = watched(before) !== watched(rule);
  await state.db
    .updateTable('alert_rule')
    .set((eb) => ({ ...columnsOf(rule), updated_at: nowMs, ...(isOther && { version: eb('version', '+', 1) }) }))
    .where('id', '=', before.id)
    .execute();
}

export async function removeRule(state: State, { id }: Pick<Rule, 'id'>): Promise<void> {
  await state.db.deleteFrom('alert_rule').where('id', '=', id).execute();
}

export async function muteRule(state: State, { id }: Pick<Rule, 'id'>, until: number | null): Promise<void> {
  await state.db.updateTable('alert_rule').set({ muted_until: until }).where('id', '=', id).execute();
}

export interface RuleSummary {
  readonly state: RuleState | undefined;
  readonly lastFiredAt: number | null;
  /** In each of the last seven times 24 hours, the earliest first. */
  readonly firedByDay: readonly number[];
}

export const quietWeek: readonly number[] = [0, 0, 0, 0, 0, 0, 0];

/** Of all rules of an organisation, by id of the rule. */
export async function summariesOf(
  state: State,
  organizationId: string,
  nowMs: number,
): Promise<ReadonlyMap<number, RuleSummary>> {
  const firstMs = nowMs - 7 * dayMs;
  const dayCounts = Array.from({ length: 7 }, (_, day) => {
    const fromMs = firstMs + day * dayMs;
    // What fires while this is asked is of the last one.
    const untilMs = day < 6 ? fromMs + dayMs : fromMs + 2 * dayMs;
    return sql<number | string>`sum(case when at >= ${fromMs} and at < ${untilMs} then 1 else 0 end)`.as(`day${day}`);
  });
  const [states, ever, week] = await Promise.all([
    statesOf(state.db, organizationId),
    // A look into the index for each rule, however often they fired.
    state.db
      .selectFrom('alert_rule')
      .select((eb) => [
        'id as rule_id',
        eb
          .selectFrom('alert_firing')
          .select('at')
          .whereRef('alert_firing.rule_id', '=', 'alert_rule.id')
          .where('severity', '!=', 'resolved')
          .orderBy('alert_firing.id', 'desc')
          .limit(1)
          .as('last'),
      ])
      .where('organization_id', '=', organizationId)
      .execute(),
    state.db
      .selectFrom('alert_firing')
      .select(['rule_id'])
      .select(dayCounts)
      .where('organization_id', '=', organizationId)
      .where('severity', '!=', 'resolved')
      .where('at', '>=', firstMs)
      .groupBy('rule_id')
      .execute(),
  ]);
  const weeks = new Map(
    week.map(({ rule_id: id, ...days }) => [id, dayCounts.map((_, day) => Number(days[`day${day}`]))]),
  );
  const lasts = new Map(ever.flatMap((row) => (row.last === null ? [] : [[row.rule_id, Number(row.last)] as const])));
  const ids = new Set([...states.keys(), ...lasts.keys()]);
  return new Map(
    [...ids].map((id) => [
      id,
      { state: states.get(id), lastFiredAt: lasts.get(id) ?? null, firedByDay: weeks.get(id) ?? quietWeek },
    ]),
  );
}

/** By id of the rule. */
export async function statesOf(db: Database, organizationId: string): Promise<Map<number, RuleState>> {
  const rows = await db
    .selectFrom('alert_rule_state')
    .innerJoin('alert_rule', 'alert_rule.id', 'alert_rule_state.rule_id')
    .selectAll('alert_rule_state')
    .where('alert_rule.organization_id', '=', organizationId)
    .execute();
  return new Map(rows.map((row) => [row.rule_id, toState(row)]));
}

export interface FiringQuery {
  readonly organizationId: string;
  readonly ruleIds?: readonly number[] | undefined;
  readonly issueId?: number | undefined;
  /** Only those before this id. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** The newest first. */
export async function listFirings(
  state: State,
  { organizationId, ruleIds, issueId, before, limit }: FiringQuery,
): Promise<Firing[]> {
  if (ruleIds && !ruleIds.length) return [];
  // Those of one rule or one issue are found by it; the index of the organisation would be read to its end for them.
  const isNarrow = issueId !== undefined || ruleIds?.length === 1;
  const organization = isNarrow ? sql<string>`organization_id || ''` : sql<string>`organization_id`;
  let query = state.db.selectFrom('alert_firing').selectAll().where(organization, '=', organizationId);
  if (ruleIds) query = query.where('rule_id', 'in', ruleIds);
  if (issueId !== undefined) query = query.where('issue_id', '=', issueId);
  if (before !== undefined) query = query.where('id', '<', before);
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(toFiring);
}

/** Ids of what a rule told before a firing of it: where the message began in which it was told, if not with itself. */
export async function notifiedBefore(
  state: State,
  { ruleId, before, limit }: { readonly ruleId: number; readonly before: number; readonly limit: number },
): Promise<number[]> {
  const rows = await state.db
    .selectFrom('alert_firing')
    .select('id')
    .where('rule_id', '=', ruleId)
    .where('state', '=', 'told')
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** How long firings are kept. */
const keptMs = 90 * dayMs;

export async function sweepFirings(state: State, nowMs: number): Promise<void> {
  // The index by time is one of organisations.
  for (const { id } of await state.db.selectFrom('organization').select('id').execute()) {
    await state.db
      .deleteFrom('alert_firing')
      .where('organization_id', '=', id)
      .where('at', '<', nowMs - keptMs)
      .execute();
  }
}

function columnsOf(
  rule: RuleDefinition,
): Omit<
  Insertable<AlertRuleTable>,
  'organization_id' | 'muted_until' | 'version' | 'created_by' | 'created_at' | 'updated_at'
> {
  return {
    kind: rule.kind,
    name: rule.name,
    enabled: Number(rule.enabled),
    project_ids: JSON.stringify(rule.projectIds),
    environment: rule.environment,
    query: rule.query,
    definition: JSON.stringify(rule.kind === 'issue' ? rule.trigger : rule.metric),
    throttle_minutes: rule.throttleMinutes,
    digest_minutes: rule.digestMinutes,
    channel_ids: JSON.stringify(rule.channelIds),
    owner: rule.owner,
  };
}

function toRule(row: Selectable<AlertRuleTable>): Rule {
  const shared = {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    enabled: row.enabled === 1,
    projectIds: JSON.parse(row.project_ids) as number[],
    environment: row.environment,
    query: row.query,
    throttleMinutes: row.throttle_minutes,
    digestMinutes: row.digest_minutes,
    channelIds: JSON.parse(row.channel_ids) as number[],
    owner: row.owner,
    mutedUntil: row.muted_until,
    version: row.version,
    createdBy: row.created_by,
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  };
  const definition: unknown = JSON.parse(row.definition);
  return row.kind === 'issue'
    ? { ...shared, kind: 'issue', trigger: definition as IssueTrigger }
    : { ...shared, kind: 'metric', metric: definition as Metric };
}

export function toState(row: Selectable<AlertRuleStateTable>): RuleState {
  return {
    version: row.version,
    state: row.state as RuleState['state'],
    stateSince: Number(row.state_since),
    notifiedState: row.told as RuleState['notifiedState'],
    calm: row.calm,
    value: row.value,
    evaluatedAt: Number(row.evaluated_at),
    messageAt: row.message_at === null ? null : Number(row.message_at),
    problem: row.problem,
  };
}

export function toFiring(row: Selectable<AlertFiringTable>): Firing {
  return {
    ...(JSON.parse(row.data) as FiringData),
    id: row.id,
    ruleId: row.rule_id,
    issueId: row.issue_id,
    state: row.state,
    severity: row.severity,
    at: Number(row.at),
  };
}
