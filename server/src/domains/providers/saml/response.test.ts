/** What is believed of responses, and what is not: each refusal with its reason. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Asserted, Expected } from './assertion.ts';
import { SamlRefusal } from './refusal.ts';
import { claimedRequest, readResponse, type Trust } from './response.ts';
import type { SignedParts } from './settings.ts';
import { encryptedFor } from './testing/encrypted.ts';
import {
  freshId,
  makeResponse,
  makeSigningKey,
  names,
  type Said,
  signatureOf,
  type SignatureOptions,
  signedResponse,
  type SigningKey,
  withSignature,
} from './testing/made-response.ts';
import { wrapped, wrappings } from './testing/wrapped.ts';

const acs = 'https://culprit.example/api/auth/saml/p1/acs';
const audience = 'https://culprit.example/api/auth/saml/p1/metadata';
const issuer = 'https://idp.example/saml';
const request = '_request';
const now = Date.parse('2026-11-26T12:00:00Z');
const minute = 60_000;

const said: Said = {
  issuer,
  acs,
  audience,
  inResponseTo: request,
  nameId: 'ana@corp.example',
  attributes: { email: ['ana@corp.example'], groups: ['engineers', 'admins'] },
  now,
};
const expected: Expected = {
  entityId: issuer,
  audience,
  acs,
  nameIdFormat: names.email,
  inResponseTo: request,
  skewMs: minute,
  now,
};

let key: SigningKey;
let other: SigningKey;
let ours: SigningKey;
beforeAll(() => {
  [key, other, ours] = [makeSigningKey(), makeSigningKey(), makeSigningKey('culprit')];
});

const pem = ({ key: privateKey }: SigningKey): string => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const trust = (more: Partial<Trust> = {}): Trust => ({
  certificates: [key.certificate],
  signed: 'either',
  decryptionKey: pem(ours),
  ...more,
});

const read = (xml: string, more: Partial<Trust> = {}, than: Partial<Expected> = {}): Promise<Asserted> =>
  readResponse(Buffer.from(xml), trust(more), { ...expected, ...than });

async function reasonOf(xml: string, more: Partial<Trust> = {}, than: Partial<Expected> = {}): Promise<string> {
  try {
    return `believed: ${(await read(xml, more, than)).subject}`;
  } catch (error) {
    if (error instanceof SamlRefusal) return error.reason;
    throw error;
  }
}

const made = (more: Partial<Said> = {}): string => signedResponse(makeResponse({ ...said, ...more }), key);

describe('what is believed', () => {
  test('an assertion that is signed', async () => {
    const asserted = await read(made());
    expect(asserted.subject).toBe('ana@corp.example');
    expect(asserted.attributes.get('groups')).toEqual(['engineers', 'admins']);
    expect(asserted.until).toBe(now + 6 * minute);
  });

  test.each<[SignedParts, 'assertion' | 'response' | 'both', string]>([
    ['either', 'assertion', 'believed: ana@corp.example'],
    ['either', 'response', 'believed: ana@corp.example'],
    ['either', 'both', 'believed: ana@corp.example'],
    ['assertion', 'assertion', 'believed: ana@corp.example'],
    ['assertion', 'response', 'unsigned'],
    ['assertion', 'both', 'believed: ana@corp.example'],
    ['response', 'assertion', 'unsigned'],
    ['response', 'response', 'believed: ana@corp.example'],
    ['response', 'both', 'believed: ana@corp.example'],
    ['both', 'assertion', 'unsigned'],
    ['both', 'response', 'unsigned'],
    ['both', 'both', 'believed: ana@corp.example'],
  ])('where %s must be signed and %s is: %s', async (signed, is, result) => {
    expect(await reasonOf(signedResponse(makeResponse(said), key, is), { signed })).toBe(result);
  });

  test('where both are signed, both signatures have to be true', async () => {
    const { assertion, assertionId, responseId, response } = makeResponse(said);
    const inner = withSignature(assertion, signatureOf(assertion, assertionId, other));
    const outer = response(inner);
    expect(await reasonOf(withSignature(outer, signatureOf(outer, responseId, key)))).toBe('signature');
  });

  test('the next certificate as well as the one before', async () => {
    const certificates = [other.certificate, key.certificate];
    expect(await reasonOf(made(), { certificates })).toBe('believed: ana@corp.example');
    expect(await reasonOf(made(), { certificates: certificates.toReversed() })).toBe('believed: ana@corp.example');
  });

  test('SHA-512', async () => {
    const xml = signedResponse(makeResponse(said), key, 'assertion', { hash: 'sha512' });
    expect(await reasonOf(xml)).toBe('believed: ana@corp.example');
  });

  test('an XML declaration, and lines that end as on Windows', async () => {
    expect(await reasonOf(`<?xml version="1.0" encoding="UTF-8"?>\r\n${made()}\r\n`)).toBe(
      'believed: ana@corp.example',
    );
  });
});

describe('signature wrapping', () => {
  test.each(wrappings)('%s', async (kind) => {
    const evil = { nameId: 'eve@evil.example', attributes: { email: ['eve@evil.example'] } };
    expect(await reasonOf(wrapped(kind, said, evil, key))).toBe('structure');
    // What the arrangement starts from is believed: the signature itself is true.
    expect(await reasonOf(made())).toBe('believed: ana@corp.example');
  });

  test('an assertion in another namespace, beside the signed one', async () => {
    const evil = makeResponse({ ...said, nameId: 'eve@evil.example' }).assertion.replaceAll(
      names.assertion,
      'urn:oasis:names:tc:SAML:1.0:assertion',
    );
    expect(await reasonOf(made().replace('</samlp:Status>', `</samlp:Status>${evil}`))).toBe('structure');
  });

  test('a signature that refers to the whole document, to two things, or to nothing', async () => {
    const { assertion, assertionId, response } = makeResponse(said);
    const signature = signatureOf(assertion, assertionId, key);
    const [reference = ''] = /<ds:Reference .*<\/ds:Reference>/.exec(signature) ?? [];
    for (const instead of ['', `${reference}${reference}`, reference.replace(/URI="[^"]*"/, 'URI=""')]) {
      const strange = signatureOf(assertion, assertionId, key, { reference: instead });
      expect(await reasonOf(response(withSignature(assertion, strange)))).toBe('structure');
    }
  });

  test('two SignedInfo, of which one is true', async () => {
    const xml = made();
    const [info = ''] = /<ds:SignedInfo>.*<\/ds:SignedInfo>/.exec(xml) ?? [];
    const digest = createHash('sha256').update('something else').digest('base64');
    const evil = info.replace(/(<ds:DigestValue>)[^<]*/, `$1${digest}`);
    expect(await reasonOf(xml.replace(info, `${evil}${info}`))).toBe('structure');
    expect(await reasonOf(xml.replace(info, `${info}<ds:Object>${evil}</ds:Object>`))).toBe('structure');
  });

  test('an ID that would be code in XPath', async () => {
    for (const assertionId of ["_a' or '1'='1", "_a'] | //*[@ID='_b"]) {
      expect(await reasonOf(made({ assertionId }))).toBe('signature');
    }
  });

  test('a transform that leaves out what the signature is true of', async () => {
    const xml = made().replace(
      '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#">',
      '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116">',
    );
    expect(await reasonOf(xml)).toBe('structure');
  });
});

describe('signatures', () => {
  test('none', async () => {
    expect(await reasonOf(signedResponse(makeResponse(said), key, 'none'))).toBe('unsigned');
  });

  test('by another key, whether or not its certificate comes along', async () => {
    const response = makeResponse(said);
    expect(await reasonOf(signedResponse(response, other))).toBe('signature');
    const shown = { shownCertificate: other.certificate };
    expect(await reasonOf(signedResponse(response, other, 'assertion', shown))).toBe('signature');
    // The right certificate beside the wrong signature is no better.
    const borrowed = { shownCertificate: key.certificate };
    expect(await reasonOf(signedResponse(response, other, 'response', borrowed))).toBe('signature');
  });

  test.each(['ana', 'engineers', audience, acs, request])('of what was changed afterwards: %s', async (text) => {
    const xml = made();
    const at = xml.indexOf(text, xml.indexOf('<saml:Subject>'));
    const changed = `${xml.slice(0, at)}x${xml.slice(at + 1)}`;
    expect(await reasonOf(changed)).toBe('signature');
  });

  test('SHA-1, of the signature or of the digest', async () => {
    const signed = (options: SignatureOptions): string => signedResponse(makeResponse(said), key, 'assertion', options);
    expect(await reasonOf(signed({ hash: 'sha1' }))).toBe('algorithm');
    expect(await reasonOf(signed({ hash: 'sha1', digest: 'sha256' }))).toBe('algorithm');
    expect(await reasonOf(signed({ hash: 'sha256', digest: 'sha1' }))).toBe('algorithm');
    expect(await reasonOf(signed({ hash: 'sha256', digest: 'sha512' }))).toBe('believed: ana@corp.example');
  });

  test('a key of symmetric signatures that everybody knows', async () => {
    const hmac = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1';
    const xml = made().replace('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', hmac);
    expect(await reasonOf(xml)).toBe('algorithm');
  });
});

describe('text that two readers read differently', () => {
  const evil = { nameId: 'user@corp.example.evil.example' };
  const commented = (xml: string): string => xml.replace('user@corp.example.evil', 'user@corp.example<!---->.evil');

  test('a comment in the NameID', async () => {
    expect(await reasonOf(made(evil))).toBe('believed: user@corp.example.evil.example');
    expect(await reasonOf(commented(made(evil)))).toBe('comment');
    expect(await reasonOf(commented(signedResponse(makeResponse({ ...said, ...evil }), key, 'response')))).toBe(
      'comment',
    );
  });

  test('a comment in what was encrypted', async () => {
    const { assertion, response, responseId } = makeResponse({ ...said, ...evil });
    const outer = response(encryptedFor(ours.certificate, commented(assertion)));
    expect(await reasonOf(withSignature(outer, signatureOf(outer, responseId, key)))).toBe('comment');
  });

  test.each([
    ['doctype', '<!DOCTYPE Response>'],
    ['doctype', '<!DOCTYPE Response [<!ENTITY who "eve@evil.example">]>'],
    ['doctype', '<!DOCTYPE Response SYSTEM "http://127.0.0.1:1/evil.dtd">'],
    ['doctype', '<!doctype x>'],
    ['not_xml', '<?xml-stylesheet href="http://127.0.0.1:1/"?>'],
  ])('what brings in something else: %s, %s', async (reason, before) => {
    expect(await reasonOf(`${before}${made()}`)).toBe(reason);
  });

  test('an entity that nobody declared', async () => {
    expect(await reasonOf(made().replace('>ana@', '>&who;@'))).toBe('not_xml');
  });

  test('CDATA', async () => {
    expect(await reasonOf(made().replace('>ana@corp', '><![CDATA[ana]]>@corp'))).toBe('not_xml');
  });

  test.each([
    ['no XML', 'hello'],
    ['nothing', ''],
    ['half of it', '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><x>'],
    ['a prefix of nobody', '<samlp:Response/>'],
    ['two roots', '<a/><b/>'],
  ])('%s', async (_name, text) => {
    expect(['not_xml', 'structure']).toContain(await reasonOf(text));
  });

  test('bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from(made()), Buffer.from([0xff, 0xfe])]);
    await expect(readResponse(bytes, trust(), expected)).rejects.toMatchObject({ reason: 'not_xml' });
  });
});

test('what a response responds to is known without a parser', () => {
  const claimed = (xml: string): string | undefined => claimedRequest(Buffer.from(xml));
  expect(claimed(made())).toBe(request);
  expect(claimed(`<?xml version='1.0'?>\n<a b='1'\n InResponseTo = '_x'/>`)).toBe('_x');
  for (const xml of [
    '<a/>',
    '<a b=">" InResponseTo="_x"/>',
    '<a><b InResponseTo="_x"/></a>',
    '<aInResponseTo="_x"/>',
  ]) {
    expect(claimed(xml)).toBeUndefined();
  }
});

describe('size', () => {
  test('more than 256 kB', async () => {
    expect(await reasonOf(made().replace('<samlp:Status>', `<samlp:Status>${' '.repeat(262_144)}`))).toBe('too_large');
  });

  test('elements without end, and within each other', async () => {
    const within = (inside: string): string => made().replace('<samlp:Status>', `${inside}<samlp:Status>`);
    expect(await reasonOf(within('<x/>'.repeat(2_600)))).toBe('too_large');
    expect(await reasonOf(within('<x>'.repeat(20_000) + '</x>'.repeat(20_000)))).toBe('too_large');
    expect(await reasonOf(within('<x a="/>">'.repeat(4_000) + '</x>'.repeat(4_000)))).toBe('too_large');
    const attributes = Array.from({ length: 6_000 }, (_, index) => `a${index}="1"`).join(' ');
    expect(await reasonOf(within(`<x ${attributes}/>`))).toBe('too_large');
  });

  test('a thousand groups are no such thing', async () => {
    const groups = Array.from({ length: 1_000 }, (_, index) => `group ${index} with a name that says what it is for`);
    expect((await read(made({ attributes: { groups } }))).attributes.get('groups')).toEqual(groups);
  });

  test('values of attributes without end', async () => {
    const groups = Array.from({ length: 1_001 }, (_, index) => `g${index}`);
    expect(await reasonOf(made({ attributes: { groups } }))).toBe('too_large');
  });
});

describe('for whom and when', () => {
  test.each<[string, Partial<Said>]>([
    ['audience', { audience: 'https://other.example' }],
    ['audience', { audience: `${audience}/` }],
    ['recipient', { recipient: 'https://other.example/acs' }],
    ['recipient', { recipient: undefined }],
    ['destination', { destination: 'https://other.example/acs' }],
    ['issuer', { issuer: 'https://other-idp.example' }],
    ['status', { status: 'Responder' }],
    ['unknown_request', { inResponseTo: '_other' }],
    ['unknown_request', { inResponseTo: undefined }],
    ['unknown_request', { subjectInResponseTo: '_other' }],
    ['unknown_request', { subjectInResponseTo: undefined }],
    ['subject', { nameIdFormat: names.transient }],
    ['subject', { nameId: '' }],
    ['subject', { nameId: 'x'.repeat(300) }],
    ['subject', { nameId: '<b>ana@corp.example</b>' }],
    ['expired', { notBefore: now - 20 * minute, notOnOrAfter: now - 10 * minute }],
    ['expired', { notOnOrAfter: now - minute }],
    ['expired', { confirmedUntil: now - minute }],
    ['expired', { now: now - 12 * minute, notOnOrAfter: now + 60 * minute }],
    ['not_yet_valid', { notBefore: now + 2 * minute }],
    ['not_yet_valid', { now: now + 2 * minute, notBefore: now }],
    ['conditions', { confirmedUntil: undefined }],
  ])('%s: %o', async (reason, more) => {
    expect(await reasonOf(made({ attributes: {}, ...more }))).toBe(reason);
  });

  test('a signed response must say where it goes', async () => {
    const xml = signedResponse(makeResponse({ ...said, destination: undefined }), key, 'response');
    expect(await reasonOf(xml)).toBe('destination');
    expect(await reasonOf(made({ destination: undefined }))).toBe('believed: ana@corp.example');
  });

  test('clocks that differ by less than a minute, and by up to five where that is set', async () => {
    const late = { notOnOrAfter: now - 59_000 };
    const early = { notBefore: now + 59_000 };
    expect(await reasonOf(made(late))).toBe('believed: ana@corp.example');
    expect(await reasonOf(made(early))).toBe('believed: ana@corp.example');
    const four = { notOnOrAfter: now - 4 * minute };
    expect(await reasonOf(made(four))).toBe('expired');
    expect(await reasonOf(made(four), {}, { skewMs: 5 * minute })).toBe('believed: ana@corp.example');
    expect(await reasonOf(made({ notOnOrAfter: now - 5 * minute }), {}, { skewMs: 5 * minute })).toBe('expired');
  });

  test('a response that nobody asked for carries no answer to a request', async () => {
    const unasked = { inResponseTo: undefined };
    expect(await reasonOf(made(unasked), {}, unasked)).toBe('believed: ana@corp.example');
    const borrowed = made({ ...unasked, subjectInResponseTo: request });
    expect(await reasonOf(borrowed, {}, unasked)).toBe('unknown_request');
  });

  test('a time that is none, a condition that nobody knows', async () => {
    const signedAnew = (change: (text: string) => string): string => {
      const { assertion, assertionId, response } = makeResponse(said);
      const changed = change(assertion);
      return response(withSignature(changed, signatureOf(changed, assertionId, key)));
    };
    expect(await reasonOf(signedAnew((text) => text))).toBe('believed: ana@corp.example');
    const noTime = signedAnew((text) => text.replace(/NotOnOrAfter="[^"]*"/, 'NotOnOrAfter="soon"'));
    expect(await reasonOf(noTime)).toBe('conditions');
    const strange = signedAnew((text) =>
      text.replace('</saml:Conditions>', '<saml:Weather></saml:Weather></saml:Conditions>'),
    );
    expect(await reasonOf(strange)).toBe('conditions');
    const twice = signedAnew((text) => text.replace(/<saml:Subject>.*<\/saml:Subject>/, '$&$&'));
    expect(await reasonOf(twice)).toBe('structure');
  });

  test('a NameID means what its qualifier says', async () => {
    const { assertion, assertionId, response } = makeResponse(said);
    const changed = assertion
      .replace('<saml:NameID ', '<saml:NameID NameQualifier="https://elsewhere.example" ')
      .replace(/(<saml:NameID) (NameQualifier="[^"]*") (Format="[^"]*")/, '$1 $3 $2');
    const xml = response(withSignature(changed, signatureOf(changed, assertionId, key)));
    expect(await reasonOf(xml)).toBe('believed: ana@corp.example (https://elsewhere.example)');
  });
});

describe('encrypted assertions', () => {
  const inside = (text: string, method?: Parameters<typeof encryptedFor>[2]): string =>
    encryptedFor(ours.certificate, text, method);

  test.each(['aes128-gcm', 'aes256-gcm', 'aes128-cbc', 'aes256-cbc'] as const)('%s', async (content) => {
    const { assertion, assertionId, response } = makeResponse(said);
    const signed = withSignature(assertion, signatureOf(assertion, assertionId, key));
    expect(await reasonOf(response(inside(signed, { content })))).toBe('believed: ana@corp.example');
  });

  test('signed outside only', async () => {
    const { assertion, responseId, response } = makeResponse(said);
    const outer = response(inside(assertion));
    const xml = withSignature(outer, signatureOf(outer, responseId, key));
    expect(await reasonOf(xml)).toBe('believed: ana@corp.example');
    expect(await reasonOf(xml, { signed: 'assertion' })).toBe('unsigned');
  });

  test('signed nowhere, by another key, with SHA-1, wrapped', async () => {
    const { assertion, assertionId, response } = makeResponse(said);
    expect(await reasonOf(response(inside(assertion)))).toBe('unsigned');
    const by = (who: SigningKey, hash: 'sha1' | 'sha256'): string =>
      response(inside(withSignature(assertion, signatureOf(assertion, assertionId, who, { hash }))));
    expect(await reasonOf(by(other, 'sha256'))).toBe('signature');
    expect(await reasonOf(by(key, 'sha1'))).toBe('algorithm');
    const signed = withSignature(assertion, signatureOf(assertion, assertionId, key));
    const evil = makeResponse({ ...said, nameId: 'eve@evil.example' }).assertion;
    const around = evil.replace('</saml:Assertion>', `${signed}</saml:Assertion>`);
    expect(await reasonOf(response(inside(around)))).toBe('structure');
    expect(await reasonOf(response(inside('<x/>')))).toBe('structure');
    expect(await reasonOf(response(`${inside(signed)}${inside(signed)}`))).toBe('structure');
  });

  test('for another key, or damaged: no more than that it does not open', async () => {
    const { assertion, response } = makeResponse(said);
    expect(await reasonOf(response(encryptedFor(other.certificate, assertion)))).toBe('encryption');
    const damaged = inside(assertion).replace(/(<xenc:CipherValue>)..../g, '$1AAAA');
    expect(await reasonOf(response(damaged))).toBe('encryption');
    expect(await reasonOf(response(inside(assertion)), { decryptionKey: undefined })).toBe('encryption');
  });

  test('keys that are wrapped as they should not be', async () => {
    const { assertion, response } = makeResponse(said);
    expect(await reasonOf(response(inside(assertion, { key: 'rsa-1_5' })))).toBe('algorithm');
  });
});

test('an assertion has an ID', async () => {
  expect(await reasonOf(made({ assertionId: freshId() }))).toBe('believed: ana@corp.example');
  const { assertion, response, responseId, assertionId } = makeResponse(said);
  const outer = response(assertion.replace(` ID="${assertionId}"`, ''));
  expect(await reasonOf(withSignature(outer, signatureOf(outer, responseId, key)))).toBe('structure');
});
