/** What links in mails do, for who is signed out: a new password, a confirmed address. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as accounts from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { accountMails } from '../../base/texts/mail.ts';
import { type Api, implement } from '../shared/implement.ts';
import * as contract from './contract.ts';
import { canMail, mailAccount } from './mails.ts';

/** After the answer, at a moment that tells nothing of what is done. */
const laterMs = (): number => randomInt(50, 500);

export function recoveryRoutes(api: Api): void {
  const { app, deps } = api;
  const { state, live } = deps;

  implement(api, contract.getPasswordReset, async () => ({ available: canMail(deps) }));

  const sendReset = async (email: string): Promise<void> => {
    await sleep(laterMs(), undefined, { ref: false });
    const found = await accounts.forgotPassword(state, email, Date.now());
    if (!found) return;
    await mailAccount(deps, found.user, {
      to: found.user.email,
      mail: accountMails.reset,
      path: `/reset-password#${found.token}`,
    });
  };

  implement(api, contract.requestPasswordReset, async ({ body, request }) => {
    if (!canMail(deps)) throw new CodedError('MAIL_OFF');
    const email = body.email.toLowerCase();
    deps.accounts.limitLinks(email, request.ip);
    sendReset(email).catch((error: unknown) => app.log.error({ err: error }, 'a link for a new password was not sent'));
    return { validMinutes: accounts.linkGoodForMs / 60_000 };
  });

  implement(api, contract.resetPassword, async ({ body, request }) => {
    const user = await deps.accounts.usingLink(request.ip, () => accounts.setPasswordByLink(state, body, Date.now()));
    live.publish({ type: 'access', userId: user.id });
    await mailAccount(deps, user, { to: user.email, mail: accountMails.passwordChanged, path: '/forgot-password' });
    return { email: user.email };
  });

  implement(api, contract.confirmEmail, async ({ body, request }) => {
    const { user, formerEmail } = await deps.accounts.usingLink(request.ip, () =>
      accounts.confirmEmail(state, body.token, Date.now()),
    );
    await mailAccount(deps, user, { to: formerEmail, mail: accountMails.emailChanged(user.email), path: '/sign-in' });
    return { email: user.email };
  });
}
