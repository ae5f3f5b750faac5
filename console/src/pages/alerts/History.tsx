import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { historyQuery, type AlertFiring, type AlertRule } from '../../features/alerts/queries.ts';
import { firingWords, momentsAround } from '../../features/alerts/words.ts';
import { stateOf } from '../../features/channels/delivery-words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Flag } from '../../ui/Flag.tsx';
import { Card, Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './RulePage.module.css';
import { Severity } from './RuleState.tsx';

/** When it fired, why, and what became of the message, channel by channel. */
export function History({ rule }: { readonly rule: AlertRule }) {
  const asked = useQuery(historyQuery(useOrg(), rule.id));
  return (
    <Section title="History" note="The latest 50, the newest first. Kept for 90 days, what became of messages for 30.">
      {asked.isPending ? (
        <Skeleton rows={3} height={44} label="Loading the history" />
      ) : asked.data === undefined ? (
        <ErrorState error={asked.error} retry={() => void asked.refetch()} what="The history could not be loaded" />
      ) : asked.data.length === 0 ? (
        <p className={styles.faint}>It has not fired yet.</p>
      ) : (
        <Card>
          <ul className={styles.history} aria-label="Firings">
            {asked.data.map((firing) => (
              <Entry key={firing.id} firing={firing} rule={rule} />
            ))}
          </ul>
        </Card>
      )}
    </Section>
  );
}

function Entry({ firing, rule }: { readonly firing: AlertFiring; readonly rule: AlertRule }) {
  const { at, severity, why, issue, state, deliveries } = firing;
  return (
    <li className={styles.entry}>
      <Severity severity={severity} />
      <div className={styles.why}>
        {issue && (
          <p>
            <Link to="/issues/$issue" params={{ issue: issue.shortId }}>
              {issue.shortId}
            </Link>{' '}
            {issue.title}
          </p>
        )}
        <p className={issue ? styles.faint : undefined}>
          {why}
          {rule.metric && rule.metric.dataset !== 'sessions' && (
            <>
              {' · '}
              <Link
                to="/explore"
                search={{
                  ...(rule.metric.dataset !== 'errors' && { dataset: rule.metric.dataset }),
                  ...(rule.query && { query: rule.query }),
                  yAxis: rule.metric.aggregate,
                  ...momentsAround(at, rule.metric.minutes),
                }}
              >
                Look at that time
              </Link>
            </>
          )}
        </p>
        <p className={styles.recipients}>
          {deliveries.length === 0 ? (
            <span className={styles.faint}>{firingWords[state]}</span>
          ) : (
            deliveries.map(({ id, channel, state: delivered, detail }) => {
              const { word, flag } = stateOf(delivered);
              return (
                <Link
                  key={id}
                  to="/settings/channels"
                  search={{ channel: channel.id }}
                  className={styles.delivery}
                  data-tip={detail || 'What went to this channel'}
                >
                  {channel.name} <Flag kind={flag}>{word}</Flag>
                </Link>
              );
            })
          )}
        </p>
      </div>
      <span className={styles.faint}>
        <Time at={at} />
      </span>
    </li>
  );
}
