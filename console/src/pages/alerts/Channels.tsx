import { useMutation, useQuery } from '@tanstack/react-query';
import { healthOf, testSentence } from '../../features/channels/delivery-words.ts';
import { channelsQuery, testChannel, type Channel } from '../../features/channels/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/alerts.ts';
import { names } from '../../messages/channel-words.ts';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { PartNote } from './PartNote.tsx';
import type { PartProps } from './RuleForm.tsx';
import { toNewChannel } from './to-new-channel.tsx';

/** Whom the rule notifies; each can be tried out immediately. */
export function Channels({ draft, problems, onChange }: PartProps) {
  const { data: channels } = useQuery(channelsQuery(useOrg()));
  return (
    <Section title={m.notifyTitle}>
      {channels?.length === 0 ? (
        <Notice tone="warning">{m.noChannels({ link: toNewChannel })}</Notice>
      ) : (
        <DataList compact label={m.channels}>
          {channels?.map((channel) => (
            <ChannelChoice
              key={channel.id}
              channel={channel}
              isChosen={draft.channelIds.includes(channel.id)}
              onChoose={(isChosen) =>
                onChange({
                  channelIds: isChosen
                    ? [...draft.channelIds, channel.id]
                    : draft.channelIds.filter((id) => id !== channel.id),
                })
              }
            />
          ))}
        </DataList>
      )}
      <PartNote problem={problems['channels']}>
        {channels?.length !== 0 && draft.channelIds.length === 0 && m.noneSelected}
      </PartNote>
    </Section>
  );
}

function ChannelChoice({
  channel,
  isChosen,
  onChoose,
}: {
  readonly channel: Channel;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
}) {
  const org = useOrg();
  const test = useMutation({ mutationFn: () => testChannel(org, channel.id) });
  const health = healthOf(channel);
  return (
    <DataRow
      title={
        <Choice
          checked={isChosen}
          onChange={(event) => onChoose(event.target.checked)}
          label={
            <>
              <span translate="no">{channel.name}</span>{' '}
              <Text tone="faint" small>
                {names[channel.type]}
              </Text>{' '}
              {health && <Flag kind={health.flag}>{health.word}</Flag>}
            </>
          }
        />
      }
      facts={
        (test.data ?? test.error) && (
          <output>
            <Text tone={test.data?.state === 'sent' ? 'ok' : 'error'} small>
              {test.data ? testSentence(test.data) : test.error?.message}
            </Text>
          </output>
        )
      }
      actions={
        <Button
          size="small"
          busy={test.isPending}
          aria-label={m.sendTestTo({ channel: channel.name })}
          onClick={() => test.mutate()}
        >
          {m.sendTest}
        </Button>
      }
    />
  );
}
