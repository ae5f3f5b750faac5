/** Whether a rule can be evaluated, before it is saved. Throws what is wrong, at its place. */
import { CodedError } from '../../base/errors.ts';
import type { Project } from '../projects/index.ts';
import { inputs } from '../../base/texts/alerts.ts';
import { checkMetric, sessionAggregates } from './metric/measure.ts';
import type { State } from '../../ports/state/state.ts';
import type { AlertStores } from './stores.ts';
import { readNamedSearch } from '../named-search/index.ts';
import type { Metric, RuleDefinition } from './types.ts';

export interface RuleScope {
  readonly organizationId: string;
  readonly userId: string | undefined;
  /** Those that it watches. */
  readonly projects: readonly Project[];
}

export async function checkRule(
  stores: AlertStores,
  rule: RuleDefinition,
  { organizationId, userId, projects }: RuleScope,
  nowMs: number,
): Promise<void> {
  const missing = rule.projectIds.find((id) => !projects.some((project) => project.id === id));
  if (missing !== undefined) throw new CodedError('INPUT_INVALID', [inputs.project(missing)]);
  const { environment, query } = rule;
  if (rule.kind === 'issue') {
    const environments = environment ? [environment] : [];
    const scope = { organizationId, userId, projectIds: projects.map(({ id }) => id), environments, nowMs };
    if (query.trim()) await readNamedSearch(stores, query, scope);
    return;
  }
  checkThresholds(rule.metric);
  if (rule.metric.dataset === 'sessions') {
    if (!sessionAggregates.some((name) => name === rule.metric.aggregate)) {
      throw new CodedError('INPUT_INVALID', [inputs.sessionAggregate(sessionAggregates)]);
    }
    if (query.trim()) throw new CodedError('INPUT_INVALID', [inputs.sessionQuery]);
  }
  await checkMetric(stores, { metric: rule.metric, environment, query, projects }, nowMs);
}

/** Whoever a rule is given to belongs to its organisation. `owner`: `user:ID`, `team:ID`, null for nobody. */
export async function checkOwner(state: State, organizationId: string, owner: string | null): Promise<void> {
  if (owner === null) return;
  const id = owner.slice(owner.indexOf(':') + 1);
  const found = owner.startsWith('team:')
    ? await state.db
        .selectFrom('team')
        .select('id')
        .where('id', '=', Number(id))
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
    : await state.db
        .selectFrom('member')
        .select('id')
        .where('userId', '=', id)
        .where('organizationId', '=', organizationId)
        .executeTakeFirst();
  if (!found) throw new CodedError('INPUT_INVALID', [inputs.owner(owner)]);
}

function checkThresholds({ comparison, direction, warning, critical, resolve }: Metric): void {
  const refuse = (what: string): never => {
    throw new CodedError('INPUT_INVALID', [what]);
  };
  if (comparison.type === 'anomaly') return;
  if (warning === null && critical === null) refuse(inputs.noThreshold);
  if (comparison.type === 'static' && direction === 'both') refuse(inputs.bothDirections);
  // The larger the score, the worse.
  const sign = comparison.type === 'static' && direction === 'below' ? -1 : 1;
  const [bad, worst, over] = [warning, critical, resolve].map((value) => (value === null ? null : value * sign));
  if (bad != null && worst != null && worst < bad) {
    refuse(inputs.criticalOrder(sign < 0));
  }
  if (over != null && over > Math.min(bad ?? Infinity, worst ?? Infinity)) {
    refuse(inputs.resolveOrder(sign < 0));
  }
}
