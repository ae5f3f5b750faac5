/** Which rows are of the issues of a page, and which of the issues each row is of. */
import { inProjects, type SqlPart, where, withHashes } from '../../../base/sql.ts';
import { hashKey, ownersOf } from '../rows.ts';
import type { IssueRow, IssueStores } from '../types.ts';

/** The issue, or its only hash. */
export type OwnerKey = number | string;

export interface PageScope extends SqlPart {
  /** What stands for the issue that owns the row's hash, as an expression. */
  readonly owner: string;
  issueOf(owner: OwnerKey): number | undefined;
}

export async function scopeOf(
  state: IssueStores['state'],
  issues: readonly Pick<IssueRow, 'id' | 'projectId'>[],
): Promise<PageScope> {
  const owners = await ownersOf(
    state,
    issues.map((issue) => issue.id),
  );
  const keys = [...owners.keys()];
  const hashes = [...new Set(keys.map((key) => key.slice(key.indexOf(':') + 1)))];
  const projectIds = [...new Set(issues.map((issue) => issue.projectId))];
  // Most issues own one hash, and then the hash says which it is. One that was merged into another owns none.
  const ownOne = new Set(owners.values()).size === owners.size;
  if (projectIds.length === 1 && hashes.length === owners.size && ownOne) {
    const [projectId = 0] = projectIds;
    const own = where(inProjects(projectIds), withHashes(hashes));
    return {
      owner: 'group_hash',
      issueOf: (hash) => owners.get(hashKey(projectId, String(hash))),
      conditions: [own.sql],
      params: own.params,
    };
  }
  // The same hash in two projects belongs to two issues; then the project must decide too, which costs more.
  const alone = projectIds.length === 1;
  const key = alone ? 'group_hash' : "concat(toString(project_id), ':', group_hash)";
  const scope = where(inProjects(projectIds), withHashes(hashes));
  return {
    owner: `transform(${key}, {owned:Array(String)}, {issues:Array(UInt64)}, toUInt64(0))`,
    issueOf: Number,
    conditions: [scope.sql],
    params: { ...scope.params, owned: alone ? hashes : keys, issues: [...owners.values()] },
  };
}
