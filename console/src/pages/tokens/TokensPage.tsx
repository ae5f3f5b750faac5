import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AddIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { expiryOf } from '../../features/tokens/expiry.ts';
import { deleteToken, tokensQuery, type ApiToken } from '../../features/tokens/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { NewToken } from './NewToken.tsx';

const toneOf = { far: 'faint', soon: 'warning', over: 'error' } as const;

function Expires({ at }: { readonly at: string | null }) {
  const { text, kind } = expiryOf(at, useNow());
  return <Text tone={toneOf[kind]}>{text}</Text>;
}

/** Tokens for sentry-cli, bundler plugins and scripts. */
export function TokensPage() {
  useTitle('API tokens', 'Settings');
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
      toast('Token deleted');
    },
  });
  return (
    <>
      <SettingsBar />
      <Column>
        <Section
          title="API tokens"
          note={`For sentry-cli, bundler plugins and scripts that work in ${organization.name}. Send as “Authorization: Bearer …”.`}
          actions={
            !creating && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => setCreating(true)}>
                New token
              </Button>
            )
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
              <p>
                <strong>{fresh.name}</strong> is ready. Copy it now: it is not stored and cannot be shown again.
              </p>
              <Inline>
                <code>{fresh.token}</code>
                <CopyButton text={fresh.token} label="Copy token" />
              </Inline>
            </Notice>
          )}
          <QueryView
            query={tokens}
            loading="Loading tokens"
            failed="The tokens could not be loaded"
            empty={!creating && <Nothing>No token yet.</Nothing>}
          >
            {(all) => (
              <DataList>
                {all.map((token) => (
                  <DataRow
                    key={token.id}
                    title={
                      <>
                        <strong>{token.name}</strong>{' '}
                        <Text tone="faint">
                          <code>…{token.tokenLastCharacters}</code>
                        </Text>
                      </>
                    }
                    facts={
                      <Facts>
                        {token.kind === 'organization'
                          ? `of the organisation, for builds; made by ${token.createdBy.name}${token.createdBy.isMember ? '' : ', who has left'}`
                          : token.scopes.join(', ')}
                      </Facts>
                    }
                    end={
                      <>
                        <Expires at={token.expiresAt} />
                        <span>
                          {token.dateLastUsed ? (
                            <>
                              used <Time at={token.dateLastUsed} />
                            </>
                          ) : (
                            'never used'
                          )}
                        </span>
                      </>
                    }
                    actions={
                      <Button
                        size="small"
                        variant="ghost"
                        aria-label={`Delete ${token.name}`}
                        onClick={() => setDeleting(token)}
                      >
                        Delete
                      </Button>
                    }
                  />
                ))}
              </DataList>
            )}
          </QueryView>
        </Section>
      </Column>
      {deleting && (
        <Confirm
          title={`Delete ${deleting.name}?`}
          action="Delete token"
          busy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.id)}
          onClose={() => setDeleting(undefined)}
        >
          <p>Whatever uses it stops working at once, and so do tokens that it made.</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </>
  );
}
