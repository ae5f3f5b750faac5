import { useQuery } from '@tanstack/react-query';
import { certificatePath, certificateQuery } from '../../features/erasures/queries.ts';
import { kindName } from '../../features/erasures/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/erase.ts';
import { buttonClass } from '../../ui/Button.tsx';
import { DownloadIcon } from '../../ui/icons.ts';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { exactNumber } from '../../ui/numbers.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** What was removed, what had left before, and what stays. */
export function CertificateView({ id }: { readonly id: string }) {
  const org = useOrg();
  const certificate = useQuery(certificateQuery(org, id));
  return (
    <QueryView query={certificate} loading={m.loadingCertificate} failed={m.certificateFailed} rows={4} height={24}>
      {({ removed, left, remains, foundAfter, dateFinished }) => (
        <Stack gap={8}>
          <KeyValue label={m.certificate} compact>
            <Pair name={m.finished}>
              <Time at={dateFinished} />
            </Pair>
            {removed.map(({ kind, count }) => (
              <Pair key={kind} name={m.removed({ kind: kindName(kind) })}>
                {exactNumber(count)}
              </Pair>
            ))}
            {left.deliveries.map(({ kind, channel, count }) => (
              <Pair key={`${kind} ${channel}`} name={m.leftBy({ channel })}>
                {exactNumber(count)}
              </Pair>
            ))}
            {left.mirrors.map(({ project, forwarded }) => (
              <Pair key={project} name={m.leftMirror({ project })}>
                {m.forwarded({ count: forwarded })}
              </Pair>
            ))}
            {left.auditStream && <Pair name={m.leftAudit}>{m.yes}</Pair>}
            <Pair name={m.foundAfter}>{exactNumber(foundAfter)}</Pair>
          </KeyValue>
          <ul>
            {remains.map((sentence) => (
              <li key={sentence}>
                <Text small>{sentence}</Text>
              </li>
            ))}
          </ul>
          <Inline>
            <a
              href={certificatePath(org, id)}
              download={`erasure-${id}.json`}
              className={buttonClass('normal', 'small')}
            >
              <DownloadIcon size={14} /> {m.downloadCertificate}
            </a>
          </Inline>
        </Stack>
      )}
    </QueryView>
  );
}
