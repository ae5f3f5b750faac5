import type { SamlCertificate } from '../../../features/providers/queries.ts';
import { endingCertificate } from '../../../features/providers/saml.ts';
import * as m from '../../../messages/saml.ts';
import { localDay } from '../../../ui/relative-time.ts';
import { Text } from '../../../ui/Text.tsx';
import { Time, useNow } from '../../../ui/Time.tsx';

/** Whose they are, and until when. */
export function SamlCertificates({ certificates }: { readonly certificates: readonly SamlCertificate[] }) {
  const now = useNow();
  return certificates.map(({ subject, expiresAt, fingerprint }) => {
    const end = Date.parse(expiresAt);
    const words = { subject, day: localDay(end) };
    return (
      <Text key={fingerprint} as="p" tone={end <= now ? 'error' : 'faint'} small>
        {end <= now ? m.expired(words) : m.validUntil(words)}
      </Text>
    );
  });
}

/** Said where the last of them ends soon, or has. */
export function CertificateEnd({ certificates }: { readonly certificates: readonly SamlCertificate[] }) {
  const ending = endingCertificate(certificates, useNow());
  if (!ending) return null;
  const when = <Time at={ending.expiresAt} />;
  return (
    <Text tone={ending.isOver ? 'error' : 'warning'} small>
      {ending.isOver ? m.certificateEnded({ when }) : m.certificateEnds({ when })}
    </Text>
  );
}
