/** What of changes to issues stands in the audit log: that they were deleted, discarded, shared. The rest is in their activity. */
import type { Action, Audit, Deed, Target } from '../../domains/audit/index.ts';
import type { BulkTold, IssueChange, IssueRow } from '../../domains/issues/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import { shortIdOf } from './shapes.ts';

export const tellableIssue = (issue: IssueRow, project: Project): Target => ({
  id: issue.id,
  name: shortIdOf(issue, project),
  project: project.slug,
});

/** Issues that no name stands for: a search, or a list of them. */
const several: Target = { id: '', name: '' };

interface Told {
  /** Of one issue; several are told by their number. */
  readonly target?: Target | undefined;
  readonly query?: string | undefined;
  readonly isUndo?: boolean;
}

function actionOf({ remove, isPublic }: IssueChange, isUndo: boolean): Action | undefined {
  if (remove) return isUndo ? 'issue.restore' : 'issue.delete';
  if (isPublic === undefined) return undefined;
  return isPublic === isUndo ? 'share_link.revoke' : 'share_link.create';
}

export const createTold =
  ({ record }: Audit) =>
  (deed: Deed, change: IssueChange, { target, query, isUndo = false }: Told): BulkTold | undefined => {
    const action = actionOf(change, isUndo);
    if (!action) return undefined;
    return async (trx, issues) => {
      const details = { issues, query, discarded: change.remove === 'discard' || undefined };
      if (issues > 0) await record(trx, [{ ...deed, action, target: target ?? several, details }]);
    };
  };
