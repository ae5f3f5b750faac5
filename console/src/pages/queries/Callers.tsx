import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callersQuery, type QueryCaller } from '../../features/performance/database-queries.ts';
import styles from '../../features/performance/details.module.css';
import type { QueriesSearch } from '../../features/performance/search.ts';
import { milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/database-query.ts';
import { Bar } from '../../ui/Bar.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { compactNumber, percent } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts, Nothing } from '../../ui/Text.tsx';

/** Transactions that call it, by the time that it takes in each. */
export function Callers({ search }: { readonly search: QueriesSearch }) {
  const found = useQuery(callersQuery(useOrg(), search));
  return (
    <Panel title={m.callersTitle} id="callers" boxed={false}>
      <QueryView
        query={found}
        loading={m.callersLoading}
        failed={m.callersFailed}
        rows={4}
        height={44}
        empty={<Nothing>{m.callersNone}</Nothing>}
        isEmpty={({ transactions }) => transactions.length === 0}
      >
        {({ transactions }) => (
          <DataList compact label={m.callersTitle}>
            {transactions.map((caller) => (
              <CallerRow key={caller.transaction} caller={caller} project={search.project ?? ''} />
            ))}
          </DataList>
        )}
      </QueryView>
    </Panel>
  );
}

export function CallerRow({ caller, project }: { readonly caller: QueryCaller; readonly project: string }) {
  const { transaction, op, count, totalMs, timeShare, p95Ms } = caller;
  return (
    <DataRow
      title={
        transaction ? (
          <Link
            to="/performance/transaction"
            search={{ of: project, transaction, op }}
            className={rowLinkClass}
            title={transaction}
            translate="no"
          >
            <span className={styles.code}>{transaction}</span>
          </Link>
        ) : (
          m.callersUnknown
        )
      }
      facts={
        <Facts cut>
          {op && <span translate="no">{op}</span>}
          {m.callersCalls({ count, n: compactNumber(count) })}
          {m.callersP95({ time: milliseconds(p95Ms) })}
        </Facts>
      }
      end={
        <span className={styles.selfTime} data-tip={m.callersTotal({ time: milliseconds(totalMs) })}>
          {percent(timeShare, 1)}
          <Bar share={timeShare} />
        </span>
      }
    />
  );
}
