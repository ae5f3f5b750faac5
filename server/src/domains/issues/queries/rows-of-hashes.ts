/** From hashes of the events store to issues of the state store. */
import { setImmediate as breathe } from 'node:timers/promises';
import { chunksOf } from '../../../base/chunks.ts';
import type { State } from '../../../ports/state/state.ts';
import type { IssueRow } from '../types.ts';
import type { RankedHash } from './ranking.ts';
import { hashKey, ownersOfHashes, toIssueRow } from '../rows.ts';
import type { StateFilter } from './state-filter.ts';

/** The issues that own the hashes and pass the filter, each once, in the order of the hashes. */
export async function passingOwners(
  state: State,
  filter: StateFilter,
  hashes: readonly RankedHash[],
): Promise<IssueRow[]> {
  const owners = new Map<string, number>();
  for (const [projectId, ranked] of Map.groupBy(hashes, (hash) => hash.project_id)) {
    const names = ranked.map((hash) => hash.group_hash);
    for (const [hash, id] of await ownersOfHashes(state, projectId, names)) owners.set(hashKey(projectId, hash), id);
  }
  return passingIssues(
    state,
    filter,
    new Set(hashes.flatMap((hash) => owners.get(hashKey(hash.project_id, hash.group_hash)) ?? [])),
  );
}

/** Those that are there and pass the filter, in the order of the ids. */
export async function passingIssues(
  state: State,
  filter: StateFilter,
  issueIds: ReadonlySet<number>,
): Promise<IssueRow[]> {
  const passing = new Map<number, IssueRow>();
  for (const chunk of chunksOf([...issueIds])) {
    // The state store may answer in this thread, which others need in between.
    if (passing.size) await breathe();
    let query = state.db
      .selectFrom('issue')
      .selectAll()
      .where('id', 'in', chunk)
      .where('status', 'in', filter.statuses);
    for (const condition of filter.conditions) query = query.where((eb) => condition(eb));
    for (const row of await query.execute()) passing.set(row.id, toIssueRow(row));
  }
  const projectIds = new Set(filter.projects.map((project) => project.id));
  return [...issueIds].flatMap((id) => passing.get(id) ?? []).filter(({ projectId }) => projectIds.has(projectId));
}
