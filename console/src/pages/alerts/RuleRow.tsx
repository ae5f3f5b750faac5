import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkline } from '../../features/charts/Sparkline.tsx';
import type { AlertRule } from '../../features/alerts/queries.ts';
import { channelsQuery } from '../../features/channels/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/alerts.ts';
import { DataRow } from '../../ui/DataList.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './AlertsPage.module.css';
import { RuleActions } from './RuleActions.tsx';
import { RuleState } from './RuleState.tsx';

/** A rule as one sentence, how it is, whom it notifies; mute, off and delete at the end. */
export function RuleRow({ rule }: { readonly rule: AlertRule }) {
  const may = useMay('event:write');
  const { data: channels = [] } = useQuery(channelsQuery(useOrg()));
  const channelNames = channels.filter(({ id }) => rule.channelIds.includes(id)).map(({ name }) => name);
  return (
    <DataRow
      lead={<RuleState rule={rule} lead />}
      title={
        <Link to="/alerts/$rule" params={{ rule: rule.id }} className={rowLinkClass} data-row="" translate="no">
          {rule.name}
        </Link>
      }
      facts={
        <>
          <Text>
            <span translate="no">{rule.sentence}</span>
          </Text>
          <Facts>
            {rule.problem ? (
              <Text tone="warning">
                <span translate="no">{rule.problem}</span>
              </Text>
            ) : channelNames.length ? (
              m.notifies({ channels: channelNames.join(', ') })
            ) : (
              <Text tone="warning">{m.notifiesNoOne}</Text>
            )}
            {rule.lastFiredAt && m.lastFired({ when: <Time at={rule.lastFiredAt} /> })}
            {rule.mutedUntil && m.mutedUntil({ when: <Time at={rule.mutedUntil} /> })}
            {rule.mutedForMeUntil && m.mutedForYouUntil({ when: <Time at={rule.mutedForMeUntil} /> })}
          </Facts>
        </>
      }
      end={
        <span className={styles.week}>
          <Sparkline
            points={rule.firedByDay.map((count, day) => [day, count])}
            width={70}
            height={18}
            tone="warning"
            decorative
          />
          {m.firedInWeek({ count: rule.firedLast7Days })}
        </span>
      }
      actions={may && <RuleActions rule={rule} />}
    />
  );
}
