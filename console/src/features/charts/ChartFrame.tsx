import { useId, useState, type ReactNode } from 'react';
import * as m from '../../messages/charts.ts';
import { ChartIcon, TableIcon } from '../../ui/icons.ts';
import { Skeleton } from '../../ui/State.tsx';
import { ChartTable, type TableColumn } from './ChartTable.tsx';
import { Legend, type LegendEntry } from './Legend.tsx';
import styles from './ChartFrame.module.css';

interface Props {
  readonly title: string;
  /** Whether the title is for readers of the table and of the page's structure only. */
  readonly untitled?: boolean;
  /** The number that the chart is about, beside the title. */
  readonly headline?: ReactNode;
  /** What the picture says, for those who do not see it. */
  readonly sentence: string;
  /** Where everybody reads it. */
  readonly showSentence?: boolean;
  readonly legend: readonly LegendEntry[];
  /** The value that is read stands in the line of the title, which says what it is of. */
  readonly bare?: boolean;
  readonly columns: number;
  readonly when: (column: number) => string;
  readonly pointed: number | undefined;
  readonly table: { readonly rows: readonly number[]; readonly columns: readonly TableColumn[] };
  /** Beside the switch to the table. */
  readonly tools?: ReactNode;
  /** Answers are on their way: without columns it is not known whether there is nothing. */
  readonly busy?: boolean;
  /** px of what is drawn, with its axes. */
  readonly height: number;
  readonly children: ReactNode;
}

/** px: some rows are seen, and the page moves as little as can be. */
const leastTable = 160;

/** What all charts have: a title, a sentence, a legend with what is read, the same as a table, and what stands where there is nothing. */
export function ChartFrame(props: Props) {
  const { title, untitled, headline, sentence, showSentence, legend, bare = false, columns, when, pointed } = props;
  const { table, tools, busy = false, height, children } = props;
  const id = useId();
  const [asTable, setAsTable] = useState(false);
  const toggle = asTable ? m.asChart : m.asTable;
  const readout = legend.length > 0 && (
    <Legend entries={legend} when={when} columns={columns} pointed={asTable ? undefined : pointed} bare={bare} />
  );
  return (
    <figure className={styles.figure} style={{ '--table': `${Math.max(leastTable, height)}px` }} aria-labelledby={id}>
      <div className={styles.head}>
        <figcaption id={id} className={styles.caption}>
          <span className={untitled ? 'visually-hidden' : styles.title}>{title}</span>
          {headline && <span className={styles.headline}>{headline}</span>}
          <span className="visually-hidden">. </span>
          <span className={showSentence ? styles.sentence : 'visually-hidden'}>{sentence}</span>
        </figcaption>
        {bare && readout}
        {tools}
        {columns > 0 && (
          <button
            type="button"
            className={styles.toggle}
            aria-label={toggle}
            aria-expanded={asTable}
            data-tip={toggle}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <ChartIcon size={14} aria-hidden="true" /> : <TableIcon size={14} aria-hidden="true" />}
          </button>
        )}
      </div>
      {!bare && readout}
      {columns === 0 ? (
        busy ? (
          <Skeleton height={height} label={m.loading({ title })} />
        ) : (
          <p className={styles.nothing} style={{ minHeight: height }}>
            {m.noData}
          </p>
        )
      ) : asTable ? (
        <ChartTable title={title} {...table} />
      ) : (
        children
      )}
    </figure>
  );
}
