/** What providers tell of themselves, what we tell of ourselves, and the request that goes to them. */
import { createVerify, X509Certificate } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { CodedError } from '../../../base/errors.ts';
import { checkSettings } from '../kinds.ts';
import { bareCertificate, readCertificates } from './certificates.ts';
import { ownMetadata, readMetadata } from './metadata.ts';
import { makeOwnKey } from './own-key.ts';
import { SamlRefusal } from './refusal.ts';
import { requestIdOf, requestUrl, stateOf } from './request.ts';
import { readSettings } from './settings.ts';
import { makeSigningKey, names, type SigningKey } from './testing/made-response.ts';
import { readXml } from './xml.ts';

let key: SigningKey;
let next: SigningKey;
beforeAll(() => {
  [key, next] = [makeSigningKey(), makeSigningKey('next.example')];
});

const descriptor = (inside: string, attributes = ''): string =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="${names.signature}" entityID="https://idp.example">` +
  `<md:IDPSSODescriptor protocolSupportEnumeration="${names.protocol}" ${attributes}>${inside}</md:IDPSSODescriptor></md:EntityDescriptor>`;
const keyOf = ({ certificate }: SigningKey, use?: string): string =>
  `<md:KeyDescriptor${use ? ` use="${use}"` : ''}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>\n${bareCertificate(certificate)}\n` +
  `</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
const service = (binding: string, location: string): string =>
  `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`;

describe('metadata of a provider', () => {
  test('say its name, where requests go and what it signs with', () => {
    const text = descriptor(
      keyOf(key, 'signing') +
        keyOf(next) +
        service('HTTP-POST', 'https://idp.example/post') +
        service('HTTP-Redirect', 'https://idp.example/sso?a=1&amp;b=2'),
      'WantAuthnRequestsSigned="true"',
    );
    const read = readMetadata(`<?xml version="1.0"?>\n<!-- of Acme, kept by hand -->\n${text}`);
    expect(read).toMatchObject({
      entityId: 'https://idp.example',
      ssoUrl: 'https://idp.example/sso?a=1&b=2',
      wantsSignedRequests: true,
      certificates: [{ subject: 'idp.example' }, { subject: 'next.example' }],
    });
    expect(new X509Certificate(read.certificates[0]?.pem ?? '').raw).toEqual(new X509Certificate(key.certificate).raw);
  });

  test('are found in a list of one, and what encrypts is not what signs', () => {
    const one = descriptor(
      keyOf(key) + keyOf(next, 'encryption') + service('HTTP-Redirect', 'https://idp.example/sso'),
    );
    const list = (all: string): string =>
      `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${all}</md:EntitiesDescriptor>`;
    expect(readMetadata(list(one)).certificates).toHaveLength(1);
    expect(() => readMetadata(list(one + one))).toThrow('several identity providers');
  });

  test.each([
    ['not_xml', () => 'hello'],
    ['doctype', () => `<!DOCTYPE x SYSTEM "http://127.0.0.1:1/">${descriptor('')}`],
    ['doctype', () => `<!DOC<!-- -->TYPE x [<!ENTITY a "b">]>${descriptor('')}`],
    ['structure', () => '<x/>'],
    ['structure', () => descriptor(keyOf(key))],
    ['structure', () => descriptor(service('HTTP-Redirect', 'https://idp.example/sso'))],
    [
      'structure',
      () => descriptor(`${keyOf(key).replace(/MII/, 'AAA')}${service('HTTP-Redirect', 'https://idp.example')}`),
    ],
    ['comment', () => descriptor('<!--'.repeat(200_000))],
    ['too_large', () => descriptor(' '.repeat(1_100_000))],
    ['too_large', () => descriptor('<a/>'.repeat(30_000))],
  ])('that do not help: %s', (reason, text) => {
    expect(() => readMetadata(text())).toThrow(SamlRefusal);
    expect(() => readMetadata(text())).toThrow(expect.objectContaining({ reason }));
  });
});

describe('certificates', () => {
  test('in PEM or bare, each once', () => {
    const pem = key.certificate;
    const [facts] = readCertificates(`${pem}\nand again\n${pem}`);
    expect(readCertificates(bareCertificate(pem))).toEqual([facts]);
    expect(facts).toMatchObject({ subject: 'idp.example', fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}/) });
    expect(Date.parse(facts?.expiresAt ?? '')).toBeGreaterThan(Date.now() + 28 * 86_400_000);
  });

  test.each([
    '',
    'hello',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    '-----BEGIN PRIVATE KEY-----',
  ])('no certificate: %s', (text) => expect(() => readCertificates(text)).toThrow('must'));
});

test('our metadata have our name, address and key, and can be read', async () => {
  const { certificate } = await makeOwnKey(Date.now());
  const side = { entityId: 'https://culprit.example/m?a=1&b="2"', acs: 'https://culprit.example/acs' };
  const text = ownMetadata({
    ...side,
    nameIdFormat: names.persistent,
    signsRequests: true,
    wantsAssertionSigned: false,
    certificate,
  });
  const { root } = readXml(Buffer.from(text));
  expect(root.getAttribute('entityID')).toBe(side.entityId);
  expect(text.match(/<ds:X509Certificate>/g)).toHaveLength(2);
  expect(text).toContain(`Location="${side.acs}"`);
});

describe('a request', () => {
  const request = {
    id: requestIdOf('a'.repeat(43)),
    ssoUrl: 'https://idp.example/sso?tenant=7',
    acs: 'https://culprit.example/acs',
    entityId: 'https://culprit.example/metadata',
    nameIdFormat: names.persistent,
    now: Date.parse('2026-11-26T12:00:00Z'),
  };

  test('says who asks, and where the response goes', async () => {
    const url = await requestUrl(request);
    expect(url.searchParams.get('tenant')).toBe('7');
    const xml = inflateRawSync(Buffer.from(url.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    expect(xml).toContain(`ID="_${'a'.repeat(43)}"`);
    expect(xml).toContain(`AssertionConsumerServiceURL="${request.acs}"`);
    expect(xml).toContain(`>${request.entityId}</saml:Issuer>`);
    expect(readXml(Buffer.from(xml)).root.getAttribute('Destination')).toBe(request.ssoUrl);
    expect([...url.searchParams.keys()]).toEqual(['tenant', 'SAMLRequest']);
  });

  test('is signed over the query as it is sent', async () => {
    const { privateKey, certificate } = await makeOwnKey(Date.now());
    const url = await requestUrl({ ...request, privateKey });
    const [signed = ''] = /SAMLRequest=.*(?=&Signature=)/.exec(url.href) ?? [];
    const signature = url.searchParams.get('Signature') ?? '';
    expect(createVerify('sha256').update(signed).verify(certificate, signature, 'base64')).toBe(true);
    expect(url.searchParams.get('SigAlg')).toMatch(/rsa-sha256$/);
  });

  test('is known by an ID of ours', () => {
    expect(stateOf(request.id)).toBe('a'.repeat(43));
    for (const strange of ['', '_', 'x'.repeat(44), `_${'a'.repeat(42)}`, `_${'a'.repeat(42)}'`]) {
      expect(stateOf(strange)).toBeUndefined();
    }
  });
});

describe('settings', () => {
  const sent = (): Record<string, string> => ({
    entityId: 'https://idp.example',
    ssoUrl: 'https://idp.example/sso',
    certificates: `${key.certificate}${next.certificate}`,
  });

  test('are what is safe unless something else is set', () => {
    expect(readSettings(checkSettings('saml', sent()))).toMatchObject({
      certificates: [expect.any(String), expect.any(String)],
      signed: 'either',
      signRequests: false,
      idpInitiated: false,
      skewMs: 60_000,
      nameIdFormat: names.persistent,
    });
  });

  test.each<Record<string, string>>([
    { entityId: '' },
    { ssoUrl: 'javascript:alert(1)' },
    { ssoUrl: 'https://user:word@idp.example/' },
    { certificates: 'none' },
    { signed: 'none' },
    { nameIdFormat: 'transient' },
    { skewSeconds: '301' },
    { skewSeconds: '-1' },
    { idpInitiated: 'maybe' },
    { unknown: '1' },
    { privateKey: 'mine' },
    { certificate: 'mine' },
  ])('that are refused: %o', (more) => {
    expect(() => checkSettings('saml', { ...sent(), ...more })).toThrow(CodedError);
  });

  test('our key stays when others change', () => {
    const before = { ...checkSettings('saml', sent()), privateKey: 'key', certificate: 'cert' };
    expect(checkSettings('saml', { certificate: 'cert' }, before)).toMatchObject(before);
    expect(() => checkSettings('saml', { certificate: 'other' }, before)).toThrow(CodedError);
    expect(checkSettings('saml', { skewSeconds: '120' }, before)).toMatchObject({
      privateKey: 'key',
      skewSeconds: '120',
    });
  });
});
