import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { historyQuery, type AlertFiring, type AlertRule } from '../../features/alerts/queries.ts';
import { momentsAround } from '../../features/alerts/words.ts';
import { stateOf } from '../../features/channels/delivery-words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/alerts.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Nothing, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { FiringTitle } from './FiringTitle.tsx';
import { Severity } from './RuleState.tsx';

/** When it fired, why, and the outcome of the notification in each channel. */
export function History({ rule }: { readonly rule: AlertRule }) {
  const asked = useQuery(historyQuery(useOrg(), rule.id));
  return (
    <Section title={m.history} note={m.historyNote}>
      <QueryView
        query={asked}
        loading={m.loadingHistory}
        failed={m.historyFailed}
        height={44}
        empty={<Nothing>{m.notFired}</Nothing>}
      >
        {(firings) => (
          <DataList label={m.firings}>
            {firings.map((firing) => (
              <FiringRow key={firing.id} firing={firing} rule={rule} />
            ))}
          </DataList>
        )}
      </QueryView>
    </Section>
  );
}

export function FiringRow({ firing, rule }: { readonly firing: AlertFiring; readonly rule: AlertRule }) {
  const { at, severity, why, issue, state, deliveries } = firing;
  return (
    <DataRow
      lead={<Severity severity={severity} />}
      title={<FiringTitle firing={firing} />}
      facts={
        <Stack gap={8}>
          <Facts>
            {issue && <span translate="no">{why}</span>}
            {rule.metric && rule.metric.dataset !== 'sessions' && (
              <Link
                to="/explore"
                search={{
                  ...(rule.metric.dataset !== 'errors' && { dataset: rule.metric.dataset }),
                  ...(rule.query && { query: rule.query }),
                  yAxis: rule.metric.aggregate,
                  ...momentsAround(at, rule.metric.minutes),
                }}
              >
                {m.exploreTime}
              </Link>
            )}
          </Facts>
          {deliveries.length === 0 ? (
            <Text tone="faint" small>
              {m.deliveryStates[state]}
            </Text>
          ) : (
            <Inline gap={12}>
              {deliveries.map(({ id, channel, state: delivered, detail }) => {
                const { word, flag } = stateOf(delivered);
                return (
                  <Link
                    key={id}
                    to="/settings/channels"
                    search={{ channel: channel.id }}
                    data-tip={detail || m.deliveriesHint}
                  >
                    <Text small>
                      <span translate="no">{channel.name}</span> <Flag kind={flag}>{word}</Flag>
                    </Text>
                  </Link>
                );
              })}
            </Inline>
          )}
        </Stack>
      }
      end={<Time at={at} />}
    />
  );
}
