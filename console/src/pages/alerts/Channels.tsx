import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { healthOf, testSentence } from '../../features/channels/delivery-words.ts';
import { kinds } from '../../features/channels/kinds.ts';
import { channelsQuery, testChannel, type Channel } from '../../features/channels/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Section } from '../../ui/Page.tsx';
import type { PartProps } from './RuleForm.tsx';
import styles from './RulePage.module.css';

/** Whom the rule tells; each can be tried out at once. */
export function Channels({ draft, problems, onChange }: PartProps) {
  const { data: channels } = useQuery(channelsQuery(useOrg()));
  return (
    <Section title="Tell">
      {channels?.length === 0 ? (
        <p className={styles.missing}>
          There is no channel yet, so the rule would notify no one and only record its history.{' '}
          <Link to="/settings/channels" search={{ edit: 'new' }}>
            Add a channel
          </Link>
          : e-mail, Slack, PagerDuty and others.
        </p>
      ) : (
        <ul className={styles.channels} aria-label="Channels">
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
        </ul>
      )}
      {problems['channels'] ? (
        <p className={styles.wrong} role="alert">
          {problems['channels']}
        </p>
      ) : (
        channels?.length !== 0 &&
        draft.channelIds.length === 0 && (
          <p className={styles.faint}>None is ticked: the rule only writes its history.</p>
        )
      )}
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
    <li>
      <div className={styles.channel}>
        <label className={styles.box}>
          <input type="checkbox" checked={isChosen} onChange={(event) => onChoose(event.target.checked)} />
          {channel.name}
          <span className={styles.faint}>{kinds[channel.type].name}</span>
          {health && <Flag kind={health.flag}>{health.word}</Flag>}
        </label>
        <Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
          Send test<span className="visually-hidden"> to {channel.name}</span>
        </Button>
      </div>
      {(test.data ?? test.error) && (
        <output className={test.data?.state === 'sent' ? styles.well : styles.wrong}>
          {test.data ? testSentence(test.data) : test.error?.message}
        </output>
      )}
    </li>
  );
}
