import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AddIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { channelsQuery, deleteChannel, mailQuery, type Channel } from '../../features/channels/queries.ts';
import { slackQuery } from '../../features/channels/slack.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import * as m from '../../messages/channels.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { ChannelForm } from './ChannelForm.tsx';
import { ChannelRow } from './ChannelRow.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import { none } from './empty.ts';
import { SlackSection } from './SlackSection.tsx';

const route = getRouteApi('/shell/settings/channels');

/** Where alerts go, whether they arrive there, and the deliveries. */
export function ChannelsPage() {
  useTitle(m.title, m.settings);
  const org = useOrg();
  const mayManage = useSession().organization.access.includes('org:write');
  const queries = useQueryClient();
  const { edit, channel } = route.useSearch();
  const navigate = route.useNavigate();
  const channels = useQuery(channelsQuery(org));
  const mail = useQuery(mailQuery(org));
  const slack = useQuery({ ...slackQuery(org), enabled: mayManage });
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
      toast(m.deleted);
    },
  });
  const hasMail = mail.data?.configured !== false;
  const hasSlack = Boolean(slack.data?.app);
  return (
    <>
      <SettingsBar />
      <Column wide>
        <Section
          title={m.title}
          note={mayManage ? m.note : m.noteReadOnly}
          actions={
            mayManage &&
            edit !== 'new' &&
            Boolean(channels.data?.length) && (
              <Button size="small" icon={<AddIcon size={14} />} onClick={() => show({ edit: 'new' })}>
                {m.add}
              </Button>
            )
          }
        >
          {!hasMail && <Notice tone="warning">{m.noMail}</Notice>}
          {/* Which way it begins with depends on the app. */}
          {mayManage && edit === 'new' && !slack.isPending && (
            <ChannelForm hasMail={hasMail} hasSlack={hasSlack} onDone={close} />
          )}
          <QueryView
            query={channels}
            loading={m.loading}
            failed={m.failed}
            empty={edit !== 'new' && <Empty of={none} onAct={mayManage ? () => show({ edit: 'new' }) : undefined} />}
          >
            {(all) => (
              <DataList label={m.title}>
                {all.map((each) =>
                  mayManage && edit === each.id ? (
                    <li key={each.id}>
                      <ChannelForm channel={each} hasMail={hasMail} hasSlack={hasSlack} onDone={close} />
                    </li>
                  ) : (
                    <ChannelRow
                      key={each.id}
                      channel={each}
                      isShown={channel === each.id}
                      mayManage={mayManage}
                      onEdit={() => show({ edit: each.id })}
                      onDelete={() => setDeleting(each)}
                      onLog={() => show({ channel: channel === each.id ? undefined : each.id })}
                    />
                  ),
                )}
              </DataList>
            )}
          </QueryView>
        </Section>
        {mayManage && (
          <SlackSection
            slack={slack}
            isEditing={edit === 'slack'}
            onEdit={() => show({ edit: 'slack' })}
            onDone={close}
            onAddChannel={() => show({ edit: 'new' })}
          />
        )}
        <DeliveryLog
          channel={channels.data?.find(({ id }) => id === channel)}
          mayManage={mayManage}
          onAll={() => show({ channel: undefined })}
        />
      </Column>
      {deleting && (
        <Confirm
          title={m.deleteTitle({ name: deleting.name })}
          action={m.deleteButton}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.id)}
          onClose={() => setDeleting(undefined)}
        >
          <p>{m.deleteHint}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </>
  );
}
