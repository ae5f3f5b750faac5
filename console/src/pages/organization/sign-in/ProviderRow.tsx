import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Provider, testProvider, verifyDomains } from '../../../features/providers/queries.ts';
import { useOrg } from '../../../features/session/organization.ts';
import * as m from '../../../messages/sign-in-providers.ts';
import { Button } from '../../../ui/Button.tsx';
import { CopyLine } from '../../../ui/CopyLine.tsx';
import { DataRow } from '../../../ui/DataList.tsx';
import { Flag } from '../../../ui/Flag.tsx';
import { FormError } from '../../../ui/FormError.tsx';
import { Inline, Stack } from '../../../ui/Layout.tsx';
import { Facts, Text } from '../../../ui/Text.tsx';
import { Time } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts.ts';
import { CertificateEnd } from './SamlCertificates.tsx';
import { TestOutcome } from './TestOutcome.tsx';

/** A provider, whether people get in through it, and what its domains wait for. */
export function ProviderRow({
  provider,
  onEdit,
  onDelete,
}: {
  readonly provider: Provider;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
}) {
  const org = useOrg();
  const { id, name, kind, domains, enabled, required, people, lastUsed, problem, problemAt } = provider;
  const test = useMutation({ mutationFn: () => testProvider(org, { kind, settings: {}, id }) });
  const waiting = domains.filter(({ verified }) => !verified);
  return (
    <DataRow
      title={
        <>
          <strong translate="no">{name}</strong> {!enabled && <Flag kind="plain">{m.disabled}</Flag>}{' '}
          {required && <Flag kind="plain">{m.required}</Flag>}
        </>
      }
      facts={
        <>
          <Facts>
            {m.kinds[kind]}
            {domains.length > 0 ? (
              <span translate="no">{domains.map(({ domain }) => domain).join(', ')}</span>
            ) : (
              <Text tone="error">{m.noDomains}</Text>
            )}
            {m.people({ count: people })}
            {lastUsed && m.lastUsed({ when: <Time at={lastUsed} /> })}
          </Facts>
          {provider.saml && <CertificateEnd certificates={provider.saml.certificates} />}
          {problem && problemAt && (
            <Text tone="error" small>
              {m.problem({ when: <Time at={problemAt} />, reason: <span translate="no">{problem}</span> })}
            </Text>
          )}
        </>
      }
      end={
        <Inline gap={4}>
          <Button
            size="small"
            variant="ghost"
            aria-label={m.testOf({ name })}
            busy={test.isPending}
            onClick={() => test.mutate()}
          >
            {m.test}
          </Button>
          <Button size="small" variant="ghost" aria-label={m.editOf({ name })} onClick={onEdit}>
            {m.edit}
          </Button>
          <Button size="small" variant="ghost" aria-label={m.removeOf({ name })} onClick={onDelete}>
            {m.remove}
          </Button>
        </Inline>
      }
    >
      {(waiting.length > 0 || test.data || test.error) && (
        <Stack gap={12}>
          {test.data && <TestOutcome result={test.data} />}
          <FormError error={test.error} />
          {waiting.length > 0 && <Records provider={provider} />}
        </Stack>
      )}
    </DataRow>
  );
}

/** What has to stand in DNS before people of a domain can sign in. */
function Records({ provider: { id, domains } }: { readonly provider: Provider }) {
  const org = useOrg();
  const queries = useQueryClient();
  const waiting = domains.filter(({ verified }) => !verified);
  const verify = useMutation({
    mutationFn: () => verifyDomains(org, id),
    onSuccess: async (after) => {
      const left = after.domains.filter(({ verified }) => !verified).length;
      toast(m.verified({ count: waiting.length - left }));
      await queries.invalidateQueries({ queryKey: ['sign-in-providers', org] });
    },
  });
  return (
    <>
      {waiting.map(
        ({ domain, record }) =>
          record && (
            <Stack key={domain} gap={4}>
              <Text small>{m.unverified({ domain })}</Text>
              <CopyLine text={record.name} label={m.copyRecord} />
              <CopyLine text={record.value} label={m.copyValue} />
            </Stack>
          ),
      )}
      <Inline>
        <Button size="small" busy={verify.isPending} onClick={() => verify.mutate()}>
          {m.verify}
        </Button>
      </Inline>
      <FormError error={verify.error} />
    </>
  );
}
