import { samlAddresses } from '../../../features/providers/saml.ts';
import type { Provider } from '../../../features/providers/queries.ts';
import * as m from '../../../messages/saml.ts';
import { buttonClass } from '../../../ui/Button.tsx';
import { CopyLine } from '../../../ui/CopyLine.tsx';
import { fieldLabelClass } from '../../../ui/Field.tsx';
import { FieldRow } from '../../../ui/Form.tsx';
import { Inline, Stack } from '../../../ui/Layout.tsx';
import { Text } from '../../../ui/Text.tsx';

/** What the provider has to know of us. */
export function SamlAddresses({ id, provider }: { readonly id: string; readonly provider: Provider | undefined }) {
  const { entityId, acsUrl } = provider?.saml ?? samlAddresses(id);
  return (
    <Stack gap={8}>
      <FieldRow>
        <Stack gap={4}>
          <span className={fieldLabelClass}>{m.entityId}</span>
          <CopyLine text={entityId} label={m.copyEntityId} />
        </Stack>
        <Stack gap={4}>
          <span className={fieldLabelClass}>{m.acsUrl}</span>
          <CopyLine text={acsUrl} label={m.copyAcsUrl} />
        </Stack>
      </FieldRow>
      <Text tone="faint" small>
        {provider ? m.metadataNow : m.metadataLater}
      </Text>
      {provider && (
        <Inline>
          <a href={entityId} download="culprit-metadata.xml" className={buttonClass('normal', 'small')}>
            {m.download}
          </a>
        </Inline>
      )}
    </Stack>
  );
}
