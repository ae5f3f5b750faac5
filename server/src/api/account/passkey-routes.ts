/** Passkeys of the caller. */
import * as accounts from '../../domains/accounts/index.ts';
import { accountMails } from '../../base/texts/mail.ts';
import { toHeaders } from '../shared/access.ts';
import { type Api, implement } from '../shared/implement.ts';
import { isoOrNull } from '../shared/read.ts';
import { noteOwn } from './entries.ts';
import * as contract from './factors-contract.ts';
import { mailAccount } from './mails.ts';
import { sessionOf } from './session-of.ts';

const accountPath = '/settings/account';

export function passkeyRoutes(api: Api): void {
  const { deps } = api;
  const { state, live } = deps;
  const { factors, passkeys } = deps.accounts;

  implement(api, contract.listPasskeys, async ({ caller }) => {
    sessionOf(caller);
    const url = deps.getUrl();
    const own = await accounts.listPasskeys(state, caller.identity.userId);
    return {
      available: accounts.takesPasskeys(url),
      origin: URL.canParse(url) ? new URL(url).origin : url,
      passkeys: own.map(({ id, name, createdAt, lastUsedAt, isSynced }) => ({
        id,
        name,
        dateCreated: isoOrNull(createdAt ?? null),
        lastUsed: isoOrNull(lastUsedAt ?? null),
        isSynced,
      })),
    };
  });

  implement(api, contract.beginPasskey, async ({ caller: { identity }, body, deed, request, reply }) => {
    await factors.askAgain(identity, body.password, deed.source);
    const { options, cookies } = await passkeys.options(identity.userId, toHeaders(request.headers));
    void reply.header('set-cookie', cookies);
    return { ...options };
  });

  implement(api, contract.addPasskey, async ({ caller, body, request, recorded }) => {
    const sessionId = sessionOf(caller);
    const { user } = caller.identity;
    const added = await passkeys.add({ ...body, sessionId }, toHeaders(request.headers));
    await recorded(async (_inside, note) => noteOwn(note, caller.identity, { details: { passkey: body.name } }));
    live.publish({ type: 'access', userId: user.id });
    await mailAccount(deps, user, { to: user.email, mail: accountMails.passkeyAdded(body.name), path: accountPath });
    return added;
  });

  implement(api, contract.renamePasskey, async ({ caller, params, body, recorded }) => {
    sessionOf(caller);
    const { userId } = caller.identity;
    await recorded(async (inside, note) => {
      await accounts.renamePasskey(inside, { userId, id: params.id, name: body.name });
      noteOwn(note, caller.identity, { details: { passkey: body.name } });
    });
  });

  implement(api, contract.removePasskey, async ({ caller, params, body, deed, recorded }) => {
    const { identity } = caller;
    const { user } = identity;
    await factors.askAgain(identity, body.password, deed.source);
    const name = await recorded(async (inside, note) => {
      const removed = await accounts.removePasskey(inside, user.id, params.id);
      noteOwn(note, identity, { details: { passkey: removed } });
      return removed;
    });
    live.publish({ type: 'access', userId: user.id });
    await mailAccount(deps, user, { to: user.email, mail: accountMails.passkeyRemoved(name), path: accountPath });
  });

  implement(api, contract.removePassword, async ({ caller, body, deed, recorded }) => {
    const { identity } = caller;
    await factors.askAgain(identity, body.password, deed.source);
    await recorded(async (inside, note) => {
      await accounts.removePassword(inside, identity.userId);
      noteOwn(note, identity);
    });
  });
}
