import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  cancelErasure,
  type Erasure,
  erasuresQuery,
  exportErasure,
  filePath,
  isCancellable,
} from '../../features/erasures/queries.ts';
import { countText, kindName, totalOf } from '../../features/erasures/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/erase.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { DownloadIcon } from '../../ui/icons.ts';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { lazily } from '../../ui/lazily.tsx';
import { CertificateView } from './CertificateView.tsx';

const ConfirmErase = lazily(async () => (await import('./ConfirmErase.tsx')).ConfirmErase);

/** One request: how far it is, what it found, and what can be done with that. */
export function RequestRow({ request }: { readonly request: Erasure }) {
  const org = useOrg();
  const queries = useQueryClient();
  const [shown, setShown] = useState<'confirm' | 'certificate'>();
  const again = () => queries.invalidateQueries({ queryKey: erasuresQuery(org).queryKey });
  const write = useMutation({ mutationFn: () => exportErasure(org, request.id), onSettled: again });
  const cancel = useMutation({ mutationFn: () => cancelErasure(org, request.id), onSettled: again });
  const { id, reference, status, step, progress, found, fileBytes, detail } = request;
  const isFound = status === 'found' && found !== null;
  const total = found ? totalOf(found) : 0;
  return (
    <DataRow
      title={
        <>
          <strong translate="no">{reference}</strong> <Flag kind="plain">{m.statuses[status]}</Flag>
        </>
      }
      facts={
        <Facts>
          <Time at={request.dateCreated} />
          {step}
        </Facts>
      }
      actions={
        <>
          {request.hasCertificate && (
            <Button
              size="small"
              aria-expanded={shown === 'certificate'}
              aria-label={m.certificateOf({ reference })}
              onClick={() => setShown(shown === 'certificate' ? undefined : 'certificate')}
            >
              {m.certificate}
            </Button>
          )}
          {isCancellable(request) && (
            <Button
              size="small"
              variant="ghost"
              busy={cancel.isPending}
              aria-label={m.cancelOf({ reference })}
              onClick={() => cancel.mutate()}
            >
              {m.cancel}
            </Button>
          )}
        </>
      }
    >
      <FormError error={write.error ?? cancel.error} />
      {step !== '' && <progress aria-label={m.progressOf({ reference })} value={progress ?? undefined} max={1} />}
      {detail !== '' && (
        <Text as="p" tone="error">
          {detail}
        </Text>
      )}
      {isFound && (
        <Stack gap={8}>
          {total === 0 ? (
            <Text as="p">{m.foundNothing}</Text>
          ) : (
            <KeyValue label={m.foundOf({ reference })} compact>
              {found.map((one) => (
                <Pair key={one.kind} name={kindName(one.kind)}>
                  {countText(one)}
                </Pair>
              ))}
            </KeyValue>
          )}
          {total > 0 && (
            <Inline>
              <Button size="small" variant="danger" onClick={() => setShown('confirm')}>
                {m.erase}
              </Button>
              {fileBytes > 0 ? (
                <a href={filePath(org, id)} download={`person-${id}.jsonl`} className={buttonClass('normal', 'small')}>
                  <DownloadIcon size={14} /> {m.downloadExport}
                </a>
              ) : (
                <Button size="small" busy={write.isPending} onClick={() => write.mutate()}>
                  {m.exportFound}
                </Button>
              )}
            </Inline>
          )}
        </Stack>
      )}
      {shown === 'certificate' && <CertificateView id={id} />}
      {shown === 'confirm' && <ConfirmErase request={request} total={total} onClose={() => setShown(undefined)} />}
    </DataRow>
  );
}
