import { useMemo } from 'react';
import type { ChartBand } from '../../features/time-chart/model.ts';
import { TimeChart } from '../../features/time-chart/TimeChart.tsx';
import { axisLabel, type Span } from '../../features/explore/question.ts';
import { chartsOf, linesOf, nameEdge, type TimeSeries } from '../../features/explore/series.ts';
import { numberWords } from '../../features/explore/values.ts';
import { duration } from '../../ui/durations.ts';
import { Skeleton } from '../../ui/State.tsx';
import styles from './ExplorePage.module.css';

interface Props {
  readonly series: readonly TimeSeries[];
  readonly axes: readonly string[];
  readonly isGrouped: boolean;
  readonly selection: Span | undefined;
  /** The answer may be of another question still. */
  readonly busy: boolean;
  /** Values are estimated, or were until exact ones came. */
  readonly estimable: boolean;
  readonly onBrush: (startMs: number, endMs: number) => void;
}

/** A chart for each aggregate, with a shared crosshair; a part that is drawn on any of them is marked on all. */
export function Charts({ series, axes, isGrouped, selection, busy, estimable, onBrush }: Props) {
  const { from, until } = selection ?? {};
  const band = useMemo<ChartBand | undefined>(
    () => (from === undefined || until === undefined ? undefined : { from, until }),
    [from, until],
  );
  const charts = useMemo(
    () =>
      chartsOf(series, axes).map((chart) => ({
        ...chart,
        drawn: linesOf(chart),
        format: (value: number) => numberWords(value, chart.measure),
      })),
    [series, axes],
  );
  return (
    <section className={styles.charts} data-count={charts.length} aria-label="Over time">
      {charts.map(({ axis, times, bucketSeconds, drawn, format, measure }) =>
        times.length === 0 ? (
          <div key={axis} className={styles.chart}>
            <h3>{axisLabel(axis)}</h3>
            {busy ? (
              <Skeleton height={heightOf(charts.length)} label="Loading a chart" />
            ) : (
              <p>Nothing was measured.</p>
            )}
          </div>
        ) : (
          <TimeChart
            key={axis}
            title={axisLabel(axis)}
            times={times}
            bucketSeconds={bucketSeconds}
            series={drawn}
            format={format}
            counts={measure.type === 'integer'}
            height={heightOf(charts.length)}
            least={measure.type === 'percentage' ? 0.01 : 1}
            labelled={isGrouped ? nameEdge : false}
            band={band}
            sync="explore"
            estimable={estimable}
            headline={
              drawn.some(({ ranges }) => ranges) && (
                <span className={styles.estimated}>
                  <span className="visually-hidden">estimated,</span> per {duration(bucketSeconds * 1_000_000)}
                </span>
              )
            }
            onBrush={onBrush}
          />
        ),
      )}
    </section>
  );
}

/** px */
const heightOf = (charts: number): number => (charts > 2 ? 120 : 160);
