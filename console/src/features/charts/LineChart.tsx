import { lazy, Suspense, useMemo, type ReactNode } from 'react';
import * as m from '../../messages/charts.ts';
import { localMinute, localTime } from '../../ui/relative-time.ts';
import { axisRoom, markRoom } from './Axes.tsx';
import { ChartFrame } from './ChartFrame.tsx';
import { useCrosshair } from './crosshair.ts';
import { pointWords, widestOff } from './estimates.ts';
import { widestOf, type LegendEntry } from './Legend.tsx';
import { linesSentence, placeLabels } from './lines.ts';
import type { ChartMark } from './marks.ts';
import { placeOfValue, valueScale, valueTicks, type Measure } from './scales.ts';
import { placeInTime, timeSpan, type ChartBand, type ChartSeries, type Threshold, type TimeSpan } from './series.ts';
import { TimePlot } from './TimePlot.tsx';
import { useWidth } from './use-width.ts';

interface Props {
  readonly title: string;
  /** The number that the chart is about, beside the title. */
  readonly headline?: ReactNode;
  /** Where each bucket begins, one after the other. */
  readonly times: readonly number[];
  readonly bucketSeconds: number;
  readonly series: readonly ChartSeries[];
  readonly thresholds?: readonly Threshold[];
  readonly format: (value: number) => string;
  readonly measure?: Measure;
  /** Deploys and the like, in a line over the plot. */
  readonly marks?: readonly ChartMark[];
  /** px, with the axis of time, without the line of marks. */
  readonly height?: number;
  /** The axis goes up to this at least. */
  readonly least?: number;
  /** Names stand at the ends of the lines; a number is the room that they take, px, where there is enough for both. */
  readonly labelled?: boolean | number;
  /** A part of the time that is marked. */
  readonly band?: ChartBand | undefined;
  /** Values are estimated, or were: there is room for how far they may be off. */
  readonly estimable?: boolean;
  /** A range was drawn, ms. */
  readonly onZoom?: (startMs: number, endMs: number) => void;
  /** An answer is on its way. */
  readonly busy?: boolean;
}

/** What draws lines is the largest part of a chart: it comes beside what they are drawn from. */
const loadLines = () => import('./Lines.tsx');
const Lines = lazy(() => loadLines().then((module) => ({ default: module.Lines })));
void loadLines().catch(() => undefined);

const noThresholds: readonly Threshold[] = [];
/** px for names at the ends of lines: at least, at most and for a letter; and between two names. */
const shortNames = 46;
const longNames = 80;
const letter = 7;
const nameGap = 13;

/** The room that short names take. */
const roomOf = (names: readonly { readonly label: string; readonly short?: string }[]): number =>
  Math.min(longNames, Math.max(shortNames, ...names.map(({ label, short = label }) => 18 + short.length * letter)));

/** Lines over time. */
export function LineChart({
  title,
  headline,
  times,
  bucketSeconds,
  series,
  thresholds = noThresholds,
  format,
  measure = 'number',
  marks,
  height = 120,
  least = 1,
  labelled = false,
  band,
  estimable = false,
  onZoom,
  busy = false,
}: Props) {
  const span = useMemo(() => timeSpan(times, bucketSeconds), [times, bucketSeconds]);
  const [pointed, point] = useCrosshair(span);
  const plane = height - axisRoom;
  const room = marks ? markRoom : 0;
  const [area, width] = useWidth();
  const scale = useMemo(() => valueScale(series, thresholds, least), [series, thresholds, least]);
  const ticks = useMemo(() => valueTicks(scale, plane, format, measure), [scale, plane, format, measure]);
  const legend = useMemo(
    () => legendOf(series, thresholds, format, estimable, times.length),
    [series, thresholds, format, estimable, times],
  );
  const when = (column: number): string => localMinute((times[column] ?? 0) * 1000);
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  const nameEdge = labelled === true ? roomOf([...series, ...thresholds]) : labelled || undefined;
  return (
    <ChartFrame
      title={title}
      headline={headline}
      sentence={linesSentence(series, times, format, localTime)}
      legend={legend}
      bare={legend.length === 1 && legend[0]?.label === title}
      columns={isEmpty ? 0 : times.length}
      when={when}
      pointed={pointed}
      table={tableOf(legend, series, times)}
      busy={busy}
      height={height + room}
    >
      <TimePlot
        title={title}
        span={span}
        reads="points"
        height={plane}
        edge={nameEdge}
        area={area}
        width={width}
        valueTicks={ticks}
        pointed={pointed}
        onPoint={point}
        legend={legend}
        when={when}
        marks={marks}
        room={room}
        onZoom={onZoom}
        band={band && bandOf(band, span)}
        across={thresholds.map(({ value, ...rule }) => ({ ...rule, place: placeOfValue(value, scale) }))}
        dots={series.flatMap(({ values, token }) => {
          const value = pointed === undefined ? null : (values[pointed] ?? null);
          return value === null ? [] : [{ place: placeOfValue(value, scale), token }];
        })}
        beside={
          nameEdge !== undefined &&
          namesOf(series, thresholds, (value) => placeOfValue(value, scale) * plane, plane).map(
            ({ label, top, token }) => (
              <span key={label} style={{ top, borderColor: `var(${token})` }}>
                {label}
              </span>
            ),
          )
        }
      >
        <Suspense>
          <Lines times={times} span={span} series={series} scale={scale} width={width} height={plane} />
        </Suspense>
      </TimePlot>
    </ChartFrame>
  );
}

function legendOf(
  series: readonly ChartSeries[],
  thresholds: readonly Threshold[],
  format: (value: number) => string,
  estimable: boolean,
  columns: number,
): LegendEntry[] {
  return [
    ...series.map((one): LegendEntry => {
      const { label, isData, token, dash, dots, values } = one;
      const widest = widestOf(columns, (column) => pointWords({ values }, column, format));
      return {
        label,
        isData,
        token,
        dash,
        shape: dots ? 'dot' : 'line',
        words: (column) => pointWords(one, column, format),
        widest: estimable ? widest + widestOff : widest,
      };
    }),
    ...thresholds.map(({ label, value, token, dash }): LegendEntry => {
      const words = format(value);
      return { label, token, dash, shape: 'line', words: () => words, widest: words };
    }),
  ];
}

/** Newest first; times at which nothing was measured are left out. */
function tableOf(legend: readonly LegendEntry[], series: readonly ChartSeries[], times: readonly number[]) {
  return {
    rows: [...times.keys()]
      .filter((index) => series.some(({ values }) => (values[index] ?? null) !== null))
      .toReversed(),
    columns: [
      { label: m.from, cell: (row: number) => localTime((times[row] ?? 0) * 1000) },
      ...legend.map(({ label, isData, words }) => ({ label, isData, cell: words })),
    ],
  };
}

const bandOf = ({ from, until }: ChartBand, span: TimeSpan) => {
  const [start, end] = [Math.max(0, placeInTime(from, span)), Math.min(1, placeInTime(until, span))];
  return end > start ? { from: start, until: end } : undefined;
};

/** Where lines end, and what they are compared with. */
function namesOf(
  series: readonly ChartSeries[],
  thresholds: readonly Threshold[],
  topOf: (value: number) => number,
  height: number,
) {
  const ends = series.map(({ label, short = label, values, token }) => {
    return { label: short, token, value: values.findLast((value) => value !== null) ?? null };
  });
  const named = [...ends, ...thresholds].flatMap(({ label, token, value }) =>
    value === null ? [] : [{ label, token, top: topOf(value) }],
  );
  const places = placeLabels(
    named.map(({ top }) => top),
    nameGap,
    height - 6,
  );
  return named.map((each, index) => ({ ...each, top: places[index] ?? 0 }));
}
