/**
 * Where things may stand in a response, asked before any signature is looked at: one assertion, below the root; signatures
 * below what they sign and nowhere else, each with one reference to it. What every wrapped signature needs, a second place
 * for an assertion or for what is signed, is not there then.
 */
import { samlTexts } from '../../../base/texts/saml.ts';
import { refuse } from './refusal.ts';
import { attributeOf, childElements, childrenNamed, type Element, elementsIn, isNamed, ns } from './xml.ts';

const { found } = samlTexts;

export interface Parts {
  readonly response: Element;
  /** In the clear or encrypted; undefined where the provider refuses. */
  readonly assertion: Element | undefined;
  readonly encrypted: Element | undefined;
}

const transforms: ReadonlySet<string> = new Set([
  `${ns.signature}enveloped-signature`,
  'http://www.w3.org/2001/10/xml-exc-c14n#',
]);
const canonicalisation = 'http://www.w3.org/2001/10/xml-exc-c14n#';

const isOf = (element: Element, name: string): boolean => element.localName === name;
const is = (element: Element, name: string): boolean => element.localName?.toLowerCase() === name.toLowerCase();

/** Throws `SamlRefusal`. */
export function partsOf(root: Element): Parts {
  if (!isNamed(root, ns.protocol, 'Response')) refuse('structure', found.noResponse);
  const all = elementsIn(root);
  refuseSharedIds(all);
  const assertions = childrenNamed(root, ns.assertion, 'Assertion');
  const encrypted = childrenNamed(root, ns.assertion, 'EncryptedAssertion');
  // By their names alone, in whatever namespace: who reads less exactly must not find another one.
  const anywhere = all.filter((element) => is(element, 'Assertion') || is(element, 'EncryptedAssertion'));
  const responses = all.filter((element) => is(element, 'Response'));
  const own = assertions.length + encrypted.length;
  if (own > 1 || anywhere.length !== own || responses.length > 1) {
    refuse('structure', found.assertions(anywhere.length, responses.length));
  }
  checkSignatures(all, [root, ...assertions]);
  return { response: root, assertion: assertions[0], encrypted: encrypted[0] };
}

/** Of an assertion that was encrypted. Throws `SamlRefusal`. */
export function checkAssertion(root: Element): void {
  if (!isNamed(root, ns.assertion, 'Assertion')) refuse('structure', found.noAssertion);
  const all = elementsIn(root);
  refuseSharedIds(all);
  if (all.some((element) => element !== root && (is(element, 'Assertion') || is(element, 'Response')))) {
    refuse('structure', found.nestedAssertion);
  }
  checkSignatures(all, [root]);
}

function refuseSharedIds(all: readonly Element[]): void {
  const seen = new Set<string>();
  for (const element of all) {
    for (const name of ['ID', 'Id', 'id', 'xml:id']) {
      if (!element.hasAttribute(name)) continue;
      const id = attributeOf(element, name);
      if (seen.has(id)) refuse('structure', found.sharedId);
      seen.add(id);
    }
  }
}

function checkSignatures(all: readonly Element[], signable: readonly Element[]): void {
  const signatures = all.filter((element) => is(element, 'Signature'));
  for (const signature of signatures) {
    const parent = signable.find((element) => element === signature.parentNode);
    if (!parent || !isNamed(signature, ns.signature, 'Signature')) return refuse('structure', found.strayed);
    if (signatures.filter(({ parentNode }) => parentNode === parent).length > 1) refuse('structure', found.signatures);
    checkSignature(signature, attributeOf(parent, 'ID'));
  }
}

/** What it is made of, and that it refers to its parent. */
function checkSignature(signature: Element, id: string): void {
  const names = childElements(signature).map(({ localName }) => localName);
  const expected = ['SignedInfo', 'SignatureValue', ...(names.includes('KeyInfo') ? ['KeyInfo'] : [])];
  if (names.join() !== expected.join()) refuse('structure', found.signatureParts);
  const [info] = childElements(signature);
  const parts = info ? childElements(info) : [];
  const [canonical, method, reference] = parts;
  if (parts.map(({ localName }) => localName).join() !== 'CanonicalizationMethod,SignatureMethod,Reference') {
    return refuse('structure', found.references);
  }
  if (!id || attributeOf(reference, 'URI') !== `#${id}`) refuse('structure', found.otherReference);
  if (attributeOf(canonical, 'Algorithm') !== canonicalisation) refuse('algorithm', algorithmOf(canonical));
  if (!signatureMethods.has(attributeOf(method, 'Algorithm'))) refuse('algorithm', algorithmOf(method));
  const [steps, digest] = reference ? childElements(reference).filter((part) => !isOf(part, 'DigestValue')) : [];
  const used =
    steps && isOf(steps, 'Transforms') ? childElements(steps).map((step) => attributeOf(step, 'Algorithm')) : [];
  if (used.length !== 2 || used.some((step) => !transforms.has(step)) || used[0] === used[1]) {
    refuse('structure', found.transforms);
  }
  if (!digestMethods.has(attributeOf(digest, 'Algorithm'))) refuse('algorithm', algorithmOf(digest));
}

/** Its name, where it can be one: anybody may write anything there. */
export function algorithmOf(element: Element | undefined): string {
  const name = attributeOf(element, 'Algorithm');
  return /^http:\/\/www\.w3\.org\/[\w./#-]{1,60}$/.test(name) ? name : '';
}

/** SHA-256 and better. */
export const signatureMethods: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
]);
export const digestMethods: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
]);
