/** The page Now. */
import { raisedRules } from '../../alerts/index.ts';
import { now } from '../../now/index.ts';
import { deploysBetween } from '../../releases/index.ts';
import * as contract from '../contract/now.ts';
import { type Api, implement } from '../implement.ts';
import { chooseMeasuredProjects } from '../scope.ts';
import { toNow } from '../shapes/now.ts';

const dayMs = 86_400_000;
const mostMarks = 50;

export function nowRoutes(api: Api): void {
  const { state, pipeline } = api.deps;

  implement(api, contract.getNow, async ({ caller: { membership }, query }) => {
    const nowMs = Date.now();
    const projects = await chooseMeasuredProjects(state, membership, query.project);
    const environments = query.environment;
    const projectIds = projects.map(({ id }) => id);
    const { organizationId } = membership;
    const alerts = await raisedRules(state, { organizationId, projectIds, environments, nowMs });
    const [found, deploys] = await Promise.all([
      now(api.deps, { projects, environments, nowMs }, { lagMs: pipeline?.()?.stats().lagMs ?? 0, alerts }),
      deploysBetween(state, { projectIds, environments, startMs: nowMs - dayMs, endMs: nowMs, limit: mostMarks }),
    ]);
    return toNow(found, { projects, deploys });
  });
}
