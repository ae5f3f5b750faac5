/** Passkeys as the browser makes and shows them. Its code comes with the first use. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { post } from '../../api/client.ts';

const load = () => import('@simplewebauthn/browser');

/** None without encryption, and none for an address of numbers. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|^\[/.test(globalThis.location.hostname);

/** What the server wants to see of the new passkey; undefined where none was made. */
export async function createPasskey(options: object): Promise<Record<string, unknown> | undefined> {
  const { startRegistration } = await load();
  try {
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
    return { ...(await startRegistration({ optionsJSON })) };
  } catch {
    return undefined;
  }
}

/** Where the passkeys of this installation do not belong to the address that is open. */
export class WrongPlaceError extends Error {}

/** Signs in; false where the reader chose none. `offered`: only once they choose it in the field for the address. */
export async function signInWithPasskey({ offered = false } = {}): Promise<boolean> {
  const { startAuthentication, browserSupportsWebAuthnAutofill } = await load();
  if (offered && !(await browserSupportsWebAuthnAutofill())) return false;
  const optionsJSON = await post<PublicKeyCredentialRequestOptionsJSON>('/api/auth/passkey/options', {});
  let response: object;
  try {
    response = await startAuthentication({ optionsJSON, useBrowserAutofill: offered });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERROR_INVALID_RP_ID') throw new WrongPlaceError();
    return false;
  }
  await post('/api/auth/passkey/verify', { response });
  return true;
}

/** Ends an offer that nobody took. */
export const endOffer = async (): Promise<void> => (await load()).WebAuthnAbortService.cancelCeremony();
