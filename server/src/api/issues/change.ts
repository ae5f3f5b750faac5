/** What a request asks to be changed of issues, of who may ask for it. */
import type { z } from 'zod';
import type { Identity, Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import * as issues from '../../domains/issues/index.ts';
import type { State } from '../../ports/state/state.ts';
import type { IssueChange as ChangeSchema } from './change-schemas.ts';

export type AskedChange = z.output<typeof ChangeSchema> & { readonly delete?: true | undefined };

interface ChangeCaller {
  readonly identity: Pick<Identity, 'userId' | 'kind'>;
  readonly membership: Membership;
}

/** Throws `INPUT_INVALID` for what cannot be meant, `PERMISSION_DENIED` or `SCOPE_MISSING` for who may not delete. */
export async function readChange(
  state: State,
  asked: AskedChange,
  { identity, membership }: ChangeCaller,
  nowMs: number,
): Promise<issues.IssueChange> {
  const { organizationId } = membership;
  if (asked.isPublic === true) checkShareLinks(membership);
  const change = await issues.readChange(state, asked, { organizationId, userId: identity.userId }, nowMs);
  if (change.remove === undefined || membership.scopes.includes('event:admin')) return change;
  throw identity.kind === 'token'
    ? new CodedError('SCOPE_MISSING', ['event:admin'])
    : new CodedError('PERMISSION_DENIED');
}

/** Throws `SHARE_LINKS_OFF` where the organisation has none. */
export function checkShareLinks({ switches }: Membership): void {
  if (!switches.shareLinks) throw new CodedError('SHARE_LINKS_OFF');
}
