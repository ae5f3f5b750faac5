/** Metric rules that are raised now. */
import type { State } from '../../ports/state/state.ts';
import { isSeen } from './scope.ts';

export interface RaisedRule {
  readonly id: number;
  readonly name: string;
  readonly state: 'warning' | 'critical';
}

const maxRules = 50;

/** Critical ones first; of those projects and that environment, an empty list standing for all. Muted ones are left out. */
export async function raisedRules(
  state: State,
  request: {
    readonly organizationId: string;
    readonly projectIds: readonly number[];
    /** All projects of a rule must be among these; undefined: any. */
    readonly seen?: ReadonlySet<number> | undefined;
    readonly environments: readonly string[];
    readonly nowMs: number;
  },
): Promise<RaisedRule[]> {
  const rows = await state.db
    .selectFrom('alert_rule')
    .innerJoin('alert_rule_state', 'alert_rule_state.rule_id', 'alert_rule.id')
    .select(['alert_rule.id', 'name', 'project_ids', 'environment', 'alert_rule_state.state as state'])
    .where('organization_id', '=', request.organizationId)
    .where('kind', '=', 'metric')
    .where('enabled', '=', 1)
    .where('alert_rule_state.state', 'in', ['warning', 'critical'])
    .whereRef('alert_rule_state.version', '=', 'alert_rule.version')
    .where((eb) => eb.or([eb('muted_until', 'is', null), eb('muted_until', '<=', request.nowMs)]))
    .orderBy('alert_rule_state.state')
    .orderBy('alert_rule.id')
    .limit(maxRules)
    .execute();
  const wanted = new Set(request.projectIds);
  return rows.flatMap(({ id, name, project_ids, environment, state: raised }) => {
    const projects = JSON.parse(project_ids) as number[];
    const concerns =
      isSeen(projects, request.seen) &&
      (projects.length === 0 || projects.some((project) => wanted.has(project))) &&
      (environment === '' || request.environments.length === 0 || request.environments.includes(environment));
    return concerns ? [{ id, name, state: raised === 'critical' ? ('critical' as const) : ('warning' as const) }] : [];
  });
}
