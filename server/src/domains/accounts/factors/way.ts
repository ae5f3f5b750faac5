/** How a session came to be: read off the call that makes it. */

/** A call of better-auth, as far as it tells. */
interface AuthCall {
  readonly path?: string | undefined;
  readonly params?: unknown;
  readonly body?: unknown;
}

/** Calls that end in a session after a second factor. */
const afterFactor: ReadonlySet<string> = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);
/** Of `provider-session.ts`, which no request reaches. */
export const providerSessionPath = '/provider-session/:providerId';

export interface WayIn {
  readonly way: string;
  readonly secondFactor: boolean;
}

/** Passkeys are only taken where the person was verified, so they are two factors in one. */
export function wayIn(call: AuthCall | null | undefined): WayIn {
  const path = call?.path ?? '';
  if (path === '/passkey/verify-authentication') return { way: 'passkey', secondFactor: true };
  if (afterFactor.has(path)) return { way: 'password', secondFactor: true };
  if (path === providerSessionPath) {
    const { providerId } = (call?.params ?? {}) as { readonly providerId?: unknown };
    const { secondFactor } = (call?.body ?? {}) as { readonly secondFactor?: unknown };
    return { way: providerWay(String(providerId)), secondFactor: secondFactor === true };
  }
  return { way: 'password', secondFactor: false };
}

export const providerWay = (providerId: string): string => `provider:${providerId}`;
