import { Link } from '@tanstack/react-router';
import { useId, useState, type ReactNode } from 'react';
import { localTime } from '../../ui/relative-time.ts';
import { Canvas } from './Canvas.tsx';
import { ChartTable } from './ChartTable.tsx';
import {
  axisWidth,
  chartSentence,
  isAtEdge,
  labelledEdge,
  marksLabel,
  placeMarks,
  plainEdge,
  timeSpan,
  type ChartBand,
  type ChartMark,
  type ChartSeries,
} from './model.ts';
import { Legend } from './Legend.tsx';
import styles from './TimeChart.module.css';

interface Props {
  readonly title: string;
  /** The number that the chart is about, beside the title. */
  readonly headline?: ReactNode;
  /** Seconds since the epoch: where each bucket begins. */
  readonly times: readonly number[];
  readonly bucketSeconds: number;
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  /** Deploys and the like. */
  readonly marks?: readonly ChartMark[];
  /** px of the canvas. */
  readonly height?: number;
  /** The axis goes up to this at least. */
  readonly least?: number;
  /** What is drawn is counted: the axis has whole numbers only. */
  readonly counts?: boolean;
  /** Names stand at the ends of the lines; a number is the room that they take, px, given where there is enough for both. */
  readonly labelled?: boolean | number;
  /** A part of the time that is marked. The same object while it is the same part. */
  readonly band?: ChartBand | undefined;
  /** Charts of one key share the crosshair. */
  readonly sync?: string;
  /** Values are estimated, or were: there is room for how far they may be off. */
  readonly estimable?: boolean;
  /** A range was drawn, ms. */
  readonly onBrush?: (startMs: number, endMs: number) => void;
}

const none: readonly ChartMark[] = [];

/** Lines over time on a canvas. Those who do not see it have a sentence, and everybody the same as a table. */
export function TimeChart({
  title,
  headline,
  times,
  bucketSeconds,
  series,
  format,
  marks = none,
  height = 120,
  least = 1,
  counts = false,
  labelled = false,
  band,
  sync,
  estimable = false,
  onBrush,
}: Props) {
  const id = useId();
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<number>();
  const [table, setTable] = useState(false);

  const span = timeSpan(times, bucketSeconds);
  const labelEdge =
    typeof labelled === 'boolean' ? (labelled ? labelledEdge : undefined) : width > labelled * 4 ? labelled : undefined;
  const plotWidth = width - axisWidth - (labelEdge ?? plainEdge);
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption id={id} className={styles.caption}>
        <span className={styles.title}>{title}</span>
        {headline && <span className={styles.headline}>{headline}</span>}
        <span className="visually-hidden">. {chartSentence(series, times, format, localTime)}</span>
        <button type="button" className={styles.toggle} aria-expanded={table} onClick={() => setTable(!table)}>
          {table ? 'View as chart' : 'View as table'}
        </button>
      </figcaption>
      <Legend times={times} series={series} format={format} pointed={pointed} estimable={estimable} />
      {table ? (
        <ChartTable title={title} times={times} series={series} format={format} />
      ) : (
        <div className={styles.plot} style={{ '--chart-height': `${height}px` }}>
          <Canvas
            times={times}
            bucketSeconds={bucketSeconds}
            series={series}
            marks={marks}
            format={format}
            height={height}
            least={least}
            counts={counts}
            band={band}
            labelEdge={labelEdge}
            sync={sync}
            onPoint={setPointed}
            onBrush={onBrush}
            onWidth={setWidth}
          />
          {marks.length > 0 && width > 0 && (
            <ul className={styles.marks} aria-label="Releases">
              {placeMarks(marks, span, plotWidth).map((placed) => {
                const [mark] = placed.marks;
                const detail = placed.marks.map((each) => each.detail).join('\n');
                return (
                  <li
                    key={placed.x}
                    data-edge={isAtEdge(placed, plotWidth) || undefined}
                    style={{ insetInlineStart: axisWidth + placed.x }}
                  >
                    <Link
                      to="/releases/$version"
                      params={{ version: mark?.version ?? '' }}
                      className={styles.mark}
                      data-tip={detail}
                      aria-label={detail}
                    >
                      <span>{marksLabel(placed)}</span>
                    </Link>
                  </li>
                );
              })}
            </ul>
          )}
        </div>
      )}
    </figure>
  );
}
