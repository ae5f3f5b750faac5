import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AddIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useState } from 'react';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { expiryOf } from '../../features/tokens/expiry.ts';
import { deleteToken, tokensQuery, type ApiToken } from '../../features/tokens/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Card, Column, Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { NewToken } from './NewToken.tsx';
import styles from './TokensPage.module.css';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));

function Expires({ at }: { readonly at: string | null }) {
  const { text, kind } = expiryOf(at, useNow());
  return <span data-expiry={kind}>{text}</span>;
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
            <output className={styles.fresh}>
              <p>
                <strong>{fresh.name}</strong> is ready. Copy it now: it is not stored and cannot be shown again.
              </p>
              <div className={styles.token}>
                <code>{fresh.token}</code>
                <CopyButton text={fresh.token} label="Copy token" />
              </div>
            </output>
          )}
          {tokens.isPending ? (
            <Skeleton rows={3} height={56} label="Loading tokens" />
          ) : tokens.isError ? (
            <ErrorState
              error={tokens.error}
              retry={() => void tokens.refetch()}
              what="The tokens could not be loaded"
            />
          ) : tokens.data.length === 0 ? (
            !creating && <p className={styles.none}>No token yet.</p>
          ) : (
            <Card>
              <ul>
                {tokens.data.map((token) => (
                  <li key={token.id} className={styles.row}>
                    <div className={styles.what}>
                      <span>
                        <strong>{token.name}</strong> <code className={styles.hint}>…{token.tokenLastCharacters}</code>
                      </span>
                      <span className={styles.scopes}>
                        {token.kind === 'organization'
                          ? `of the organisation, for builds; made by ${token.createdBy.name}${token.createdBy.isMember ? '' : ', who has left'}`
                          : token.scopes.join(', ')}
                      </span>
                    </div>
                    <div className={styles.when}>
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
                    </div>
                    <Button
                      size="small"
                      variant="ghost"
                      aria-label={`Delete ${token.name}`}
                      onClick={() => setDeleting(token)}
                    >
                      Delete
                    </Button>
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </Section>
      </Column>
      <Suspense>
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
      </Suspense>
    </>
  );
}
