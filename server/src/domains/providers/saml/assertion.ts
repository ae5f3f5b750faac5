/** What a believed assertion says, and whether it says it to us, now (SAML 2.0 Profiles 4.1.4.3). Pure. */
import { samlTexts } from '../../../base/texts/saml.ts';
import { refuse, SamlRefusal } from './refusal.ts';
import { attributeOf, childElements, childrenNamed, type Element, ns, textOf } from './xml.ts';

const { found } = samlTexts;

export interface Expected {
  /** Of the provider. */
  readonly entityId: string;
  /** Ours. */
  readonly audience: string;
  readonly acs: string;
  readonly nameIdFormat: string;
  /** The request that it responds to; undefined where it came unasked. */
  readonly inResponseTo: string | undefined;
  readonly skewMs: number;
  readonly now: number;
}

export interface Asserted {
  readonly assertionId: string;
  readonly subject: string;
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  /** Whether the person showed a second factor at the provider. */
  readonly secondFactor: boolean;
  /** Until then it must be known again, ms. */
  readonly until: number;
}

/** What was issued longer ago is not taken, however long the provider would let it be used. */
const maxAgeMs = 10 * 60_000;
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const knownConditions: ReadonlySet<string> = new Set(['AudienceRestriction', 'OneTimeUse', 'ProxyRestriction']);
const maxValues = 1_000;
const longestValue = 1_000;

/** Throws `SamlRefusal`. */
export function readAssertion(assertion: Element, expected: Expected): Asserted {
  const { entityId, now, skewMs } = expected;
  if (attributeOf(assertion, 'Version') !== '2.0') refuse('structure', found.notSaml2);
  const assertionId = attributeOf(assertion, 'ID');
  if (!assertionId || assertionId.length > 300) refuse('structure', found.missing('ID'));
  const issuer = textOf(only(assertion, 'Issuer'));
  if (issuer !== entityId) refuse('issuer', found.instead(issuer ?? '', entityId));
  const issuedAt = timeOf(assertion, 'IssueInstant') ?? refuse('conditions', found.missing('IssueInstant'));
  if (issuedAt - skewMs > now) refuse('not_yet_valid', at('IssueInstant', issuedAt));
  if (now >= issuedAt + maxAgeMs + skewMs) refuse('expired', at('IssueInstant', issuedAt));
  const until = Math.min(checkConditions(assertion, expected) ?? Infinity, issuedAt + maxAgeMs);
  checkSessions(assertion, expected);
  const subject = only(assertion, 'Subject') ?? refuse('subject', found.missing('Subject'));
  checkConfirmation(subject, expected);
  return {
    assertionId,
    subject: subjectOf(subject, expected),
    attributes: attributesOf(assertion),
    secondFactor: showsSecondFactor(assertion),
    until: until + skewMs,
  };
}

/** Undefined where there is none; several are refused. */
function only(parent: Element, name: string): Element | undefined {
  const [first, ...more] = childrenNamed(parent, ns.assertion, name);
  if (more.length) refuse('structure', found.twice(name));
  return first;
}

const at = (name: string, time: number): string => found.at(name, new Date(time).toISOString());

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)$/;

function timeOf(element: Element, name: string): number | undefined {
  const text = attributeOf(element, name);
  if (!text) return undefined;
  const time = timeForm.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? refuse('conditions', found.noTime(name)) : time;
}

function checkTimes(element: Element, { now, skewMs }: Expected): number | undefined {
  const notBefore = timeOf(element, 'NotBefore');
  const notOnOrAfter = timeOf(element, 'NotOnOrAfter');
  if (notBefore !== undefined && now + skewMs < notBefore) refuse('not_yet_valid', at('NotBefore', notBefore));
  if (notOnOrAfter !== undefined && now - skewMs >= notOnOrAfter) refuse('expired', at('NotOnOrAfter', notOnOrAfter));
  return notOnOrAfter;
}

/** Returns until when it may be used, where that is said. */
function checkConditions(assertion: Element, expected: Expected): number | undefined {
  const conditions = only(assertion, 'Conditions') ?? refuse('audience', found.missing('Conditions'));
  const notOnOrAfter = checkTimes(conditions, expected);
  const strange = childElements(conditions).find(({ localName }) => !knownConditions.has(localName ?? ''));
  if (strange) refuse('conditions', found.strangeCondition(strange.localName ?? ''));
  const restrictions = childrenNamed(conditions, ns.assertion, 'AudienceRestriction').map((restriction) =>
    childrenNamed(restriction, ns.assertion, 'Audience').map((audience) => textOf(audience)),
  );
  const isMeant = restrictions.length > 0 && restrictions.every((audiences) => audiences.includes(expected.audience));
  if (!isMeant) refuse('audience', found.instead(restrictions.flat().join(', '), expected.audience));
  return notOnOrAfter;
}

function checkSessions(assertion: Element, { now, skewMs }: Expected): void {
  const statements = childrenNamed(assertion, ns.assertion, 'AuthnStatement');
  if (!statements.length) refuse('subject', found.missing('AuthnStatement'));
  for (const statement of statements) {
    const end = timeOf(statement, 'SessionNotOnOrAfter');
    if (end !== undefined && now - skewMs >= end) refuse('expired', at('SessionNotOnOrAfter', end));
  }
}

/** As REFEDS, Microsoft and the specification name it. */
const withSecondFactor: ReadonlySet<string> = new Set([
  'https://refeds.org/profile/mfa',
  'http://schemas.microsoft.com/claims/multipleauthn',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered',
]);

function showsSecondFactor(assertion: Element): boolean {
  const below = (parents: readonly Element[], name: string): Element[] =>
    parents.flatMap((parent) => childrenNamed(parent, ns.assertion, name));
  const contexts = below(below([assertion], 'AuthnStatement'), 'AuthnContext');
  return below(contexts, 'AuthnContextClassRef').some((one) => withSecondFactor.has(textOf(one) ?? ''));
}

/** One that holds is enough; else the first says what is wrong. */
function checkConfirmation(subject: Element, expected: Expected): void {
  const confirmations = childrenNamed(subject, ns.assertion, 'SubjectConfirmation');
  const bearers = confirmations.filter((one) => attributeOf(one, 'Method') === bearer);
  let first: SamlRefusal | undefined;
  for (const one of bearers) {
    try {
      return checkBearer(one, expected);
    } catch (error) {
      if (!(error instanceof SamlRefusal)) throw error;
      first ??= error;
    }
  }
  throw first ?? new SamlRefusal('subject', found.noBearer);
}

function checkBearer(confirmation: Element, expected: Expected): void {
  const data = only(confirmation, 'SubjectConfirmationData') ?? refuse('recipient', found.instead('', expected.acs));
  const recipient = attributeOf(data, 'Recipient');
  if (recipient !== expected.acs) refuse('recipient', found.instead(recipient, expected.acs));
  if (checkTimes(data, expected) === undefined) refuse('conditions', found.missing('NotOnOrAfter'));
  const inResponseTo = attributeOf(data, 'InResponseTo');
  // Where the response itself is not signed, this alone says what was answered; nothing where nobody asked.
  if (inResponseTo !== (expected.inResponseTo ?? '')) refuse('unknown_request', found.otherRequest);
}

function subjectOf(subject: Element, { nameIdFormat, entityId }: Expected): string {
  const nameId = only(subject, 'NameID') ?? refuse('subject', found.missing('NameID'));
  const text = textOf(nameId);
  if (!text || text.length > 256 || /\p{Cc}/u.test(text)) return refuse('subject', found.badNameId);
  const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
  const format = attributeOf(nameId, 'Format') || unspecified;
  if (format !== nameIdFormat) refuse('subject', found.instead(format, nameIdFormat));
  // A name means what its qualifier says; without one it is the provider's.
  const qualifier = attributeOf(nameId, 'NameQualifier');
  return qualifier && qualifier !== entityId ? `${text} (${qualifier.slice(0, 200)})` : text;
}

/** By `Name`, and by `FriendlyName` where no attribute has that name. */
function attributesOf(assertion: Element): Map<string, readonly string[]> {
  const attributes = childrenNamed(assertion, ns.assertion, 'AttributeStatement').flatMap((statement) =>
    childrenNamed(statement, ns.assertion, 'Attribute'),
  );
  const byName = new Map<string, string[]>();
  const byFriendlyName = new Map<string, string[]>();
  let count = 0;
  for (const attribute of attributes) {
    const values = childrenNamed(attribute, ns.assertion, 'AttributeValue').flatMap((value) => textOf(value) || []);
    count += values.length;
    if (count > maxValues) refuse('too_large', found.tooManyValues(maxValues));
    for (const [map, name] of [
      [byName, attributeOf(attribute, 'Name')],
      [byFriendlyName, attributeOf(attribute, 'FriendlyName')],
    ] as const) {
      if (name) map.set(name, [...(map.get(name) ?? []), ...values.filter(({ length }) => length <= longestValue)]);
    }
  }
  return new Map([...byFriendlyName, ...byName]);
}
