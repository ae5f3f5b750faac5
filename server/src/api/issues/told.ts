/**
 * What of changes to issues stands in the audit log: that they were deleted, discarded, shared, limited. The rest is in
 * their activity.
 */
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

function actionsOf({ remove, isPublic, eventLimit }: IssueChange, isUndo: boolean): Action[] {
  if (remove) return [isUndo ? 'issue.restore' : 'issue.delete'];
  const actions: Action[] = [];
  if (isPublic !== undefined) actions.push(isPublic === isUndo ? 'share_link.revoke' : 'share_link.create');
  if (eventLimit !== undefined) actions.push(isUndo ? 'issue.undo_limit' : 'issue.limit');
  return actions;
}

const limitText = ({ eventLimit }: IssueChange): string | undefined =>
  eventLimit === undefined ? undefined : eventLimit === null ? 'none' : `${eventLimit.events} per ${eventLimit.per}`;

export const createTold =
  ({ record }: Audit) =>
  (deed: Deed, change: IssueChange, { target, query, isUndo = false }: Told): BulkTold | undefined => {
    const actions = actionsOf(change, isUndo);
    if (actions.length === 0) return undefined;
    return async (trx, issues) => {
      if (issues === 0) return;
      const details = { issues, query, discarded: change.remove === 'discard' || undefined, limit: limitText(change) };
      await record(
        trx,
        actions.map((action) => ({ ...deed, action, target: target ?? several, details })),
      );
    };
  };
