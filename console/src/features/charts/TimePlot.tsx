import * as m from '../../messages/charts.ts';
import type { LegendEntry } from './Legend.tsx';
import type { ChartMark } from './marks.ts';
import { Marks } from './Marks.tsx';
import { Plot, type PlotProps } from './Plot.tsx';
import { placeInTime, timeOfColumns, type TimeSpan } from './series.ts';
import { timeTicks } from './time-axis.ts';

interface Props extends Omit<PlotProps, 'columns' | 'columnTicks' | 'words' | 'onSelect' | 'down' | 'over'> {
  readonly span: TimeSpan;
  readonly legend: readonly LegendEntry[];
  readonly when: (column: number) => string;
  readonly marks: readonly ChartMark[] | undefined;
  /** A range was drawn, ms. */
  readonly onZoom?: ((startMs: number, endMs: number) => void) | undefined;
}

/** `Nov 21, 14:00: p50 12 ms, p95 40 ms` */
function readingOf(column: number, legend: Props['legend'], when: Props['when']): string {
  const values = legend.map(({ label, words }) => m.value({ label, value: words(column) }));
  return m.reading({ when: when(column), values: values.join(', ') });
}

/** A plot whose columns are buckets of time, with what was deployed. */
export function TimePlot({ span, legend, when, marks = [], onZoom, ...plot }: Props) {
  const seen = marks.filter(({ at }) => at >= span.from && at <= span.until);
  const { width } = plot;
  return (
    <Plot
      {...plot}
      columns={span.columns}
      columnTicks={timeTicks(span, width)}
      words={(column) => readingOf(column, legend, when)}
      onSelect={
        onZoom &&
        (([first, last]) => {
          const { startMs, endMs } = timeOfColumns(first, last, span);
          onZoom(startMs, endMs);
        })
      }
      down={seen.map(({ at }) => ({ place: placeInTime(at, span) }))}
      over={seen.length > 0 && width > 0 && <Marks marks={seen} span={span} width={width} />}
    />
  );
}
