import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { disconnectSlack, type SlackApp, type SlackSetup } from '../../features/channels/slack.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/slack.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { SlackForm, Unreachable } from './SlackForm.tsx';

/** The Slack app: connect it, see whether its buttons work, change its secrets, disconnect it. */
export function SlackSection({
  slack,
  isEditing,
  onEdit,
  onDone,
  onAddChannel,
}: {
  readonly slack: UseQueryResult<SlackSetup>;
  readonly isEditing: boolean;
  readonly onEdit: () => void;
  readonly onDone: () => void;
  readonly onAddChannel: () => void;
}) {
  return (
    <Section
      title={m.title}
      note={m.note}
      actions={
        slack.data?.app === null &&
        !isEditing && (
          <Button size="small" onClick={onEdit}>
            {m.connect}
          </Button>
        )
      }
    >
      <QueryView query={slack} loading={m.loading} failed={m.failed} height={64}>
        {(setup) => (
          <Stack gap={12}>
            {setup.app && (
              <>
                {!setup.reachable && <Unreachable url={setup.requestUrl} />}
                <DataList label={m.title}>
                  <AppRow
                    app={setup.app}
                    channels={setup.channels}
                    isEditing={isEditing}
                    onEdit={onEdit}
                    onAddChannel={onAddChannel}
                  />
                </DataList>
              </>
            )}
            {isEditing ? (
              <SlackForm setup={setup} onDone={onDone} />
            ) : (
              !setup.app && <Nothing>{m.notConnected}</Nothing>
            )}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}

function AppRow({
  app: { team, bot, lastPressed },
  channels,
  isEditing,
  onEdit,
  onAddChannel,
}: {
  readonly app: SlackApp;
  readonly channels: number;
  readonly isEditing: boolean;
  readonly onEdit: () => void;
  readonly onAddChannel: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => disconnectSlack(org),
    onSuccess: async () => {
      setAsking(false);
      await queries.invalidateQueries({ queryKey: ['slack', org] });
      toast(m.disconnected);
    },
  });
  return (
    <>
      <DataRow
        title={<strong translate="no">{team.name}</strong>}
        facts={
          <>
            <Facts>
              {m.postsAs({ bot: <span translate="no">{bot}</span> })}
              {m.channels({ count: channels })}
              {lastPressed && m.pressed({ when: <Time at={lastPressed} /> })}
            </Facts>
            {!lastPressed && (
              <Text tone="faint" small>
                {m.neverPressed}
              </Text>
            )}
          </>
        }
        end={
          <Inline gap={4}>
            <Button size="small" variant="ghost" onClick={onAddChannel}>
              {m.addChannel}
            </Button>
            <Button size="small" variant="ghost" disabled={isEditing} onClick={onEdit}>
              {m.change}
            </Button>
            <Button size="small" variant="ghost" onClick={() => setAsking(true)}>
              {m.disconnect}
            </Button>
          </Inline>
        }
      />
      {isAsking && (
        <Confirm
          title={m.disconnectAsk({ team: team.name })}
          action={m.disconnect}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{m.disconnectHint}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </>
  );
}
