import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AddIcon } from '../../ui/icons.ts';
import { lazy, Suspense, useState } from 'react';
import { channelsQuery, deleteChannel, mailQuery, type Channel } from '../../features/channels/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Card, Column, Section } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/State.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { ChannelForm } from './ChannelForm.tsx';
import { ChannelRow } from './ChannelRow.tsx';
import styles from './ChannelsPage.module.css';
import { DeliveryLog } from './DeliveryLog.tsx';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));

const route = getRouteApi('/shell/settings/channels');

/** Where alerts go, whether they arrive there, and what went out. */
export function ChannelsPage() {
  useTitle('Channels', 'Settings');
  const org = useOrg();
  const mayManage = useSession().organization.access.includes('org:write');
  const queries = useQueryClient();
  const { edit, channel } = route.useSearch();
  const navigate = route.useNavigate();
  const channels = useQuery(channelsQuery(org));
  const mail = useQuery(mailQuery(org));
  const [deleting, setDeleting] = useState<Channel>();
  const show = (search: { edit?: string | undefined; channel?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...search }), resetScroll: false });
  const close = (): void => show({ edit: undefined });
  const remove = useMutation({
    mutationFn: (id: string) => deleteChannel(org, id),
    onSuccess: async () => {
      setDeleting(undefined);
      show({ channel: undefined });
      await queries.invalidateQueries({ queryKey: ['channels', org] });
      toast('Channel deleted');
    },
  });
  const hasMail = mail.data?.configured !== false;
  return (
    <>
      <SettingsBar />
      <Column wide>
        <Section
          title="Channels"
          note={
            mayManage
              ? 'Where alerts and digests go. Each of them can be tried out before it is needed.'
              : 'Where alerts and digests go. Owners and admins add and change channels.'
          }
          actions={
            mayManage &&
            edit !== 'new' && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => show({ edit: 'new' })}>
                Add channel
              </Button>
            )
          }
        >
          {!hasMail && (
            <p className={styles.notice}>
              This installation sends no mail yet. Its owner sets <code>CULPRIT_SMTP_URL</code>, for example{' '}
              <code>smtp://user:password@mail.example.com:587</code>, and starts it again. All other channels work
              without.
            </p>
          )}
          {mayManage && edit === 'new' && <ChannelForm hasMail={hasMail} onDone={close} />}
          {channels.isPending ? (
            <Skeleton rows={3} height={56} label="Loading channels" />
          ) : channels.isError ? (
            <ErrorState
              error={channels.error}
              retry={() => void channels.refetch()}
              what="The channels could not be loaded"
            />
          ) : channels.data.length === 0 ? (
            edit !== 'new' && (
              <EmptyState title="No channel yet">
                <p>Alert rules need somewhere to go: a chat, a pager, a list of addresses, or a program of your own.</p>
              </EmptyState>
            )
          ) : (
            <Card>
              <ul aria-label="Channels">
                {channels.data.map((each) => (
                  <li key={each.id} className={styles.row}>
                    {mayManage && edit === each.id ? (
                      <ChannelForm channel={each} hasMail={hasMail} onDone={close} />
                    ) : (
                      <ChannelRow
                        channel={each}
                        isShown={channel === each.id}
                        mayManage={mayManage}
                        onEdit={() => show({ edit: each.id })}
                        onDelete={() => setDeleting(each)}
                        onLog={() => show({ channel: channel === each.id ? undefined : each.id })}
                      />
                    )}
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </Section>
        <DeliveryLog
          channel={channels.data?.find(({ id }) => id === channel)}
          mayManage={mayManage}
          onAll={() => show({ channel: undefined })}
        />
      </Column>
      <Suspense>
        {deleting && (
          <Confirm
            title={`Delete ${deleting.name}?`}
            action="Delete channel"
            busy={remove.isPending}
            onConfirm={() => remove.mutate(deleting.id)}
            onClose={() => setDeleting(undefined)}
          >
            <p>Rules that use it no longer send anything there, and its log goes with it.</p>
            <FormError error={remove.error} />
          </Confirm>
        )}
      </Suspense>
    </>
  );
}
