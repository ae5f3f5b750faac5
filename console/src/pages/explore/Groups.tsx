import { Link } from '@tanstack/react-router';
import { SamplesIcon } from '../../ui/icons.ts';
import type { ReactNode, RefObject } from 'react';
import { Stroke } from '../../features/charts/Stroke.tsx';
import type { Stroke as Look } from '../../features/explore/colours.ts';
import { dataSets } from '../../features/explore/data-sets.ts';
import { axisLabel, withQuery, withSort, type Question } from '../../features/explore/question.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import type { TableRow } from '../../features/explore/table.ts';
import { withRow } from '../../features/explore/terms.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { exactly } from '../../features/explore/exactly.ts';
import styles from './ExplorePage.module.css';
import { ValueButton } from './ValueButton.tsx';

interface Props {
  readonly rows: readonly TableRow[];
  readonly question: Question;
  readonly search: ExploreSearch;
  /** How the lines of groups look. */
  readonly strokes: ReadonlyMap<string, Look>;
  readonly list: RefObject<HTMLTableSectionElement | null>;
  readonly busy: boolean;
  /** Numbers are estimated, or were: there is room for how far they may be off, so that exact ones stand where those stood. */
  readonly hasErrors: boolean;
}

/** The aggregates of each group. */
export function Groups({ rows, question, search, strokes, list, busy, hasErrors }: Props) {
  const { groups, axes, sort, dataSet, query } = question;
  const hasShare = (axis: string): boolean =>
    rows.some(({ measures }) => measures.some((measure) => measure.axis === axis && measure.share !== undefined));
  return (
    <ScrollRegion label="Groups" className={styles.scroll}>
      <table className={styles.table} aria-busy={busy}>
        <thead>
          <tr>
            {groups.length === 0 && (
              <th scope="col">
                <span className="visually-hidden">Group</span>
              </th>
            )}
            {groups.map((field) => (
              <SortHead key={field} column={field} label={field} sort={sort} search={search} />
            ))}
            {axes.map((axis) => (
              <SortHead key={axis} column={axis} label={axisLabel(axis)} sort={sort} search={search} numeric>
                {/* It stands over the numbers, not over their shares. */}
                {hasErrors && <span className={styles.off} aria-hidden="true" />}
                {hasShare(axis) && <span className={styles.share} aria-hidden="true" />}
              </SortHead>
            ))}
            <th scope="col" className={styles.lead}>
              <span className="visually-hidden">Samples</span>
            </th>
          </tr>
        </thead>
        <tbody ref={list}>
          {rows.map(({ key, group, groups: cells, measures }) => {
            const stroke = strokes.get(group);
            return (
              <tr key={key}>
                {cells.length === 0 && <td className={styles.group}>All {dataSets[dataSet].noun}s</td>}
                {cells.map(({ field, value, text }, index) => (
                  <td key={field} className={styles.group}>
                    {index === 0 && (
                      <span className={styles.swatch}>
                        <Stroke {...stroke} />
                      </span>
                    )}
                    <ValueButton field={field} value={value} text={text} />
                  </td>
                ))}
                {measures.map(({ axis, text, exact, bar, share, error }) => (
                  <td key={axis} className={styles.number}>
                    {bar !== undefined && (
                      <i className={styles.bar} aria-hidden="true">
                        <i style={{ inlineSize: `${bar * 100}%` }} />
                      </i>
                    )}
                    <span data-tip={error?.range ?? (exact || undefined)}>{text}</span>{' '}
                    {hasErrors && (
                      <span className={styles.off} data-tip={error?.range}>
                        {error?.text}
                      </span>
                    )}{' '}
                    {share && <span className={styles.share}>{share}</span>}
                  </td>
                ))}
                <td className={styles.lead}>
                  <Link
                    from="/explore"
                    to="."
                    search={{
                      ...withQuery(search, withRow(query, cells, dataSet)),
                      tab: 'samples',
                      sort: undefined,
                    }}
                    aria-label={`Samples of ${cells.map(({ text }) => text).join(', ') || 'all'}`}
                    data-tip="Samples"
                    data-row=""
                  >
                    <SamplesIcon size={14} />
                  </Link>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

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
    <th scope="col" className={numeric ? styles.number : undefined} aria-sort={direction}>
      <Link
        from="/explore"
        to="."
        search={withSort(search, column, sort)}
        className={styles.sort}
        activeOptions={exactly}
      >
        {label}
        {direction && <span aria-hidden="true"> {direction === 'ascending' ? '↑' : '↓'}</span>}
      </Link>{' '}
      {children}
    </th>
  );
}
