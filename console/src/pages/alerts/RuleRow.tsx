import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Sparkline } from '../../features/charts/Sparkline.tsx';
import type { AlertRule } from '../../features/alerts/queries.ts';
import { firedWords } from '../../features/alerts/words.ts';
import { channelsQuery } from '../../features/channels/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { cx } from '../../ui/cx.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './AlertsPage.module.css';
import { RuleActions } from './RuleActions.tsx';
import { RuleState } from './RuleState.tsx';

/** A rule as one sentence, how it is, whom it tells; silence, off and away at the end. */
export function RuleRow({ rule }: { readonly rule: AlertRule }) {
  const { data: channels = [] } = useQuery(channelsQuery(useOrg()));
  const channelNames = channels.filter(({ id }) => rule.channelIds.includes(id)).map(({ name }) => name);
  return (
    <li className={cx(styles.row, !rule.enabled && styles.off)}>
      <RuleState rule={rule} />
      <div className={styles.what}>
        <Link to="/alerts/$rule" params={{ rule: rule.id }} className={styles.name} data-row="">
          {rule.name}
        </Link>
        <p className={styles.sentence}>{rule.sentence}</p>
        <p className={styles.facts}>
          {rule.problem ? (
            <span className={styles.problem}>{rule.problem}</span>
          ) : channelNames.length ? (
            <span>tells {channelNames.join(', ')}</span>
          ) : (
            <span className={styles.problem}>notifies no one: no channel selected</span>
          )}
          {rule.lastFiredAt && (
            <span>
              last <Time at={rule.lastFiredAt} />
            </span>
          )}
          {rule.mutedUntil && (
            <span>
              muted, until <Time at={rule.mutedUntil} />
            </span>
          )}
          {rule.mutedForMeUntil && (
            <span>
              muted for you, until <Time at={rule.mutedForMeUntil} />
            </span>
          )}
        </p>
      </div>
      <div className={styles.week}>
        <Sparkline
          points={rule.firedByDay.map((count, day) => [day, count])}
          width={70}
          height={18}
          tone="warning"
          decorative
        />
        <span>{firedWords(rule.firedLast7Days)}</span>
      </div>
      <RuleActions rule={rule} />
    </li>
  );
}
