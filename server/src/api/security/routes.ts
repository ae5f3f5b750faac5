/** Switches of an organisation, for its owners. */
import { allowsAddress, changeSwitches, readAllowedAddresses } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { type Api, implement } from '../shared/implement.ts';
import * as contract from './contract.ts';

export function securityRoutes(api: Api): void {
  const { live } = api.deps;

  implement(api, contract.getSecuritySettings, async ({ caller: { membership }, request }) => ({
    ...membership.switches,
    allowedAddresses: [...membership.switches.allowedAddresses],
    yourAddress: request.ip,
  }));

  implement(api, contract.updateSecuritySettings, async ({ caller: { membership }, body, request, recorded }) => {
    const { organizationId: id, slug, switches: before } = membership;
    const allowedAddresses = body.allowedAddresses && readAllowedAddresses(body.allowedAddresses);
    if (allowedAddresses && !allowsAddress(allowedAddresses, request.ip)) {
      throw new CodedError('ADDRESS_LOCKS_OUT', [request.ip]);
    }
    const after = {
      shareLinks: body.shareLinks ?? before.shareLinks,
      memberInvitations: body.memberInvitations ?? before.memberInvitations,
      allowedAddresses: allowedAddresses ?? [...before.allowedAddresses],
    };
    await recorded(async (inside, note) => {
      await changeSwitches(inside, id, { ...body, allowedAddresses });
      note({ id, name: slug }, { before: { ...before }, after });
    });
    if (allowedAddresses) live.publish({ type: 'access' });
    return { ...after, yourAddress: request.ip };
  });
}
