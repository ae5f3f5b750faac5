import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { exactly } from '../../features/explore/exactly.ts';
import { withSort } from '../../features/explore/question.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import { HeadCell, sortClass, SortMark } from '../../ui/DataTable.tsx';

/** The head of a column whose link sorts by it. */
export function SortHead({
  column,
  label,
  sort,
  search,
  numeric = false,
  children,
}: {
  readonly column: string;
  readonly label: string;
  /** The order that holds. */
  readonly sort: string;
  readonly search: ExploreSearch;
  readonly numeric?: boolean;
  readonly children?: ReactNode;
}) {
  const direction = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : undefined;
  return (
    <HeadCell number={numeric} sort={direction}>
      <Link
        from="/explore"
        to="."
        search={withSort(search, column, sort)}
        className={sortClass}
        activeOptions={exactly}
        translate="no"
      >
        {label}
        <SortMark sort={direction} />
      </Link>{' '}
      {children}
    </HeadCell>
  );
}
