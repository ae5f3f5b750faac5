import { AscendingIcon, DescendingIcon } from './icons.ts';
import type { ReactNode, Ref, TdHTMLAttributes, ThHTMLAttributes } from 'react';
import { cx } from './cx.ts';
import { ScrollRegion } from './ScrollRegion.tsx';
import styles from './DataTable.module.css';

/** Below which width a column is left out: 1200, 980 or 720 px. */
export type LeftOut = 'wide' | 'medium' | 'narrow';

/**
 * A table whose rows may be links. `stacked` makes a card of each row on narrow screens, with the `label` of each cell
 * beside its value; without it, columns are left out by `hide` or it scrolls.
 */
export function DataTable({
  label,
  boxed = false,
  dense = false,
  stacked = false,
  sticky = false,
  busy = false,
  rows,
  head,
  foot,
  children,
}: {
  readonly label: string;
  readonly boxed?: boolean;
  readonly dense?: boolean;
  readonly stacked?: boolean;
  /** The head stays while the page scrolls past it; nothing scrolls sideways then. */
  readonly sticky?: boolean;
  readonly busy?: boolean;
  /** What holds the rows, for `useRowKeys`. */
  readonly rows?: Ref<HTMLTableSectionElement>;
  /** The cells of the head, `HeadCell`s. */
  readonly head: ReactNode;
  readonly foot?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Frame label={label} sticky={sticky} boxed={boxed}>
      <table
        className={cx(styles.table, dense && styles.dense, stacked && styles.stacked, sticky && styles.sticky)}
        aria-label={label}
        aria-busy={busy || undefined}
      >
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody ref={rows}>{children}</tbody>
        {foot && <tfoot>{foot}</tfoot>}
      </table>
    </Frame>
  );
}

function Frame({
  label,
  sticky,
  boxed,
  children,
}: {
  readonly label: string;
  readonly sticky: boolean;
  readonly boxed: boolean;
  readonly children: ReactNode;
}) {
  if (sticky) return <div className={cx(boxed && styles.boxed)}>{children}</div>;
  return (
    <ScrollRegion as="div" label={label} className={cx(styles.frame, boxed && styles.boxed)}>
      {children}
    </ScrollRegion>
  );
}

interface CellProps {
  /** At the end of the cell, in figures of one width. */
  readonly number?: boolean;
  /** Takes the room that the other columns leave. */
  readonly main?: boolean;
  readonly hide?: LeftOut | undefined;
}

const cellClass = ({ number, main, hide }: CellProps): string =>
  cx(number && styles.number, main && styles.main, hide && styles[hide]);

/** A column's head. `sort` says how it is sorted, if it is; what sorts it, a button or link, is its child in `sortClass`. */
export function HeadCell({
  number,
  main,
  hide,
  sort,
  children,
  ...rest
}: CellProps & { readonly sort?: 'ascending' | 'descending' | undefined } & ThHTMLAttributes<HTMLTableCellElement>) {
  return (
    <th scope="col" {...rest} aria-sort={sort} className={cellClass({ number, main, hide })}>
      {children}
    </th>
  );
}

/** The head's button or link that sorts by it. */
export const sortClass = styles.sort ?? '';

export function SortMark({ sort }: { readonly sort: 'ascending' | 'descending' | undefined }) {
  if (!sort) return null;
  const Icon = sort === 'ascending' ? AscendingIcon : DescendingIcon;
  return <Icon size={12} aria-hidden="true" />;
}

export function Cell({
  number,
  main,
  hide,
  label,
  children,
  ...rest
}: CellProps & { readonly label?: string | undefined } & TdHTMLAttributes<HTMLTableCellElement>) {
  return (
    <td {...rest} data-label={label} className={cellClass({ number, main, hide })}>
      {children}
    </td>
  );
}

/** The cell that names its row. */
export function RowHead({
  main = true,
  hide,
  children,
  ...rest
}: Pick<CellProps, 'main' | 'hide'> & ThHTMLAttributes<HTMLTableCellElement>) {
  return (
    <th scope="row" {...rest} className={cellClass({ main, hide })}>
      {children}
    </th>
  );
}
