import { Link } from '@tanstack/react-router';
import type { ReactNode, RefObject } from 'react';
import { Change } from '../../features/performance/Change.tsx';
import type { Measures, Transaction, TransactionSeries } from '../../features/performance/queries.ts';
import type { ListSearch, TransactionSort } from '../../features/performance/search.ts';
import { apdex, changeOf, milliseconds, rate, share } from '../../features/performance/words.ts';
import { Count } from '../../ui/Count.tsx';
import { cx } from '../../ui/cx.ts';
import { percent } from '../../ui/numbers.ts';
import styles from './PerformancePage.module.css';

interface Column {
  readonly key: string;
  readonly label: string;
  readonly sort?: TransactionSort;
  /** Left out where there is less room. */
  readonly hidden?: 'narrow' | 'medium' | 'wide';
  readonly cell: (measures: Measures, before: Measures | null) => ReactNode;
}

const changeIn = (measure: (of: Measures) => number, good: 'down' | 'none' | 'up', format: (value: number) => string) =>
  function change(now: Measures, before: Measures | null): ReactNode {
    return <Change change={changeOf(measure(now), before ? measure(before) : undefined, good, format)} />;
  };

const columns: readonly Column[] = [
  { key: 'rate', label: 'Throughput', sort: 'count', hidden: 'narrow', cell: ({ perMinute }) => rate(perMinute) },
  { key: 'p50', label: 'p50', sort: 'p50', hidden: 'medium', cell: ({ p50Ms }) => milliseconds(p50Ms) },
  { key: 'p75', label: 'p75', sort: 'p75', hidden: 'medium', cell: ({ p75Ms }) => milliseconds(p75Ms) },
  { key: 'p95', label: 'p95', sort: 'p95', cell: ({ p95Ms }) => milliseconds(p95Ms) },
  {
    key: 'change',
    label: 'Change of p95',
    hidden: 'narrow',
    cell: changeIn(({ p95Ms }) => p95Ms, 'down', milliseconds),
  },
  { key: 'p99', label: 'p99', sort: 'p99', hidden: 'wide', cell: ({ p99Ms }) => milliseconds(p99Ms) },
  {
    key: 'failed',
    label: 'Failures',
    sort: 'failure',
    hidden: 'narrow',
    cell: ({ failureRate }) => share(failureRate),
  },
  { key: 'apdex', label: 'Apdex', sort: 'apdex', hidden: 'medium', cell: (measures) => apdex(measures.apdex) },
  { key: 'users', label: 'Users', sort: 'users', hidden: 'wide', cell: ({ users }) => <Count value={users} /> },
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
  const sort = search.sort ?? 'total';
  const head = (label: string, by: TransactionSort | undefined): ReactNode =>
    by ? (
      <Link
        from="/performance"
        to="."
        search={(before) => ({ ...before, cursor: undefined, sort: by === 'total' ? undefined : by })}
        activeOptions={{ explicitUndefined: true }}
        className={styles.sort}
      >
        {label}
        {sort === by && <span aria-hidden="true"> {ascending(by) ? '↑' : '↓'}</span>}
      </Link>
    ) : (
      label
    );
  const sorted = (by: TransactionSort | undefined) =>
    by === sort ? (ascending(sort) ? ('ascending' as const) : ('descending' as const)) : undefined;
  return (
    <table className={styles.table} aria-busy={busy}>
      <thead>
        <tr>
          <th scope="col" className={styles.what} aria-sort={sorted('name')}>
            {head('Transaction', 'name')}
          </th>
          {columns.map(({ key, label, sort: by, hidden }) => (
            <th key={key} scope="col" className={cx(styles.number, hidden && styles[hidden])} aria-sort={sorted(by)}>
              {head(label, by)}
            </th>
          ))}
          <th scope="col" className={styles.time} aria-sort={sorted('total')}>
            {head('Total time', 'total')}
          </th>
        </tr>
      </thead>
      <tbody ref={rows}>
        {transactions.map((row) => (
          <tr key={`${row.project.id} ${row.op} ${row.transaction}`} className={styles.row}>
            <td className={styles.what}>
              <Link
                to="/performance/transaction"
                search={{
                  of: row.project.slug,
                  transaction: row.transaction,
                  op: row.op,
                  release: search.release,
                }}
                className={styles.name}
                title={row.transaction}
                data-row=""
              >
                {row.transaction || 'without a name'}
              </Link>
              <span className={styles.sub}>
                <span>{row.op || 'no op'}</span>
                {showProject && <span>{row.project.slug}</span>}
                <span className={styles.compact}>
                  {rate(row.perMinute)}
                  {row.failureRate > 0 && `, ${share(row.failureRate)} failed`}
                </span>
              </span>
            </td>
            {columns.map(({ key, hidden, cell }) => (
              <td key={key} className={cx(styles.number, hidden && styles[hidden])}>
                {cell(row, row.before)}
              </td>
            ))}
            <td className={styles.time}>
              <span className={styles.share} data-tip={milliseconds(row.totalMs)}>
                <span className={styles.shareBar} aria-hidden="true">
                  <i style={{ inlineSize: `${row.timeShare * 100}%` }} />
                </span>
                {percent(row.timeShare, 1)}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
      {series?.totals && (
        <tfoot>
          <tr>
            <th scope="row" className={styles.what}>
              All of these together
            </th>
            {columns.map(({ key, hidden, cell }) => (
              <td key={key} className={cx(styles.number, hidden && styles[hidden])}>
                {series.totals && cell(series.totals, series.before)}
              </td>
            ))}
            <td className={styles.time}>{milliseconds(series.totals.totalMs)}</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** Names begin with A; of apdex the lowest is the worst. */
const ascending = (sort: TransactionSort): boolean => sort === 'name' || sort === 'apdex';
