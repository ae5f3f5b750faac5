/** Whether a token may see the numbers of the installation; also on nodes that know no people until one is shown. */
import type { FastifyRequest } from 'fastify';
import { CodedError } from '../base/errors.ts';
import type { Accounts } from '../domains/accounts/index.ts';
import type { State } from '../ports/state/state.ts';

/** Throws `METRICS_CLOSED`, `TOKEN_INVALID` or `SCOPE_MISSING`. */
export type CheckToken = (request: Pick<FastifyRequest, 'headers' | 'ip'>) => Promise<void>;

export function createTokenCheck(
  state: State,
  getUrl: () => string,
  known: Pick<Accounts, 'identify'> | undefined,
): CheckToken {
  let opened: Promise<Pick<Accounts, 'identify'>> | undefined;
  return async ({ headers: { authorization }, ip }) => {
    // A cookie is sent along by any page; numbers are for programs.
    if (!authorization) throw new CodedError('METRICS_CLOSED');
    const { createAccounts, seenFrom } = await import('../domains/accounts/index.ts');
    const { checkDemands } = await import('../api/shared/access.ts');
    const accounts = known ?? (await (opened ??= createAccounts({ state, getUrl })));
    const identity = await accounts.identify(new Headers({ authorization }));
    if (identity?.kind !== 'token') throw new CodedError('METRICS_CLOSED');
    seenFrom(identity, ip).memberships.forEach(checkDemands);
    if (!identity.scopes.includes('org:read')) throw new CodedError('SCOPE_MISSING', ['org:read']);
  };
}
