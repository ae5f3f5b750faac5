import { Link } from '@tanstack/react-router';
import type { ReactNode, RefObject } from 'react';
import { Change } from '../../features/performance/Change.tsx';
import {
  type Measures,
  type Transaction,
  type TransactionSeries,
  type TransactionSort,
  transactionSortOf,
} from '../../features/performance/queries.ts';
import type { ListSearch } from '../../features/performance/search.ts';
import { apdex, changeOf, milliseconds, rate, share } from '../../features/performance/words.ts';
import { useNarrow } from '../../features/waterfall/use-narrow.ts';
import * as m from '../../messages/performance.ts';
import { Bar } from '../../ui/Bar.tsx';
import { Count } from '../../ui/Count.tsx';
import { Cell, DataTable, HeadCell, type LeftOut, RowHead, sortClass, SortMark } from '../../ui/DataTable.tsx';
import { percent } from '../../ui/numbers.ts';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts } from '../../ui/Text.tsx';
import styles from './PerformancePage.module.css';

interface Column {
  readonly key: keyof typeof m.measures;
  readonly sort?: TransactionSort;
  /** Left out where there is less room. */
  readonly hide?: LeftOut;
  readonly cell: (measures: Measures, before: Measures | null) => ReactNode;
}

const p95Change = (now: Measures, before: Measures | null): ReactNode => (
  <Change change={changeOf(now.p95Ms, before?.p95Ms, 'down', milliseconds)} />
);

const columns: readonly Column[] = [
  { key: 'count', sort: 'count', hide: 'narrow', cell: ({ perMinute }) => rate(perMinute) },
  { key: 'p50', sort: 'p50', hide: 'medium', cell: ({ p50Ms }) => milliseconds(p50Ms) },
  { key: 'p75', sort: 'p75', hide: 'medium', cell: ({ p75Ms }) => milliseconds(p75Ms) },
  { key: 'p95', sort: 'p95', cell: ({ p95Ms }) => milliseconds(p95Ms) },
  { key: 'change', hide: 'narrow', cell: p95Change },
  { key: 'p99', sort: 'p99', hide: 'wide', cell: ({ p99Ms }) => milliseconds(p99Ms) },
  { key: 'failure', sort: 'failure', hide: 'narrow', cell: ({ failureRate }) => share(failureRate) },
  { key: 'apdex', sort: 'apdex', hide: 'medium', cell: (measures) => apdex(measures.apdex) },
  { key: 'users', sort: 'users', hide: 'wide', cell: ({ users }) => <Count value={users} /> },
];

interface Props {
  readonly rows: RefObject<HTMLTableSectionElement | null>;
  readonly transactions: readonly Transaction[];
  /** For the row of all of them together. */
  readonly series: TransactionSeries | undefined;
  readonly search: ListSearch;
  readonly showProject: boolean;
  readonly busy: boolean;
}

export function TransactionTable({ rows, transactions, series, search, showProject, busy }: Props) {
  const narrow = useNarrow();
  const sort = transactionSortOf(search.sort);
  return (
    <DataTable
      label={m.tabs.transactions}
      sticky
      rows={rows}
      busy={busy}
      head={
        <>
          <SortedHead by="name" sort={sort} main />
          {columns.map(({ key, sort: by, hide }) =>
            by ? (
              <SortedHead key={key} by={by} sort={sort} hide={hide} />
            ) : (
              <HeadCell key={key} number hide={hide}>
                {m.measures[key]}
              </HeadCell>
            ),
          )}
          <SortedHead by="total" sort={sort} />
        </>
      }
      foot={
        series?.totals && (
          <tr>
            <RowHead>{m.all}</RowHead>
            <Measured measures={series.totals} before={series.before} />
            <Cell number>{milliseconds(series.totals.totalMs)}</Cell>
          </tr>
        )
      }
    >
      {transactions.map((row) => (
        <TransactionRow
          key={`${row.project.id} ${row.op} ${row.transaction}`}
          row={row}
          release={search.release}
          showProject={showProject}
          narrow={narrow}
        />
      ))}
    </DataTable>
  );
}

/** Names begin with A; of apdex the lowest is the worst. */
const isAscending = (sort: TransactionSort): boolean => sort === 'name' || sort === 'apdex';

function SortedHead({
  by,
  sort,
  main = false,
  hide,
}: {
  readonly by: TransactionSort;
  readonly sort: TransactionSort;
  readonly main?: boolean;
  readonly hide?: LeftOut | undefined;
}) {
  const sorted = by !== sort ? undefined : isAscending(sort) ? 'ascending' : 'descending';
  return (
    <HeadCell main={main} number={!main} hide={hide} sort={sorted}>
      <Link
        from="/performance"
        to="."
        search={(before) => ({ ...before, cursor: undefined, sort: by === 'total' ? undefined : by })}
        activeOptions={{ explicitUndefined: true }}
        className={sortClass}
      >
        {m.measures[by]}
        <SortMark sort={sorted} />
      </Link>
    </HeadCell>
  );
}

const Measured = ({ measures, before }: { readonly measures: Measures; readonly before: Measures | null }) =>
  columns.map(({ key, hide, cell }) => (
    <Cell key={key} number hide={hide}>
      {cell(measures, before)}
    </Cell>
  ));

export function TransactionRow({
  row,
  release,
  showProject,
  narrow,
}: {
  readonly row: Transaction;
  readonly release: string | undefined;
  readonly showProject: boolean;
  /** There is room for the name, p95 and the total only. */
  readonly narrow: boolean;
}) {
  const { project, transaction, op, perMinute, failureRate } = row;
  return (
    <tr>
      <RowHead>
        <Link
          to="/performance/transaction"
          search={{ of: project.slug, transaction, op, release }}
          className={rowLinkClass}
          title={transaction}
          translate={transaction ? 'no' : undefined}
          data-row=""
        >
          {transaction || m.unnamed}
        </Link>
        <Facts cut>
          {op ? <span translate="no">{op}</span> : m.noOperation}
          {showProject && <span translate="no">{project.slug}</span>}
          {narrow && rate(perMinute)}
          {narrow && failureRate > 0 && m.failedShare({ share: share(failureRate) })}
        </Facts>
      </RowHead>
      <Measured measures={row} before={row.before} />
      <Cell number>
        <span className={styles.part} data-tip={milliseconds(row.totalMs)}>
          {!narrow && <Bar share={row.timeShare} />}
          {percent(row.timeShare, 1)}
        </span>
      </Cell>
    </tr>
  );
}
