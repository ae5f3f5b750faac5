import { type ReactNode, useMemo } from 'react';
import * as m from '../../messages/charts.ts';
import type { ChartBand } from '../../features/charts/series.ts';
import { LineChart } from '../../features/charts/LineChart.tsx';
import { axisLabel, type Span } from '../../features/explore/question.ts';
import { chartsOf, linesOf, nameEdge, type TimeSeries } from '../../features/explore/series.ts';
import { numberWords } from '../../features/explore/values.ts';
import { duration } from '../../ui/durations.ts';
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
  readonly onSelect: (startMs: number, endMs: number) => void;
}

/** A chart for each aggregate, with a shared crosshair; a part that is drawn on any of them is marked on all. */
export function Charts({ series, axes, isGrouped, selection, busy, estimable, onSelect }: Props) {
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
    <section className={styles.charts} data-count={charts.length} aria-label={m.overTime}>
      {charts.map(({ axis, times, bucketSeconds, drawn, format, measure }) => (
        // Its title and its lines are named by data.
        <div key={axis} translate="no" className={styles.chart}>
          <LineChart
            title={axisLabel(axis)}
            times={times}
            bucketSeconds={bucketSeconds}
            series={drawn}
            format={format}
            measure={measure.type === 'integer' ? 'count' : 'number'}
            height={heightOf(charts.length)}
            least={measure.type === 'percentage' ? 0.01 : 1}
            labelled={isGrouped ? nameEdge : false}
            band={band}
            estimable={estimable}
            busy={busy}
            headline={
              drawn.some(({ ranges }) => ranges) && (
                <span className={styles.estimated}>
                  {m.estimatedPer({
                    hidden,
                    duration: duration(bucketSeconds * 1_000_000),
                  })}
                </span>
              )
            }
            onZoom={onSelect}
          />
        </div>
      ))}
    </section>
  );
}

const hidden = (text: ReactNode) => <span className="visually-hidden">{text}</span>;

/** px */
const heightOf = (charts: number): number => (charts > 2 ? 120 : 160);
