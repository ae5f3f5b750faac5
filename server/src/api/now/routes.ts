/** The page Now. */
import { raisedRules } from '../../domains/alerts/index.ts';
import { now } from '../../domains/now/index.ts';
import { deploysBetween } from '../../domains/releases/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { readLag } from '../shared/lag.ts';
import { toNow } from './shapes.ts';

const dayMs = 86_400_000;
const maxMarks = 50;

export function nowRoutes(api: Api): void {
  const { state } = api.deps;

  implement(api, contract.getNow, async ({ caller: { membership }, query }) => {
    const nowMs = Date.now();
    const projects = await chooseProjects(state, membership, query.project);
    const environments = query.environment;
    const projectIds = projects.map(({ id }) => id);
    const { organizationId } = membership;
    const alerts = await raisedRules(state, {
      organizationId,
      projectIds,
      environments,
      nowMs,
      seen: membership.within?.projectIds,
    });
    const lagMs = await readLag(api.deps);
    const [found, deploys] = await Promise.all([
      now(api.deps, { projects, environments, nowMs }, { lagMs, alerts }),
      deploysBetween(state, { projectIds, environments, startMs: nowMs - dayMs, endMs: nowMs, limit: maxMarks }),
    ]);
    return toNow(found, { projects, deploys });
  });
}
