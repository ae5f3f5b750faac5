import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteScimToken, provisioningQuery, type ScimToken } from '../../features/security/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/provisioning.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { AddIcon } from '../../ui/icons.ts';
import { KeyValue, Pair } from '../../ui/KeyValue.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { toast } from '../../ui/toasts.ts';
import { NewScimToken } from './NewScimToken.tsx';
import { ScimTokenRow } from './ScimTokenRow.tsx';

/** By which address and tokens a directory provisions the organisation. */
export function ProvisioningSection() {
  const org = useOrg();
  const queries = useQueryClient();
  const provisioning = useQuery(provisioningQuery(org));
  const [creating, setCreating] = useState(false);
  const [fresh, setFresh] = useState<{ readonly token: string; readonly name: string }>();
  const [deleting, setDeleting] = useState<ScimToken>();
  const remove = useMutation({
    mutationFn: (id: string) => deleteScimToken(org, id),
    onSuccess: async () => {
      setDeleting(undefined);
      await queries.invalidateQueries({ queryKey: ['provisioning', org] });
      toast(m.removed);
    },
  });
  return (
    <Section
      title={m.title}
      note={m.note}
      actions={
        !creating && (
          <Button size="small" icon={<AddIcon size={14} />} onClick={() => setCreating(true)}>
            {m.newToken}
          </Button>
        )
      }
    >
      {creating && (
        <NewScimToken
          onCancel={() => setCreating(false)}
          onCreated={(created) => {
            setFresh(created);
            setCreating(false);
          }}
        />
      )}
      {fresh && (
        <Notice tone="ok" says="status">
          <p>{m.ready({ name: <strong translate="no">{fresh.name}</strong> })}</p>
          <CopyLine text={fresh.token} label={m.copyToken} />
        </Notice>
      )}
      <QueryView query={provisioning} loading={m.loading} failed={m.failed} rows={2} height={44}>
        {({ baseUrl, users, groups, tokens }) => (
          <>
            <KeyValue>
              <Pair name={m.address}>
                <CopyLine text={baseUrl} label={m.copyAddress} />
              </Pair>
              <Pair name={m.provisioned}>{m.counts({ users, groups })}</Pair>
            </KeyValue>
            {tokens.length > 0 && (
              <DataList label={m.tokens}>
                {tokens.map((token) => (
                  <ScimTokenRow key={token.id} token={token} onDelete={() => setDeleting(token)} />
                ))}
              </DataList>
            )}
          </>
        )}
      </QueryView>
      {deleting && (
        <Confirm
          title={m.removeAsk({ name: deleting.name })}
          action={m.removeToken}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.id)}
          onClose={() => setDeleting(undefined)}
        >
          <p>{m.removeWhat}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </Section>
  );
}
