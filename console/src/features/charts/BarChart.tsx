import { useMemo, type ReactNode } from 'react';
import * as m from '../../messages/charts.ts';
import * as c from '../../messages/counts.ts';
import { exactNumber, compactNumber } from '../../ui/numbers.ts';
import { localMinute, localTime } from '../../ui/relative-time.ts';
import { axisRoom, markRoom, narrowAxis } from './Axes.tsx';
import { barPieces, highestColumn } from './bars.ts';
import { Bars } from './Bars.tsx';
import { ChartFrame } from './ChartFrame.tsx';
import { useCrosshair } from './crosshair.ts';
import { widestOf, type LegendEntry } from './Legend.tsx';
import type { ChartMark } from './marks.ts';
import { valueScale, valueTicks } from './scales.ts';
import { countsSentence, type Noun } from './counts.ts';
import { timeSpan, type ChartToken } from './series.ts';
import { TimePlot } from './TimePlot.tsx';
import { useWidth } from './use-width.ts';

export interface CountSeries {
  readonly label: string;
  readonly token: ChartToken;
  readonly values: readonly number[];
}

interface Props {
  readonly title: string;
  readonly headline?: ReactNode;
  readonly counted: Noun;
  readonly times: readonly number[];
  readonly bucketSeconds: number;
  /** One above the other, or side by side. */
  readonly series: readonly CountSeries[];
  readonly arrangement?: 'stacked' | 'grouped';
  readonly marks?: readonly ChartMark[];
  /** px, with the axis of time, without the line of marks. */
  readonly height?: number;
  /** A range was drawn, ms. */
  readonly onZoom?: (startMs: number, endMs: number) => void;
  readonly busy?: boolean;
  /** Beside the switch to the table. */
  readonly tools?: ReactNode;
}

/** px */
const leastBar = 2;
const seam = 1;

/** Counts over time as bars. One series is named by the title alone. */
export function BarChart({
  title,
  headline,
  counted,
  times,
  bucketSeconds,
  series,
  arrangement = 'stacked',
  marks,
  height = 120,
  onZoom,
  busy = false,
  tools,
}: Props) {
  const span = useMemo(() => timeSpan(times, bucketSeconds), [times, bucketSeconds]);
  const [pointed, point] = useCrosshair(span);
  const plane = height - axisRoom;
  const room = marks ? markRoom : 0;
  const [area, width] = useWidth();
  const stacked = arrangement === 'stacked';
  const drawn = useMemo(() => {
    const most = highestColumn(series, stacked);
    const scale = valueScale([{ values: [most] }], [], 1);
    return {
      ticks: valueTicks(scale, plane, compactNumber, 'count'),
      pieces: barPieces(series, scale.high, {
        stacked,
        least: leastBar / plane,
        seam: series.length > 1 ? seam / plane : 0,
        gap: 0.2,
      }),
    };
  }, [series, stacked, plane]);
  const legend = useMemo(
    () =>
      series.map(({ label, token, values }): LegendEntry => {
        // Alone it stands without its name.
        const say = series.length === 1 ? (count: number) => c.total[counted]({ count }) : exactNumber;
        const words = (column: number): string => say(values[column] ?? 0);
        return { label, token, shape: 'bar', words, widest: widestOf(values.length, words) };
      }),
    [series, counted],
  );
  const totals = useMemo(
    () => times.map((at, column) => [at, series.reduce((sum, { values }) => sum + (values[column] ?? 0), 0)] as const),
    [times, series],
  );
  const when = (column: number): string => localMinute((times[column] ?? 0) * 1000);
  return (
    <ChartFrame
      title={title}
      headline={headline}
      sentence={countsSentence(totals, counted, localTime)}
      legend={legend}
      bare={series.length === 1}
      columns={times.length}
      when={when}
      pointed={pointed}
      table={{
        rows: totals.flatMap(([, total], column) => (total > 0 ? [column] : [])).toReversed(),
        columns: [
          { label: m.from, cell: (row) => localTime((times[row] ?? 0) * 1000) },
          ...series.map(({ label, values }) => ({ label, cell: (row: number) => exactNumber(values[row] ?? 0) })),
        ],
      }}
      busy={busy}
      tools={tools}
      height={height + room}
    >
      <TimePlot
        title={title}
        span={span}
        reads="columns"
        height={plane}
        axis={plane < 60 ? narrowAxis : undefined}
        area={area}
        width={width}
        valueTicks={drawn.ticks}
        pointed={pointed}
        onPoint={point}
        legend={legend}
        when={when}
        marks={marks}
        room={room}
        onZoom={onZoom}
      >
        <Bars pieces={drawn.pieces} columns={times.length} tokens={series.map(({ token }) => token)} />
      </TimePlot>
    </ChartFrame>
  );
}
