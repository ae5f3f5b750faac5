import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { AddIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { deleteToken, tokensQuery, type ApiToken } from '../../features/tokens/queries.ts';
import * as m from '../../messages/tokens.ts';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { none } from './empty.ts';
import { NewToken } from './NewToken.tsx';
import { TokenRow } from './TokenRow.tsx';

/** Tokens for sentry-cli, bundler plugins and scripts. */
export function TokensPage() {
  useTitle(m.title, m.settings);
  const org = useOrg();
  const { organization } = useSession();
  const queries = useQueryClient();
  const tokens = useQuery(tokensQuery(org));
  const [creating, setCreating] = useState(false);
  const [fresh, setFresh] = useState<{ token: string; name: string }>();
  const [deleting, setDeleting] = useState<ApiToken>();
  const remove = useMutation({
    mutationFn: (id: string) => deleteToken(org, id),
    onSuccess: async () => {
      setDeleting(undefined);
      await queries.invalidateQueries({ queryKey: ['tokens', org] });
      toast(m.removed);
    },
  });
  return (
    <>
      <SettingsBar />
      <Column>
        <Section
          title={m.title}
          note={m.hint({ organization: organization.name })}
          actions={
            <>
              <Link to="/settings/api-explorer" className={buttonClass('normal', 'small')}>
                {m.explorer}
              </Link>
              {!creating && Boolean(tokens.data?.length) && (
                <Button size="small" icon={<AddIcon size={14} />} onClick={() => setCreating(true)}>
                  {m.newToken}
                </Button>
              )}
            </>
          }
        >
          {creating && (
            <NewToken
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
              <CopyLine text={fresh.token} label={m.copy} />
            </Notice>
          )}
          <QueryView
            query={tokens}
            loading={m.loading}
            failed={m.failed}
            empty={!creating && <Empty of={none} onAct={() => setCreating(true)} />}
          >
            {(all) => (
              <DataList>
                {all.map((token) => (
                  <TokenRow key={token.id} token={token} onDelete={() => setDeleting(token)} />
                ))}
              </DataList>
            )}
          </QueryView>
        </Section>
      </Column>
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
    </>
  );
}
