/** A password that was just right, and lies there as a hash of an earlier version. */
import type { State } from '../../../ports/state/state.ts';
import { hashPassword, isOutdated, verifyPassword } from './hash.ts';

/** As `verifyPassword`; stores a right one anew where its hash is outdated. */
export async function verifyAndRenew(
  state: State,
  given: { readonly hash: string; readonly password: string },
): Promise<boolean> {
  const isRight = await verifyPassword(given);
  if (isRight && isOutdated(given.hash)) await renew(state, given);
  return isRight;
}

async function renew(
  state: State,
  { hash, password }: { readonly hash: string; readonly password: string },
): Promise<void> {
  // Where too many wait to be hashed, the next sign-in is early enough.
  const renewed = await hashPassword(password).catch(() => undefined);
  if (renewed === undefined) return;
  await state.db
    .updateTable('account')
    .set({ password: renewed })
    .where('providerId', '=', 'credential')
    .where('password', '=', hash)
    .execute();
}
