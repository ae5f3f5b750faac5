import type { Identity } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';

/** Tokens are handed to programs, and no program changes who somebody is. */
export function sessionOf({ identity }: { readonly identity: Identity }): string {
  if (identity.sessionId === undefined) throw new CodedError('SESSION_REQUIRED');
  return identity.sessionId;
}
