/** Which events a question is about, as conditions on rows, or as groups of the event index. */
import { during, inEnvironments, inProjects, type SqlPart, where, withHashes } from '../../../base/sql.ts';
import type { TimeRange } from '../../../base/time-range.ts';
import type { Groups } from '../../../ports/event-index/event-index.ts';
import { compileFilter } from '../../search/index.ts';
import { rowConditions } from './row-conditions.ts';
import { isIssueTerm, type Reduced, reduceTree } from './tree.ts';

/** Which events: those of a project, or of the hashes of an issue. */
export interface EventScope {
  readonly projectId: number;
  /** All when left out. */
  readonly hashes?: readonly string[];
  /** What is asked of issues in it is passed over: which issue it is has been said. */
  readonly root?: Reduced | undefined;
  readonly environments?: readonly string[];
  readonly range?: TimeRange | undefined;
  readonly nowMs: number;
}

export const none: SqlPart = { conditions: [], params: {} };

/** Of the events themselves. */
export const asked = (root: Reduced | undefined): Reduced =>
  reduceTree(root, (term) => (isIssueTerm(term) ? true : undefined));

function matching({ root, projectId, hashes, range, nowMs }: EventScope): SqlPart {
  const rows = asked(root);
  if (typeof rows === 'boolean') return rows ? none : { conditions: ['0'], params: {} };
  // Of an issue there are too few to look anything up first.
  if (hashes) return compileFilter(rows, 'events', { nowMs });
  return rowConditions(rows, { projectIds: [projectId], fromMs: range?.startMs, nowMs });
}

export const scopeOf = (scope: EventScope): { sql: string; params: Record<string, unknown> } =>
  where(
    inProjects([scope.projectId]),
    scope.hashes ? withHashes(scope.hashes) : none,
    inEnvironments(scope.environments ?? []),
    during(scope.range),
    matching(scope),
  );

/** Whole issues, of which the event index knows what events there are; undefined where something narrows them. */
export function groupsOf(scope: EventScope): Groups | undefined {
  const { projectId, hashes, environments = [], range } = scope;
  const isWhole = hashes && environments.length === 0 && range === undefined && asked(scope.root) === true;
  return isWhole ? { projectId, hashes } : undefined;
}
