/** Assertions that are encrypted for a key of ours (XML Encryption 1.1), where they were made as it should be done today. */
import { samlTexts } from '../../../base/texts/saml.ts';
import { decrypt } from 'xml-encryption';
import { refuse, SamlRefusal } from './refusal.ts';
import { algorithmOf } from './structure.ts';
import { childrenNamed, type Element, elementsIn, ns, type Read, readXml } from './xml.ts';

const { found } = samlTexts;

/** CBC is what ADFS and Entra ID send. What it lets a stranger ask of us, each answer costs them a request that is used up. */
const contentMethods: ReadonlySet<string> = new Set([
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
]);
/** PKCS #1 v1.5 tells who asks often enough what the key is. */
const keyMethods: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  'http://www.w3.org/2009/xmlenc11#rsa-oaep',
]);

/** Throws `SamlRefusal`; for what does not open it says no more than that. */
export async function decryptedAssertion(encrypted: Element, key: string | undefined): Promise<Read> {
  if (key === undefined) return refuse('encryption', found.keyGone);
  const [data] = childrenNamed(encrypted, ns.encryption, 'EncryptedData');
  const of = (name: string): Element[] =>
    elementsIn(encrypted).filter((element) => element.namespaceURI === ns.encryption && element.localName === name);
  const keys = of('EncryptedKey');
  if (!data || of('EncryptedData').length !== 1 || keys.length !== 1) refuse('structure', found.notOneKey);
  const method = (parent: Element | undefined): string =>
    algorithmOf(parent && childrenNamed(parent, ns.encryption, 'EncryptionMethod')[0]);
  if (!contentMethods.has(method(data))) refuse('algorithm', method(data));
  if (!keyMethods.has(method(keys[0]))) refuse('algorithm', method(keys[0]));
  const text = await new Promise<string>((resolve, reject) => {
    // Which methods are good enough is decided above.
    const options = { key, warnInsecureAlgorithm: false, disallowDecryptionWithInsecureAlgorithm: false };
    decrypt(encrypted.toString(), options, (error, result) => {
      if (error) reject(new SamlRefusal('encryption', found.otherKey, { cause: error }));
      else resolve(result);
    });
  });
  return readXml(Buffer.from(text));
}
