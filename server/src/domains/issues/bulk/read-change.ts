/** A change of issues as Sentry's clients say it, with the names in it looked up. */
import { CodedError } from '../../../base/errors.ts';
import type { EventLimit } from '../../../base/event-limit.ts';
import type { Priority } from '../../../ports/state/schema.ts';
import type { State } from '../../../ports/state/state.ts';
import { findTeam, peopleOf } from '../../teams/index.ts';
import { readStatusChange, type RequestedStatus } from '../states/index.ts';
import type { AssignedTo } from '../work/index.ts';
import { changes } from '../../../base/texts/issues.ts';
import type { IssueChange } from './change.ts';

export interface RequestedChange extends Partial<RequestedStatus> {
  /** `user:ID`, `team:ID`, an e-mail address, `#team` or `me`; empty or null for nobody. */
  readonly assignedTo?: string | null | undefined;
  readonly priority?: Priority | null | undefined;
  readonly isBookmarked?: boolean | undefined;
  readonly isSubscribed?: boolean | undefined;
  readonly hasSeen?: boolean | undefined;
  readonly isPublic?: boolean | undefined;
  readonly eventLimit?: EventLimit | null | undefined;
  readonly discard?: true | undefined;
  readonly delete?: true | undefined;
}

interface Requester {
  readonly organizationId: string;
  /** Whom `me` means. */
  readonly userId: string;
}

/** Throws `INPUT_INVALID` for nothing at all, for what does not go together, and for who is not there. */
export async function readChange(
  state: State,
  requested: RequestedChange,
  { organizationId, userId }: Requester,
  nowMs: number,
): Promise<IssueChange> {
  const { status, assignedTo, priority, isBookmarked, isSubscribed, hasSeen, isPublic, eventLimit } = requested;
  const named = Object.values(requested).filter((value) => value !== undefined);
  if (!named.length) throw new CodedError('INPUT_INVALID', [changes.none]);
  if (requested.discard || requested.delete) {
    if (named.length > 1) throw new CodedError('INPUT_INVALID', [changes.combined]);
    return { remove: requested.discard ? 'discard' : 'delete' };
  }
  if (status === undefined && (requested.statusDetails || typeof requested.substatus === 'string')) {
    throw new CodedError('INPUT_INVALID', [changes.noStatus]);
  }
  return {
    ...(status && { status: readStatusChange({ ...requested, status }, nowMs) }),
    ...(assignedTo !== undefined && {
      assignee: await assigneeNamed(state, assignedTo ?? '', organizationId, userId),
    }),
    ...(priority !== undefined && { priority }),
    ...(isBookmarked !== undefined && { isBookmarked }),
    ...(isSubscribed !== undefined && { isSubscribed }),
    ...(hasSeen !== undefined && { hasSeen }),
    ...(isPublic !== undefined && { isPublic }),
    ...(eventLimit !== undefined && { eventLimit }),
  };
}

async function assigneeNamed(
  state: State,
  assignedTo: string,
  organizationId: string,
  userId: string,
): Promise<AssignedTo | null> {
  const name = assignedTo.trim();
  if (name === '') return null;
  const { members, teams } = await peopleOf(state, organizationId);
  const teamName = name.startsWith('team:') ? name.slice('team:'.length) : name.startsWith('#') ? name.slice(1) : '';
  const team = teamName === '' ? undefined : findTeam(teams, teamName);
  if (team) return { kind: 'team', id: team.id };
  const wanted = (name.startsWith('user:') ? name.slice('user:'.length) : name).toLowerCase();
  const member = members.find(
    (one) =>
      one.userId.toLowerCase() === wanted ||
      one.email.toLowerCase() === wanted ||
      (wanted === 'me' && one.userId === userId),
  );
  if (member && teamName === '') return { kind: 'user', id: member.userId };
  throw new CodedError('INPUT_INVALID', [changes.assignee(assignedTo)]);
}
