/** What a request asks to be changed of issues, with the names in it looked up. */
import type { z } from 'zod';
import type { Identity, Membership } from '../accounts/index.ts';
import { CodedError } from '../errors.ts';
import { type AssignedTo, type IssueChange, readStatusChange } from '../issues/index.ts';
import type { State } from '../state/state.ts';
import { findTeam, peopleOf } from '../teams/index.ts';
import type { IssueChange as ChangeSchema } from './contract/issue-change.ts';

export type AskedChange = z.output<typeof ChangeSchema> & { readonly delete?: true | undefined };

export interface ChangeCaller {
  readonly identity: Pick<Identity, 'userId' | 'kind'>;
  readonly membership: Membership;
}

/** Throws `INPUT_INVALID` for who is not there, `PERMISSION_DENIED` for who may not delete. */
export async function readChange(
  state: State,
  asked: AskedChange,
  { identity, membership }: ChangeCaller,
  nowMs: number,
): Promise<IssueChange> {
  const { status, assignedTo, priority, isBookmarked, isSubscribed, hasSeen, isPublic, discard } = asked;
  const given = Object.entries(asked).filter(([, value]) => value !== undefined);
  if (!given.length)
    throw new CodedError('INPUT_INVALID', ['say what is to be changed: status, assignedTo, priority, …']);
  if (discard || asked.delete) {
    if (given.length > 1) throw new CodedError('INPUT_INVALID', ['deleting and discarding stand alone']);
    if (!membership.scopes.includes('event:admin')) {
      throw identity.kind === 'token'
        ? new CodedError('SCOPE_MISSING', ['event:admin'])
        : new CodedError('PERMISSION_DENIED');
    }
    return { remove: discard ? 'discard' : 'delete' };
  }
  if (status === undefined && (asked.statusDetails || typeof asked.substatus === 'string')) {
    throw new CodedError('INPUT_INVALID', ['substatus and statusDetails belong to a status']);
  }
  return {
    ...(status && { status: readStatusChange({ ...asked, status }, nowMs) }),
    ...(assignedTo !== undefined && {
      assignee: await assigneeNamed(state, assignedTo ?? '', membership.organizationId, identity.userId),
    }),
    ...(priority !== undefined && { priority }),
    ...(isBookmarked !== undefined && { isBookmarked }),
    ...(isSubscribed !== undefined && { isSubscribed }),
    ...(hasSeen !== undefined && { hasSeen }),
    ...(isPublic !== undefined && { isPublic }),
  };
}

async function assigneeNamed(
  state: State,
  given: string,
  organizationId: string,
  userId: string,
): Promise<AssignedTo | null> {
  const name = given.trim();
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
  throw new CodedError('INPUT_INVALID', [`assignedTo: nobody here is ${given}; give an e-mail address or #team`]);
}
