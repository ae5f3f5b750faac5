/** What links in mails do, for who is signed out: a new password, a confirmed address. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as accounts from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { Deed } from '../../domains/audit/index.ts';
import { accountMails } from '../../base/texts/mail.ts';
import { toHeaders } from '../shared/access.ts';
import { type Api, implement } from '../shared/implement.ts';
import * as contract from './contract.ts';
import { recordPerson } from './entries.ts';
import { canMail, mailAccount } from './mails.ts';

/** After the answer, at a moment that tells nothing of what is done. */
const laterMs = (): number => randomInt(50, 500);

export function recoveryRoutes(api: Api): void {
  const { app, deps } = api;
  const { state, live, audit } = deps;

  /** Whoever has the link of a mail is the person, unless somebody else is signed in. */
  const asThem = (deed: Deed, { id, name, email }: accounts.User): Deed =>
    deed.actor.type === 'visitor' ? { ...deed, actor: { type: 'user', id, name, email } } : deed;

  implement(api, contract.getPasswordReset, async () => ({ available: canMail(deps) }));

  const sendReset = async (email: string, deed: Deed): Promise<void> => {
    await sleep(laterMs(), undefined, { ref: false });
    const found = await accounts.forgotPassword(state, email, Date.now(), (trx, user) =>
      recordPerson(audit, trx, { deed: { ...deed, action: 'user.request_reset' }, user }),
    );
    if (!found) return;
    await mailAccount(deps, found.user, {
      to: found.user.email,
      mail: accountMails.reset,
      path: `/reset-password#${found.token}`,
    });
  };

  implement(api, contract.requestPasswordReset, async ({ body, request, deed }) => {
    if (!canMail(deps)) throw new CodedError('MAIL_OFF');
    const email = body.email.toLowerCase();
    await deps.accounts.limitLinks(email, request.ip);
    sendReset(email, deed).catch((error: unknown) =>
      app.log.error({ err: error }, 'a link for a new password was not sent'),
    );
    return { validMinutes: accounts.linkGoodForMs / 60_000 };
  });

  implement(api, contract.resetPassword, async ({ body, request, deed }) => {
    const user = await deps.accounts.usingLink(request.ip, () =>
      accounts.setPasswordByLink(state, body, Date.now(), (trx, whose) =>
        recordPerson(audit, trx, { deed: asThem(deed, whose), user: whose }),
      ),
    );
    live.publish({ type: 'access', userId: user.id });
    await mailAccount(deps, user, { to: user.email, mail: accountMails.passwordChanged, path: '/forgot-password' });
    return { email: user.email };
  });

  implement(api, contract.recoverAccount, async ({ body, request, reply, deed }) => {
    const link = { ...body, kind: 'recovery' } as const;
    const user = await deps.accounts.usingLink(request.ip, () =>
      accounts.setPasswordByLink(state, link, Date.now(), (trx, whose) =>
        recordPerson(audit, trx, { deed: asThem(deed, whose), user: whose }),
      ),
    );
    live.publish({ type: 'access', userId: user.id });
    const cookies = await deps.accounts.signInRecovered(user, toHeaders(request.headers), deed.source);
    void reply.header('set-cookie', cookies);
    await mailAccount(deps, user, { to: user.email, mail: accountMails.recovered, path: '/settings/account' });
    return { email: user.email };
  });

  implement(api, contract.confirmEmail, async ({ body, request, deed }) => {
    const { user, formerEmail } = await deps.accounts.usingLink(request.ip, () =>
      accounts.confirmEmail(state, body.token, Date.now(), (trx, changed) =>
        recordPerson(audit, trx, {
          deed: asThem(deed, changed.user),
          user: changed.user,
          before: { email: changed.formerEmail },
          after: { email: changed.user.email },
        }),
      ),
    );
    await mailAccount(deps, user, { to: formerEmail, mail: accountMails.emailChanged(user.email), path: '/sign-in' });
    return { email: user.email };
  });
}
