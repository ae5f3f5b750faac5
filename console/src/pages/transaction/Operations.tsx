import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tracePlace } from '../../features/performance/links.ts';
import { operationsQuery } from '../../features/performance/part-queries.ts';
import type { Operation } from '../../features/performance/queries.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/transaction.ts';
import { Bar } from '../../ui/Bar.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { compactNumber, percent } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts, Nothing } from '../../ui/Text.tsx';
import styles from '../../features/performance/details.module.css';

/** What it spends its time with; each row leads to the longest of its kind. */
export function Operations({ search }: { readonly search: TransactionSearch }) {
  const found = useQuery(operationsQuery(useOrg(), search));
  return (
    <Panel title={m.operations} id="operations" boxed={false}>
      <QueryView
        query={found}
        loading={m.loadingOperations}
        failed={m.operationsFailed}
        empty={<Nothing>{m.noOperations}</Nothing>}
        isEmpty={({ operations }) => operations.length === 0}
      >
        {({ operations }) => (
          <DataList compact>
            {operations.map((operation) => (
              <OperationRow key={`${operation.op} ${operation.description}`} operation={operation} />
            ))}
          </DataList>
        )}
      </QueryView>
    </Panel>
  );
}

export function OperationRow({ operation }: { readonly operation: Operation }) {
  const { op, description, count, share, totalMs, p75Ms, longest } = operation;
  const name = description || op;
  return (
    <DataRow
      title={
        <Link
          to="/traces/$trace"
          {...tracePlace(longest)}
          className={rowLinkClass}
          title={description}
          translate={name ? 'no' : undefined}
        >
          <span className={styles.code}>{name || m.unnamedOperation}</span>
        </Link>
      }
      facts={
        <Facts cut>
          {op && <span translate="no">{op}</span>}
          {m.spans({ count, n: compactNumber(count) })}
          {m.p75({ time: milliseconds(p75Ms) })}
        </Facts>
      }
      end={
        <span className={styles.selfTime} data-tip={m.selfTimeTip({ time: milliseconds(totalMs) })}>
          {percent(share, 1)}
          <Bar share={share} />
        </span>
      }
    />
  );
}
