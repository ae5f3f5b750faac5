import { Link } from '@tanstack/react-router';
import { Stroke } from '../../features/charts/Stroke.tsx';
import type { Stroke as Look } from '../../features/explore/colours.ts';
import { axisLabel, withQuery, type Question } from '../../features/explore/question.ts';
import type { ExploreSearch } from '../../features/explore/search.ts';
import type { MeasureCell, TableRow } from '../../features/explore/table.ts';
import { withRow } from '../../features/explore/terms.ts';
import * as m from '../../messages/explore.ts';
import { Bar } from '../../ui/Bar.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { Cell, DataTable, HeadCell } from '../../ui/DataTable.tsx';
import { SamplesIcon } from '../../ui/icons.ts';
import styles from './ExplorePage.module.css';
import { SortHead } from './SortHead.tsx';
import { ValueButton } from './ValueButton.tsx';

interface Props {
  readonly rows: readonly TableRow[];
  readonly question: Question;
  readonly search: ExploreSearch;
  /** How the lines of groups look. */
  readonly strokes: ReadonlyMap<string, Look>;
  /** Numbers are estimated, or were: there is room for how far they may be off, so that exact ones take their place. */
  readonly hasErrors: boolean;
}

/** The aggregates of each group. */
export function Groups({ rows, question, search, strokes, hasErrors }: Props) {
  const { groups, axes, sort } = question;
  const hasShare = (axis: string): boolean =>
    rows.some(({ measures }) => measures.some((measure) => measure.axis === axis && measure.share !== undefined));
  return (
    <DataTable
      label={m.tabs.groups}
      dense
      head={
        <>
          {groups.length === 0 && (
            <HeadCell>
              <span className="visually-hidden">{m.group}</span>
            </HeadCell>
          )}
          {groups.map((field) => (
            <SortHead key={field} column={field} label={field} sort={sort} search={search} />
          ))}
          {axes.map((axis) => (
            <SortHead key={axis} column={axis} label={axisLabel(axis)} sort={sort} search={search} numeric>
              {/* It is above the numbers, not above their shares. */}
              {hasErrors && <span className={styles.off} aria-hidden="true" />}
              {hasShare(axis) && <span className={styles.portion} aria-hidden="true" />}
            </SortHead>
          ))}
          <HeadCell>
            <span className="visually-hidden">{m.samples}</span>
          </HeadCell>
        </>
      }
    >
      {rows.map((row) => (
        <GroupRow
          key={row.key}
          row={row}
          question={question}
          search={search}
          stroke={strokes.get(row.group)}
          hasErrors={hasErrors}
        />
      ))}
    </DataTable>
  );
}

export function GroupRow({
  row: { groups: cells, measures },
  question: { dataSet, query },
  search,
  stroke,
  hasErrors,
}: Pick<Props, 'question' | 'search' | 'hasErrors'> & { readonly row: TableRow; readonly stroke: Look | undefined }) {
  const values = cells.map(({ text }) => text).join(', ');
  return (
    <tr>
      {cells.length === 0 && <Cell>{m.allOf[dataSet]}</Cell>}
      {cells.map(({ field, value, text }, index) => (
        <Cell key={field}>
          <span className={styles.group}>
            {index === 0 && (
              <span className={styles.swatch}>
                <Stroke {...stroke} />
              </span>
            )}
            <ValueButton field={field} value={value} text={text} />
          </span>
        </Cell>
      ))}
      {measures.map((measure) => (
        <Cell key={measure.axis} number>
          <Measure measure={measure} hasErrors={hasErrors} />
        </Cell>
      ))}
      <Cell>
        <Link
          from="/explore"
          to="."
          search={{ ...withQuery(search, withRow(query, cells, dataSet)), tab: 'samples', sort: undefined }}
          className={buttonClass('ghost', 'small')}
          aria-label={values ? m.samplesOf({ values }) : m.samplesOfAll}
          data-tip={m.samples}
          data-row=""
        >
          <SamplesIcon size={14} />
        </Link>
      </Cell>
    </tr>
  );
}

function Measure({
  measure: { text, exact, bar, share, error },
  hasErrors,
}: {
  readonly measure: MeasureCell;
  readonly hasErrors: boolean;
}) {
  return (
    <span className={styles.measure}>
      <span data-tip={error?.range ?? (exact || undefined)} translate="no">
        {text}
      </span>{' '}
      {hasErrors && (
        <span className={styles.off} data-tip={error?.range}>
          {error?.text}
        </span>
      )}{' '}
      {share && <span className={styles.portion}>{share}</span>}
      {bar !== undefined && <Bar share={bar} />}
    </span>
  );
}
