/** Encrypts for a certificate without any library that the server reads with. */
import { constants, createCipheriv, publicEncrypt, randomBytes, X509Certificate } from 'node:crypto';
import { names } from './made-response.ts';

const contents = {
  'aes128-gcm': ['http://www.w3.org/2009/xmlenc11#aes128-gcm', 'aes-128-gcm', 16, 12],
  'aes256-gcm': ['http://www.w3.org/2009/xmlenc11#aes256-gcm', 'aes-256-gcm', 32, 12],
  'aes128-cbc': ['http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'aes-128-cbc', 16, 16],
  'aes256-cbc': ['http://www.w3.org/2001/04/xmlenc#aes256-cbc', 'aes-256-cbc', 32, 16],
} as const;
const keys = {
  'rsa-oaep-mgf1p': constants.RSA_PKCS1_OAEP_PADDING,
  'rsa-1_5': constants.RSA_PKCS1_PADDING,
} as const;

export interface EncryptionMethods {
  readonly content?: keyof typeof contents;
  readonly key?: keyof typeof keys;
}

export function encryptedFor(
  certificate: string,
  text: string,
  { content = 'aes256-gcm', key = 'rsa-oaep-mgf1p' }: EncryptionMethods = {},
): string {
  const [method, cipherName, keyBytes, ivBytes] = contents[content];
  const [secret, iv] = [randomBytes(keyBytes), randomBytes(ivBytes)];
  const cipher = createCipheriv(cipherName, secret, iv);
  const body: Uint8Array[] = [iv, cipher.update(text, 'utf8'), cipher.final()];
  if ('getAuthTag' in cipher && content.endsWith('gcm')) body.push((cipher as { getAuthTag(): Buffer }).getAuthTag());
  const wrappedKey = publicEncrypt(
    { key: new X509Certificate(certificate).publicKey, padding: keys[key], oaepHash: 'sha1' },
    secret,
  );
  const xenc = 'http://www.w3.org/2001/04/xmlenc#';
  return (
    `<saml:EncryptedAssertion xmlns:saml="${names.assertion}"><xenc:EncryptedData xmlns:xenc="${xenc}" ` +
    `Type="${xenc}Element"><xenc:EncryptionMethod Algorithm="${method}"></xenc:EncryptionMethod>` +
    `<ds:KeyInfo xmlns:ds="${names.signature}"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${xenc}${key}">` +
    `</xenc:EncryptionMethod><xenc:CipherData><xenc:CipherValue>${wrappedKey.toString('base64')}</xenc:CipherValue>` +
    `</xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo><xenc:CipherData><xenc:CipherValue>` +
    `${Buffer.concat(body).toString('base64')}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>` +
    `</saml:EncryptedAssertion>`
  );
}
