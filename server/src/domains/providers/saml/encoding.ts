import { samlTexts } from '../../../base/texts/saml.ts';
import { maxResponseBytes } from './limits.ts';
import { refuse } from './refusal.ts';

const { found } = samlTexts;

/** What the form of the POST binding has, as bytes. Throws `SamlRefusal`. */
export function decodeResponse(text: string): Buffer {
  const bare = text.replace(/\s+/g, '');
  if (bare.length > Math.ceil(maxResponseBytes / 3) * 4) refuse('too_large', found.tooLong(maxResponseBytes));
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(bare)) refuse('not_xml', found.notBase64);
  return Buffer.from(bare, 'base64');
}
