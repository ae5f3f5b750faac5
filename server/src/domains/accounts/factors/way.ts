/** How a session came to be: read off the call that makes it. */

/** A call of better-auth, as far as it tells. */
interface AuthCall {
  readonly path?: string | undefined;
  readonly params?: unknown;
}

/** Calls that end in a session after a second factor. */
const afterFactor: ReadonlySet<string> = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);
/** Callbacks of providers. */
const fromProvider = /^\/(?:sso\/|oauth2\/callback|callback\/)/;

export interface WayIn {
  readonly way: string;
  readonly secondFactor: boolean;
}

/** Passkeys are only taken where the person was verified, so they are two factors in one. */
export function wayIn(call: AuthCall | null | undefined): WayIn {
  const path = call?.path ?? '';
  if (path === '/passkey/verify-authentication') return { way: 'passkey', secondFactor: true };
  if (afterFactor.has(path)) return { way: 'password', secondFactor: true };
  if (fromProvider.test(path)) return { way: `provider:${providerOf(call?.params)}`, secondFactor: false };
  return { way: 'password', secondFactor: false };
}

function providerOf(params: unknown): string {
  if (typeof params !== 'object' || params === null) return '';
  const { providerId, id } = params as { readonly providerId?: unknown; readonly id?: unknown };
  return String(providerId ?? id ?? '');
}
