import { useNavigate } from '@tanstack/react-router';
import * as m from '../../messages/charts.ts';
import type { TransactionDetails } from '../../features/performance/queries.ts';
import { Histogram } from '../../features/performance/Histogram.tsx';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { Panel } from '../../ui/Panel.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** How long they took, and which of them the panels below are about. */
export function Durations({
  details,
  search,
}: {
  readonly details: TransactionDetails;
  readonly search: TransactionSearch;
}) {
  const navigate = useNavigate({ from: '/performance/transaction' });
  const { histogram, transaction, examined } = details;
  const { from, until } = search;
  const last = histogram.at(-1)?.untilMs ?? 0;
  return (
    <Panel title={m.distribution} id="histogram" boxed={false}>
      <Histogram
        bars={histogram}
        picked={from === undefined && until === undefined ? undefined : { from: from ?? 0, until: until ?? last }}
        lines={[
          { label: 'p50', ms: transaction.p50Ms },
          { label: 'p95', ms: transaction.p95Ms },
        ]}
        onPick={(range) =>
          void navigate({
            search: (before) => ({ ...before, from: range?.from, until: range?.until }),
            resetScroll: false,
          })
        }
      />
      {!examined.whole && (
        <Text as="p" tone="faint" small>
          {m.newestOnly({ when: <Time at={examined.from * 1000} /> })}
        </Text>
      )}
    </Panel>
  );
}
