/** A password that is being set, anywhere: common ones are refused. One that was set before goes on working. */
import { CodedError } from '../../../base/errors.ts';
import { commonPasswords as reasons } from '../../../base/texts/accounts.ts';
import type { State } from '../../../ports/state/state.ts';
import { type About, commonReason } from './common.ts';
import { hashPassword } from './hash.ts';

/** Names of organisations that are there already are known. Throws `PASSWORD_COMMON`. */
export async function hashNewPassword(state: State, password: string, about: About): Promise<string> {
  const organizations = await state.db.selectFrom('organization').select('name').execute();
  const names = [...about.names, ...organizations.map(({ name }) => name)];
  const reason = commonReason(password, { ...about, names }) ?? (await leakedReason(password));
  if (reason !== undefined) throw new CodedError('PASSWORD_COMMON', [reason]);
  return hashPassword(password);
}

async function leakedReason(password: string): Promise<string | undefined> {
  const { isMostLeaked } = await import('./leaked.ts');
  return isMostLeaked(password) ? reasons.leaked : undefined;
}
