/** The status of an issue in Sentry's words. */
import type { IssueRow, PersonRef, SoFar, StatusDetails } from '../../domains/issues/index.ts';
import { iso } from '../shared/read.ts';

/** Sentry's clients say `ignored` for what people call archived. */
export const statusShown = (status: IssueRow['status']): 'unresolved' | 'resolved' | 'ignored' =>
  status === 'archived' ? 'ignored' : status;

/** How it is resolved stands in the details. */
export const substatusShown = ({ status, substatus }: Pick<IssueRow, 'status' | 'substatus'>): string | null =>
  status === 'resolved' ? null : status === 'archived' ? (substatus ?? 'archived_forever') : substatus;

/** In which release it is resolved, or until when it is archived; and who has said so. */
export function statusDetailsShown(
  { status, statusDetails }: { readonly status: IssueRow['status']; readonly statusDetails: StatusDetails },
  actor: PersonRef | null,
  soFar?: SoFar,
): Record<string, unknown> {
  if (status === 'unresolved') return {};
  const { inNextRelease, after, inRelease, inCommit, until, by: _, ...condition } = statusDetails;
  return {
    ...condition,
    ...(soFar && condition.ignoreCount !== undefined && { ignoreCountSoFar: soFar.events }),
    ...(soFar && condition.ignoreUserCount !== undefined && { ignoreUserCountSoFar: soFar.users }),
    ...(inNextRelease && { inNextRelease, ...(after?.[0] && { currentReleaseVersion: after[0].version }) }),
    ...(inRelease !== undefined && { inRelease }),
    ...(inCommit && { inCommit }),
    ...(until !== undefined && { ignoreUntil: iso(until) }),
    ...(actor && { actor }),
  };
}
