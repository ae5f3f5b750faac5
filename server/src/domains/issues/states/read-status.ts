/** A change of status as Sentry's clients say it. */
import { CodedError } from '../../../base/errors.ts';
import { changes } from '../../../base/texts/issues.ts';
import type { StatusChange } from './change.ts';
import type { ArchiveCondition } from './details.ts';

export interface RequestedStatus {
  readonly status: 'resolved' | 'resolvedInNextRelease' | 'unresolved' | 'ignored' | 'archived';
  readonly substatus?: string | null | undefined;
  readonly statusDetails?:
    | (ArchiveCondition & {
        readonly inNextRelease?: boolean | undefined;
        readonly inRelease?: string | undefined;
        readonly inCommit?: { readonly commit: string; readonly repository?: string | undefined } | undefined;
        readonly ignoreUntil?: string | undefined;
      })
    | undefined;
}

/** Throws INPUT_INVALID where it asks for two things, or for a condition without saying which. `nowMs`: ms since the epoch. */
export function readStatusChange(
  { status, substatus, statusDetails = {} }: RequestedStatus,
  nowMs: number,
): StatusChange {
  if (status === 'unresolved') return { kind: substatus === 'ongoing' ? 'review' : 'reopen' };
  if (status === 'resolvedInNextRelease') return { kind: 'resolve_in_next_release' };
  if (status === 'resolved') return resolution(statusDetails);
  return archival(substatus ?? null, conditionOf(statusDetails, nowMs));
}

function resolution(details: NonNullable<RequestedStatus['statusDetails']>): StatusChange {
  const { inNextRelease, inRelease, inCommit } = details;
  if ([inNextRelease || undefined, inRelease, inCommit].filter((one) => one !== undefined).length > 1) {
    throw new CodedError('INPUT_INVALID', [changes.resolution]);
  }
  if (inNextRelease) return { kind: 'resolve_in_next_release' };
  if (inRelease !== undefined) return { kind: 'resolve_in_release', release: inRelease };
  if (inCommit) return { kind: 'resolve_in_commit', commit: inCommit.commit, repository: inCommit.repository ?? '' };
  return { kind: 'resolve' };
}

function conditionOf(details: NonNullable<RequestedStatus['statusDetails']>, nowMs: number): ArchiveCondition {
  const { ignoreDuration, ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow, ignoreUntil } = details;
  const minutes = ignoreUntil === undefined ? ignoreDuration : (Date.parse(ignoreUntil) - nowMs) / 60_000;
  if (minutes !== undefined && !(minutes > 0)) {
    throw new CodedError('INPUT_INVALID', [changes.past]);
  }
  return Object.fromEntries(
    Object.entries({ ignoreDuration: minutes, ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

function archival(substatus: string | null, condition: ArchiveCondition): StatusChange {
  const { ignoreDuration, ignoreCount, ignoreUserCount } = condition;
  const conditional = ignoreDuration !== undefined || ignoreCount !== undefined || ignoreUserCount !== undefined;
  if (conditional) return { kind: 'archive_until_condition_met', condition };
  if (substatus === 'archived_until_condition_met') {
    throw new CodedError('INPUT_INVALID', [changes.condition]);
  }
  return { kind: substatus === 'archived_until_escalating' ? 'archive_until_escalating' : 'archive_forever' };
}
