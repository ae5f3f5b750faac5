import { useQuery } from '@tanstack/react-query';
import { type IncomingWebhook, incomingDeliveriesQuery } from '../../features/incoming-webhooks/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/incoming-webhooks.ts';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { resultFlags } from './IncomingRow.tsx';

/** What one incoming webhook received, and what came of it. */
export function IncomingLog({ webhook: { id, name } }: { readonly webhook: IncomingWebhook }) {
  const deliveries = useQuery(incomingDeliveriesQuery(useOrg(), id));
  return (
    <Section title={m.deliveries} note={m.deliveriesNote({ name })}>
      <QueryView
        query={deliveries}
        loading={m.loadingDeliveries}
        failed={m.deliveriesFailed}
        height={44}
        empty={
          <Text as="p" tone="faint">
            {m.noDeliveries}
          </Text>
        }
      >
        {(rows) => (
          <DataList label={m.deliveries}>
            {rows.map(({ id: row, event, result, detail, delivery, dateReceived }) => (
              <DataRow
                key={row}
                title={
                  <>
                    <Flag kind={resultFlags[result]}>{m.results[result]}</Flag> <span translate="no">{event}</span>
                  </>
                }
                facts={
                  <Facts>
                    <span translate="no">{detail}</span>
                    {delivery && <span translate="no">{delivery}</span>}
                  </Facts>
                }
                end={
                  <Facts>
                    <Time at={dateReceived} />
                  </Facts>
                }
              />
            ))}
          </DataList>
        )}
      </QueryView>
    </Section>
  );
}
