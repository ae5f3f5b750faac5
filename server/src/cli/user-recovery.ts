/** The way back for who cannot sign in any more: whoever may write to the data directory lets them in. */
import type { Config } from '../base/config.ts';
import { linkGoodForMs, makeRecoveryLink, removeFactors } from '../domains/accounts/index.ts';
import type { State } from '../ports/state/state.ts';
import { byCommand, openAudit, tellOfUser } from './audited.ts';
import { publicUrl } from './stores.ts';

export const linkMinutes = linkGoodForMs / 60_000;

/** The token is in the fragment, which no proxy sees and none logs. Throws `NOT_FOUND`. */
export async function recover(
  config: Config,
  state: State,
  { email, removesFactors }: { readonly email: string; readonly removesFactors: boolean },
): Promise<{ readonly link: string; readonly address: string }> {
  const audit = await openAudit(config, state);
  const address = await publicUrl(config);
  const by = byCommand('user recovery');
  const token = await state.transaction(async (trx) => {
    const made = await makeRecoveryLink(trx, email, Date.now());
    await tellOfUser(audit, trx, by, { email, action: 'user.recover' });
    if (removesFactors) {
      await removeFactors(trx, made.user.id);
      await tellOfUser(audit, trx, by, { email, action: 'user.remove_factors' });
    }
    return made.token;
  });
  return { link: `${address}/recover#${token}`, address };
}
