import type { Secrets } from '../../base/secrets/index.ts';
import { isSealedText, textBox } from '../../base/secrets/index.ts';
import type { State } from '../../ports/state/state.ts';

const name = 'auth_secret';

/**
 * The secret that sessions are signed with: derived of the key. An installation of an earlier version had one in the
 * state store, in the clear; it goes on with that one, sealed, so that nobody has to sign in again.
 */
export async function authSecret(state: State, secrets: Secrets): Promise<string> {
  const box = textBox(secrets.box('stored secret'));
  const row = await state.db.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
  const stored = row && (JSON.parse(row.value) as string);
  if (stored !== undefined && !isSealedText(stored)) {
    const value = JSON.stringify(box.seal(stored, name));
    await state.db.updateTable('setting').set({ value }).where('name', '=', name).execute();
    return stored;
  }
  const earlier = stored === undefined ? undefined : box.open(stored, name);
  return earlier ?? secrets.derive('signing of sessions').toString('base64url');
}
