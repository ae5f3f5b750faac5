import { type ReactNode, useMemo } from 'react';
import * as m from '../../messages/charts.ts';
import * as e from '../../messages/explore.ts';
import type { Measure as AxisMeasure } from '../../features/charts/scales.ts';
import type { ChartBand } from '../../features/charts/series.ts';
import { LineChart } from '../../features/charts/LineChart.tsx';
import { axisLabel, type Span } from '../../features/explore/question.ts';
import { chartsOf, linesOf, nameEdge, type TimeSeries } from '../../features/explore/series.ts';
import { type Measure, numberWords } from '../../features/explore/values.ts';
import type { Filters } from '../../features/filters/filters.ts';
import { useDeployMarks } from '../../features/performance/deploy-marks.ts';
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
  /** Of the page: what it marks. */
  readonly filters: Filters;
  readonly fallbackRange: string;
  readonly onSelect: (startMs: number, endMs: number) => void;
}

/** A chart for each aggregate, with a shared crosshair; a part that is drawn on any of them is marked on all. */
export function Charts({
  series,
  axes,
  isGrouped,
  selection,
  busy,
  estimable,
  filters,
  fallbackRange,
  onSelect,
}: Props) {
  const marks = useDeployMarks(filters, fallbackRange);
  const { from, until } = selection ?? {};
  const band = useMemo<ChartBand | undefined>(
    () => (from === undefined || until === undefined ? undefined : { from, until }),
    [from, until],
  );
  const charts = useMemo(
    () =>
      chartsOf(series, axes).map((chart) => ({
        ...chart,
        // A single line needs no other name than the chart has.
        drawn: linesOf(chart).map((line) => (isGrouped ? line : { ...line, label: axisLabel(chart.axis) })),
        format: (value: number) => numberWords(value, chart.measure),
      })),
    [series, axes, isGrouped],
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
            measure={axisMeasure(measure)}
            height={heightOf(charts.length)}
            least={measure.type === 'percentage' ? 0.01 : 1}
            labelled={isGrouped ? nameEdge : false}
            band={band}
            marks={marks}
            estimable={estimable || drawn.some(({ ranges }) => ranges)}
            busy={busy}
            headline={
              drawn.some(({ ranges }) => ranges) && (
                <span className={styles.estimated} data-tip={e.confidence}>
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

/** By which steps an axis goes: those of a clock are of milliseconds. */
function axisMeasure({ type, unit }: Measure): AxisMeasure {
  if (type === 'integer') return 'count';
  return type === 'duration' && (unit ?? 'millisecond') === 'millisecond' ? 'duration' : 'number';
}

/** px */
const heightOf = (charts: number): number => (charts > 2 ? 120 : 160);
