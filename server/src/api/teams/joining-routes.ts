/** What an invitation says to whom it was sent, and joining by it. */
import { CodedError } from '../../base/errors.ts';
import * as teams from '../../domains/teams/index.ts';
import type { StateTransaction } from '../../ports/state/state.ts';
import { toHeaders } from '../shared/access.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso } from '../shared/read.ts';
import { things } from '../../base/texts/things.ts';
import { requests } from '../../base/texts/requests.ts';
import { invalid } from '../../base/texts/validation.ts';
import * as contract from './members-contract.ts';

export function joiningRoutes(api: Api): void {
  const { state, accounts, audit } = api.deps;

  const organizationOf = async (id: string): Promise<{ slug: string; name: string }> => {
    const found = await state.db
      .selectFrom('organization')
      .select(['slug', 'name'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (!found) throw new CodedError('NOT_FOUND', [things.anOrganization]);
    return found;
  };

  implement(api, contract.getInvitation, async ({ params, caller: { identity } }) => {
    const invitation = await teams.openInvitation(state, params.token, Date.now());
    const { organizationId, email, role, inviterName, expiresAt } = invitation;
    return {
      organization: await organizationOf(organizationId),
      email,
      role,
      inviterName,
      expiresAt: iso(expiresAt),
      hasAccount: await teams.hasAccount(state, email),
      signedInAs: identity?.kind === 'session' ? identity.user.email : null,
      isMember: identity?.memberships.some((one) => one.organizationId === organizationId) ?? false,
    };
  });

  implement(api, contract.acceptInvitation, async ({ params, body, caller: { identity }, request, reply, deed }) => {
    const now = Date.now();
    const invitation = await teams.openInvitation(state, params.token, now);
    const organization = await organizationOf(invitation.organizationId);
    const told = (trx: StateTransaction, { id, email }: { id: string; email: string }): Promise<void> =>
      audit.record(trx, [
        {
          ...deed,
          action: 'member.join',
          organizationId: invitation.organizationId,
          actor: identity ? deed.actor : { type: 'user', id, email },
          target: { id, name: email },
          details: { role: invitation.role },
        },
      ]);
    if (identity?.kind === 'session') {
      await teams.joinAs(state, invitation, identity.user, now, told);
      return { organization };
    }
    const { password, name } = body;
    if (password === undefined) throw new CodedError('INPUT_INVALID', [requests.field('password', invalid.required)]);
    await teams.joinAsNew(state, invitation, { name: name || undefined, password }, now, told);
    const credentials = { email: invitation.email, password };
    const cookies = await accounts.signIn(credentials, toHeaders(request.headers), deed.source);
    if (!cookies) throw new CodedError('AUTH_REQUIRED');
    void reply.header('set-cookie', cookies);
    return { organization };
  });
}
