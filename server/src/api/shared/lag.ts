/** How long requests wait until they are stored. */
import { listNodes, processingOf } from '../../domains/nodes/index.ts';
import type { ApiDeps } from './deps.ts';

/** ms; where this node does not process, as those that do said last. */
export async function readLag({ pipeline, state }: Pick<ApiDeps, 'pipeline' | 'state'>): Promise<number> {
  const own = pipeline?.()?.stats();
  return (own ?? processingOf(await listNodes(state, Date.now())))?.lagMs ?? 0;
}
