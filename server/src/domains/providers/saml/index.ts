/** What others need of SAML. XML is read by what is loaded when somebody needs it. */
import { CodedError } from '../../../base/errors.ts';
import { OutboundError } from '../../../base/outbound/index.ts';
import { samlTexts } from '../../../base/texts/saml.ts';
import { fetchOutside } from '../outside.ts';
import type { Provider } from '../provider.ts';
import { maxMetadataBytes } from './limits.ts';
import type { ProviderMetadata } from './metadata.ts';
import { SamlRefusal } from './refusal.ts';
import { readSettings } from './settings.ts';
import { ownSide } from './side.ts';

export { maxFormBytes, maxMetadataBytes } from './limits.ts';
export type { Received } from './saml.ts';
export { samlSide } from './side.ts';

/** Ours for this provider, XML. */
export async function samlMetadata(provider: Provider, callback: string): Promise<string> {
  const { ownMetadata } = await import('./metadata.ts');
  const { nameIdFormat, signRequests, signed, certificate } = readSettings(provider.settings);
  return ownMetadata({
    ...ownSide(callback),
    nameIdFormat,
    signsRequests: signRequests,
    wantsAssertionSigned: signed === 'assertion' || signed === 'both',
    certificate,
  });
}

/** A provider's, from its text or address. Throws `INPUT_INVALID`. */
export async function findMetadata(source: {
  readonly xml?: string | undefined;
  readonly url?: string | undefined;
}): Promise<ProviderMetadata> {
  const { readMetadata } = await import('./metadata.ts');
  const xml = source.xml ?? (await fetched(source.url ?? ''));
  try {
    return readMetadata(xml);
  } catch (error) {
    if (!(error instanceof SamlRefusal)) throw error;
    throw new CodedError('INPUT_INVALID', [samlTexts.metadata(error.reason, error.detail)], { cause: error });
  }
}

async function fetched(url: string): Promise<string> {
  try {
    const answer = await fetchOutside(url, { headers: { accept: 'application/samlmetadata+xml' } });
    if (answer.status !== 200) throw new CodedError('INPUT_INVALID', [samlTexts.metadataStatus(answer.status)]);
    return (await answer.text()).slice(0, maxMetadataBytes + 1);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new CodedError('INPUT_INVALID', [samlTexts.metadataUnreachable(error.message)], { cause: error });
  }
}
