/** What goes wrong with an OpenID provider: as a refusal, and in words for who administers it. No secret is in them. */
import * as client from 'openid-client';
import { OutboundError } from '../../base/outbound/index.ts';
import { providerTexts } from '../../base/texts/providers.ts';
import { SignInRefused } from './refused.ts';

const longest = 300;

/** The provider's own words, on one line. */
const quoted = (...parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined && part !== '')
    .join(': ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, longest);

export const outboundIn = (error: unknown): OutboundError | undefined => {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof OutboundError) return at;
  return undefined;
};

/** GitHub says what is wrong with status 200. */
export function saidWithSuccess(error: unknown): string | undefined {
  for (let at = error; typeof at === 'object' && at !== null; at = 'cause' in at ? at.cause : undefined) {
    const body = 'body' in at ? at.body : undefined;
    if (typeof body === 'object' && body !== null && 'error' in body) return String(body.error);
  }
  return undefined;
}

export const isRedirectProblem = (error: unknown): boolean =>
  error instanceof client.ResponseBodyError &&
  (error.error === 'redirect_uri_mismatch' || /redirect_uri/.test(error.error_description ?? ''));

export function wordsOf(error: unknown): string {
  const outbound = outboundIn(error);
  // What it says next, that an administrator can allow the address, is not so here.
  if (outbound) return providerTexts.unreachable(outbound.message.split('. ', 1)[0] ?? '');
  if (error instanceof client.ResponseBodyError || error instanceof client.AuthorizationResponseError) {
    return providerTexts.failed(quoted(error.error, error.error_description));
  }
  if (error instanceof client.WWWAuthenticateChallengeError) return providerTexts.client;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return providerTexts.otherIssuer;
  if (error instanceof SignInRefused) return error.message;
  const { message = String(error), cause } = error instanceof Error ? error : {};
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' && cause instanceof Response) {
    return providerTexts.unexpectedStatus(cause.status);
  }
  if (code === 'OAUTH_RESPONSE_IS_NOT_JSON') return providerTexts.notJson;
  const said = saidWithSuccess(error);
  if (said !== undefined) return providerTexts.failed(quoted(said));
  // The library says in its cause what it is that does not hold.
  return providerTexts.failed(quoted(cause instanceof Error ? cause.message : message));
}

export function refusedBy(error: unknown): SignInRefused {
  if (error instanceof SignInRefused) return error;
  if (outboundIn(error)) return new SignInRefused('unreachable', wordsOf(error), { cause: error });
  const isDenied = error instanceof client.AuthorizationResponseError && error.error === 'access_denied';
  return new SignInRefused(isDenied ? 'denied' : 'failed', wordsOf(error), { cause: error });
}
