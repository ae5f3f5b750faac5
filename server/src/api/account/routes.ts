/** The caller's own account, and how long sessions last. */
import type { z } from 'zod';
import * as accounts from '../../domains/accounts/index.ts';
import type { Identity } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { takeOffIssues } from '../../domains/issues/index.ts';
import { accountMails } from '../../base/texts/mail.ts';
import { type Api, implement } from '../shared/implement.ts';
import { iso } from '../shared/read.ts';
import { things } from '../../base/texts/things.ts';
import { demands, emails } from '../../base/texts/accounts.ts';
import { requests } from '../../base/texts/requests.ts';
import * as contract from './contract.ts';
import { noteOwn, recordPerson } from './entries.ts';
import { canMail, mailAccount } from './mails.ts';
import * as policy from './policy-contract.ts';
import { sessionOf } from './session-of.ts';
import { toSession } from './shapes.ts';

const sessionHours = ({ lifetimeHours, idleHours }: accounts.SessionPolicy) => ({
  sessionLifetimeHours: lifetimeHours,
  sessionIdleHours: idleHours,
});

export function accountRoutes(api: Api): void {
  const { deps } = api;
  const { state, live } = deps;

  const tokensOf = async ({ user }: Identity): Promise<number> => {
    const { user: own, organization } = await deps.accounts.countTokens(user.email);
    return own + organization;
  };

  const toAccount = async (identity: Identity): Promise<z.output<typeof contract.Account>> => {
    const { id } = identity.user;
    const organizationIds = identity.memberships.map(({ organizationId }) => organizationId);
    const [user, pendingEmail, preferences, sessionPolicy, tokenCount, hasPassword] = await Promise.all([
      state.db.selectFrom('user').select(['name', 'email', 'createdAt']).where('id', '=', id).executeTakeFirstOrThrow(),
      accounts.pendingEmailOf(state, id, Date.now()),
      accounts.preferencesOf(state, id),
      deps.accounts.sessionPolicies.of(organizationIds),
      tokensOf(identity),
      deps.accounts.hasPassword(id),
    ]);
    return {
      id,
      name: user.name,
      email: user.email,
      pendingEmail: pendingEmail ?? null,
      dateCreated: iso(new Date(user.createdAt).getTime()),
      preferences,
      sessionPolicy,
      tokenCount,
      hasPassword,
      canMail: canMail(deps),
    };
  };

  implement(api, contract.getAccount, async ({ caller }) => {
    sessionOf(caller);
    return toAccount(caller.identity);
  });

  implement(api, contract.updateAccount, async ({ caller, recorded, body: { name, ...preferences } }) => {
    sessionOf(caller);
    const { userId, user } = caller.identity;
    if (name !== undefined) {
      await recorded(async (inside, note) => {
        await accounts.renameUser(inside, userId, name);
        noteOwn(note, caller.identity, { action: 'user.update', before: { name: user.name }, after: { name } });
      });
    }
    const changes = Object.fromEntries(Object.entries(preferences).filter(([, value]) => value !== undefined));
    if (Object.keys(changes).length) await accounts.changePreferences(state, userId, changes, Date.now());
    return toAccount(caller.identity);
  });

  implement(api, contract.changePassword, async ({ caller, body, deed }) => {
    const keptSessionId = sessionOf(caller);
    const { user } = caller.identity;
    await deps.accounts.factors.askAgain(caller.identity, body.currentPassword, deed.source);
    const change = { password: body.newPassword, keptSessionId };
    const endedSessions = await accounts.changePassword(state, user, change, (trx, ended) =>
      recordPerson(deps.audit, trx, { deed, user, details: { endedSessions: ended } }),
    );
    live.publish({ type: 'access', userId: user.id });
    await mailAccount(deps, user, { to: user.email, mail: accountMails.passwordChanged, path: '/forgot-password' });
    return { endedSessions, tokenCount: await tokensOf(caller.identity) };
  });

  implement(api, contract.requestEmail, async ({ caller, body, request, deed, recorded }) => {
    sessionOf(caller);
    const { user } = caller.identity;
    if (!canMail(deps)) throw new CodedError('MAIL_OFF');
    const email = body.email.toLowerCase();
    if (email === user.email) throw new CodedError('INPUT_INVALID', [requests.field('email', emails.own)]);
    await deps.accounts.factors.askAgain(caller.identity, body.password, deed.source);
    await deps.accounts.limitLinks(user.id, request.ip);
    const { token, isFree } = await recorded(async (inside, note) => {
      noteOwn(note, caller.identity, { details: { email } });
      return accounts.askForEmail(inside, user.id, email, Date.now());
    });
    // Whether another account has the address is nobody's business; its owner gets no mail for it either.
    if (isFree) {
      const mail = accountMails.confirmEmail(email);
      await mailAccount(deps, user, { to: email, mail, path: `/confirm-email#${token}` });
    }
    return toAccount(caller.identity);
  });

  implement(api, contract.cancelEmail, async ({ caller, recorded }) => {
    sessionOf(caller);
    await recorded(async (inside, note) => {
      const dropped = await accounts.dropLink(inside, caller.identity.userId, 'email');
      if (dropped) noteOwn(note, caller.identity, { action: 'user.cancel_email' });
    });
  });

  implement(api, contract.listSessions, async ({ caller }) => {
    const current = sessionOf(caller);
    const sessions = await accounts.listSessions(state, caller.identity.userId, Date.now());
    return sessions.map((session) => toSession(session, current));
  });

  implement(api, contract.endSession, async ({ caller, params, recorded }) => {
    sessionOf(caller);
    const { userId } = caller.identity;
    await recorded(async (inside, note) => {
      const ended = await accounts.endSession(inside, userId, params.id);
      if (!ended) throw new CodedError('NOT_FOUND', [things.session(params.id)]);
      noteOwn(note, caller.identity, { details: { session: params.id } });
    });
    live.publish({ type: 'access', userId });
  });

  implement(api, contract.endOtherSessions, async ({ caller, recorded }) => {
    const keptSessionId = sessionOf(caller);
    const { userId } = caller.identity;
    const endedSessions = await recorded(async (inside, note) => {
      const ended = await accounts.endSessions(inside.db, { userId, keptSessionId });
      if (ended) noteOwn(note, caller.identity, { action: 'user.end_sessions', details: { endedSessions: ended } });
      return ended;
    });
    live.publish({ type: 'access', userId });
    return { endedSessions };
  });

  implement(api, contract.deleteAccount, async ({ caller, body, deed, recorded }) => {
    sessionOf(caller);
    const { userId } = caller.identity;
    await deps.accounts.factors.askAgain(caller.identity, body.password, deed.source);
    const organizationIds = await recorded(async (inside, note) => {
      noteOwn(note, caller.identity);
      return accounts.removeAccount(inside, userId);
    });
    live.publish({ type: 'access', userId });
    for (const organizationId of organizationIds) {
      await takeOffIssues(deps, { kind: 'user', id: userId }, { organizationId, byUserId: userId });
    }
  });

  implement(api, policy.getSessionPolicy, ({ caller }) =>
    deps.accounts.sessionPolicies.of([caller.membership.organizationId]),
  );

  implement(api, policy.updateSessionPolicy, async ({ caller, body, deed }) => {
    const { organizationId, slug } = caller.membership;
    await deps.accounts.sessionPolicies.set(organizationId, body, Date.now(), (trx, former) =>
      deps.audit.record(trx, [
        {
          ...deed,
          action: 'organization.update',
          target: { id: organizationId, name: slug },
          before: sessionHours(former),
          after: sessionHours(body),
        },
      ]),
    );
    live.publish({ type: 'settings' });
    return body;
  });

  const toSignInPolicy = async (organizationId: string, { secondFactor, providerId }: accounts.Demand) => ({
    requireSecondFactor: secondFactor,
    providerId,
    membersWithout: await accounts.membersWithoutFactor(state, organizationId),
  });

  implement(api, policy.getSignInPolicy, async ({ caller: { membership } }) => {
    const { organizationId } = membership;
    return toSignInPolicy(organizationId, await deps.accounts.demands.of(organizationId));
  });

  implement(api, policy.updateSignInPolicy, async ({ caller, body, deed }) => {
    sessionOf(caller);
    const { identity, membership } = caller;
    const { organizationId, slug } = membership;
    const { requireSecondFactor } = body;
    if (requireSecondFactor && !identity.shown?.secondFactor) {
      throw new CodedError('DEMAND_NOT_MET', [demands.secondFactor]);
    }
    const change = { secondFactor: requireSecondFactor };
    const demand = await deps.accounts.demands.set(organizationId, change, Date.now(), (trx, { before, after }) =>
      deps.audit.record(trx, [
        {
          ...deed,
          action: 'organization.update',
          target: { id: organizationId, name: slug },
          before: { requiresSecondFactor: before.secondFactor },
          after: { requiresSecondFactor: after.secondFactor },
        },
      ]),
    );
    live.publish({ type: 'access' });
    return toSignInPolicy(organizationId, demand);
  });
}
