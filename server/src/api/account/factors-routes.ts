/** Second factors of the caller. */
import { accountMails } from '../../base/texts/mail.ts';
import type { CodeOf, Identity } from '../../domains/accounts/index.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
import { isoOrNull } from '../shared/read.ts';
import * as contract from './factors-contract.ts';
import { noteOwn, recordPerson } from './entries.ts';
import { mailAccount } from './mails.ts';
import { sessionOf } from './session-of.ts';

const accountPath = '/settings/account';

export function factorRoutes(api: Api): void {
  const { deps } = api;
  const { live, audit, accounts } = deps;
  const { factors } = accounts;

  type Asked = Pick<Call<typeof contract.showFactor>, 'caller' | 'body' | 'deed'>;
  const codeOf = ({ caller: { identity }, body: { code }, deed: { source } }: Asked): CodeOf => ({
    identity,
    code,
    source,
  });
  const mail = (
    { user }: Identity,
    what: (typeof accountMails)['twoFactorOn' | 'twoFactorOff' | 'recoveryCodesRenewed'],
  ) => mailAccount(deps, user, { to: user.email, mail: what, path: accountPath });

  implement(api, contract.getTwoFactor, async ({ caller }) => {
    sessionOf(caller);
    const { userId, shown } = caller.identity;
    const { isOn, since, recoveryCodesLeft } = await factors.stateOf(userId);
    return {
      isOn,
      dateEnabled: isoOrNull(since ?? null),
      recoveryCodesLeft,
      hasPassword: await accounts.hasPassword(userId),
      hasShown: shown?.secondFactor ?? false,
    };
  });

  implement(api, contract.beginTwoFactor, async ({ caller: { identity }, body, deed }) => {
    await factors.askAgain(identity, body.password, deed.source);
    return factors.begin(identity, issuerOf(deps.getUrl()));
  });

  implement(api, contract.confirmTwoFactor, async (call) => {
    const { identity } = call.caller;
    sessionOf(call.caller);
    const { user } = identity;
    const confirmed = await factors.confirm(codeOf(call), (trx, endedSessions) =>
      recordPerson(audit, trx, { deed: call.deed, user, details: { endedSessions } }),
    );
    live.publish({ type: 'access', userId: user.id });
    await mail(identity, accountMails.twoFactorOn);
    return { ...confirmed, recoveryCodes: [...confirmed.recoveryCodes] };
  });

  implement(api, contract.showFactor, async (call) => {
    sessionOf(call.caller);
    await factors.show(codeOf(call));
    await call.recorded(async (_inside, note) => noteOwn(note, call.caller.identity));
  });

  implement(api, contract.renewRecoveryCodes, async (call) => {
    sessionOf(call.caller);
    const { identity } = call.caller;
    const recoveryCodes = await factors.renewRecoveryCodes(codeOf(call), (trx) =>
      recordPerson(audit, trx, { deed: call.deed, user: identity.user }),
    );
    await mail(identity, accountMails.recoveryCodesRenewed);
    return { recoveryCodes: [...recoveryCodes] };
  });

  implement(api, contract.endTwoFactor, async (call) => {
    sessionOf(call.caller);
    const { identity } = call.caller;
    const endedSessions = await factors.turnOff(codeOf(call), (trx, ended) =>
      recordPerson(audit, trx, { deed: call.deed, user: identity.user, details: { endedSessions: ended } }),
    );
    live.publish({ type: 'access', userId: identity.userId });
    await mail(identity, accountMails.twoFactorOff);
    return { endedSessions };
  });
}

/** How the app calls it: several installations are told apart by their host. */
const issuerOf = (url: string): string => (URL.canParse(url) ? `Culprit (${new URL(url).host})` : 'Culprit');
