import { Link } from '@tanstack/react-router';
import type { RefObject } from 'react';
import {
  type DatabaseQuery,
  type QueriesPage,
  type QuerySort,
  querySortOf,
} from '../../features/performance/database-queries.ts';
import type { QueriesSearch } from '../../features/performance/search.ts';
import { milliseconds, rate, share as shareText } from '../../features/performance/words.ts';
import * as m from '../../messages/database-queries.ts';
import { Cell, DataTable, HeadCell, type LeftOut, RowHead, sortClass, SortMark } from '../../ui/DataTable.tsx';
import { percent } from '../../ui/numbers.ts';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Facts } from '../../ui/Text.tsx';

interface Props {
  readonly rows: RefObject<HTMLTableSectionElement | null>;
  readonly page: QueriesPage;
  readonly search: QueriesSearch;
  readonly showProject: boolean;
  readonly busy: boolean;
}

export function QueryTable({ rows, page: { queries, share }, search, showProject, busy }: Props) {
  const sort = querySortOf(search.sort);
  return (
    <DataTable
      label={m.title}
      sticky
      rows={rows}
      busy={busy}
      head={
        <>
          <HeadCell main>{m.columns.query}</HeadCell>
          <SortedHead by="count" sort={sort} hide="narrow" />
          <SortedHead by="p50" sort={sort} hide="narrow" />
          <SortedHead by="p95" sort={sort} />
          <SortedHead by="total" sort={sort} />
        </>
      }
      foot={
        share !== null && (
          <tr>
            <td colSpan={5}>
              <Facts>{m.estimated({ share: shareText(share) })}</Facts>
            </td>
          </tr>
        )
      }
    >
      {queries.map((query) => (
        <QueryRow key={`${query.project.id} ${query.id}`} query={query} showProject={showProject} />
      ))}
    </DataTable>
  );
}

function SortedHead({ by, sort, hide }: { readonly by: QuerySort; readonly sort: QuerySort; readonly hide?: LeftOut }) {
  const sorted = by === sort ? 'descending' : undefined;
  return (
    <HeadCell number hide={hide} sort={sorted}>
      <Link
        from="/performance/queries"
        to="."
        search={(before) => ({ ...before, cursor: undefined, sort: by === 'total' ? undefined : by })}
        activeOptions={{ explicitUndefined: true }}
        className={sortClass}
      >
        {m.columns[by]}
        <SortMark sort={sorted} />
      </Link>
    </HeadCell>
  );
}

export function QueryRow({ query, showProject }: { readonly query: DatabaseQuery; readonly showProject: boolean }) {
  const { id, project, statement, system, service, transaction, transactions } = query;
  return (
    <tr>
      <RowHead>
        <Link
          to="/performance/queries"
          search={{ of: project.slug, query: id }}
          className={rowLinkClass}
          title={statement}
          translate="no"
          data-row=""
        >
          {statement}
        </Link>
        <Facts cut>
          {system && <code>{system}</code>}
          {showProject && <span translate="no">{project.slug}</span>}
          {service && <span translate="no">{service}</span>}
          {transaction && m.caller({ transaction, more: transactions - 1 })}
        </Facts>
      </RowHead>
      <Cell number hide="narrow">
        {rate(query.perMinute)}
      </Cell>
      <Cell number hide="narrow">
        {milliseconds(query.p50Ms)}
      </Cell>
      <Cell number>{milliseconds(query.p95Ms)}</Cell>
      <Cell number>
        <span data-tip={milliseconds(query.totalMs)}>{percent(query.timeShare, 1)}</span>
      </Cell>
    </tr>
  );
}
