import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { readSamlMetadata, type SamlMetadata as Metadata } from '../../../features/providers/queries.ts';
import { useOrg } from '../../../features/session/organization.ts';
import * as m from '../../../messages/saml.ts';
import { Button } from '../../../ui/Button.tsx';
import { chooseFile } from '../../../ui/choose-file.ts';
import { TextArea } from '../../../ui/Field.tsx';
import { FormError } from '../../../ui/FormError.tsx';
import { Inline, Stack } from '../../../ui/Layout.tsx';
import { Notice } from '../../../ui/Notice.tsx';

/** As much as the server reads, and one byte more. */
const maxBytes = 1024 * 1024 + 1;

/** Fills in what the metadata of the provider say, from XML, a file or its address. */
export function SamlMetadata({ onRead }: { readonly onRead: (metadata: Metadata) => void }) {
  const org = useOrg();
  const area = useRef<HTMLTextAreaElement>(null);
  const read = useMutation({
    mutationFn: (text: string) => readSamlMetadata(org, /^https?:\S+$/i.test(text) ? { url: text } : { xml: text }),
    onSuccess: onRead,
  });
  const fill = (text: string | undefined): void => {
    if (text?.trim()) read.mutate(text.trim());
  };
  return (
    <Stack gap={8}>
      <TextArea label={m.metadata} hint={m.metadataHint} ref={area} translate="no" spellCheck={false} />
      <Inline>
        <Button size="small" busy={read.isPending} onClick={() => fill(area.current?.value)}>
          {m.fill}
        </Button>
        <Button
          size="small"
          variant="ghost"
          onClick={() => void chooseFile('.xml,application/xml,text/xml', maxBytes).then(fill)}
        >
          {m.choose}
        </Button>
      </Inline>
      {read.data && (
        <Notice tone="ok" says="status">
          {m.filled({ entityId: read.data.entityId })}
        </Notice>
      )}
      <FormError error={read.error} />
    </Stack>
  );
}
