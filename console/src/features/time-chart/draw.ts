/** Options for uPlot: how lines, axes, marks and names of lines look on the canvas. */
import type uPlot from 'uplot';
import {
  axisWidth,
  brushedRange,
  hasBands,
  highest,
  lonePoints,
  lowest,
  placeLabels,
  rangeRuns,
  plainEdge,
  timeSpan,
  wholeSteps,
  type ChartBand,
  type ChartMark,
  type ChartSeries,
  type ChartToken,
} from './model.ts';
import { timeTickLabels } from '../../ui/time-ticks.ts';

export interface Drawing {
  readonly times: readonly number[];
  readonly bucketSeconds: number;
  readonly series: readonly ChartSeries[];
  readonly marks: readonly ChartMark[];
  readonly format: (value: number) => string;
  readonly least: number;
  /** What is drawn is counted: the axis has whole numbers only. */
  readonly counts: boolean;
  readonly band: ChartBand | undefined;
  /** px for names at the ends of lines; undefined: they stand nowhere. */
  readonly labelEdge: number | undefined;
  /** Charts of one key share the crosshair. */
  readonly sync: string | undefined;
  readonly colours: Readonly<Record<ChartToken, string>>;
  /** Index of the time that is pointed at. */
  readonly onPoint: (index: number | undefined) => void;
  /** ms. */
  readonly onBrush: ((startMs: number, endMs: number) => void) | undefined;
}

const font = '11px system-ui, sans-serif';
const labelGap = 13;

export function chartOptions(drawing: Drawing, width: number, height: number): uPlot.Options {
  const { times, bucketSeconds, series, marks, band, format, counts, labelEdge, sync, colours, onPoint, onBrush } =
    drawing;
  const span = timeSpan(times, bucketSeconds);
  const top = highest(series, drawing.least);
  const axis = { stroke: colours['--text-faint'], font, ticks: { show: false } };
  return {
    width,
    height,
    legend: { show: false },
    padding: [6, labelEdge ?? plainEdge, 0, 0],
    scales: { x: { time: true, range: [span.from, span.until] }, y: { range: [lowest(series), top] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        gap: 4,
        space: 64,
        values: (_, ticks) => timeTickLabels(ticks),
      },
      {
        ...axis,
        size: axisWidth,
        gap: 6,
        space: 26,
        grid: { stroke: colours['--line'], width: 1 },
        ...(counts && { incrs: [...wholeSteps] }),
        values: (_, ticks) => ticks.map((value) => (value === 0 ? '0' : format(value))),
      },
    ],
    series: [
      {},
      ...series.map(({ values, token, dash, dots = false, filled, label }): uPlot.Series => {
        const lone = dots ? null : lonePoints(values);
        return {
          label,
          stroke: colours[token],
          width: 1.5,
          ...(dash && { dash: [...dash] }),
          ...(filled && { fill: translucent(colours[token]) }),
          ...(dots && { paths: () => null }),
          points: {
            size: dots ? 9 : 5,
            fill: colours[token],
            show: lone === null || lone.length > 0,
            filter: () => lone,
          },
        };
      }),
    ],
    cursor: {
      y: false,
      points: { size: 6 },
      drag: { x: onBrush !== undefined, y: false, setScale: false },
      ...(sync && {
        // Only the crosshair is shared: a range is drawn in one of them.
        sync: { key: sync, setSeries: false, filters: { pub: (type) => type !== 'mousedown' && type !== 'mouseup' } },
      }),
    },
    hooks: {
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
      setSelect: [
        (plot) => {
          const { left, width: wide } = plot.select;
          if (wide < 4) return;
          const [from, until] = [plot.posToVal(left, 'x'), plot.posToVal(left + wide, 'x')];
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          const range = brushedRange(from, until, times, bucketSeconds);
          if (range) onBrush?.(range.startMs, range.endMs);
        },
      ],
      drawAxes: [
        (plot) => band && drawBand(plot, band, span, colours['--accent']),
        (plot) => hasBands(series) && drawRanges(plot, series, times, colours),
        (plot) => drawMarks(plot, marks, span, colours['--line-control']),
      ],
      draw: [(plot) => labelEdge !== undefined && drawNames(plot, series, colours)],
    },
  };
}

/** `rgb(1, 2, 3)` at a tenth of its strength. */
const translucent = (colour: string): string => colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.1)');

function drawBand(
  { ctx, bbox, valToPos }: uPlot,
  band: ChartBand,
  span: { readonly from: number; readonly until: number },
  colour: string,
): void {
  const [from, until] = [Math.max(band.from, span.from), Math.min(band.until, span.until)];
  if (!(until > from)) return;
  const [left, right] = [valToPos(from, 'x', true), valToPos(until, 'x', true)];
  ctx.save();
  ctx.fillStyle = translucent(colour);
  ctx.fillRect(left, bbox.top, right - left, bbox.height);
  ctx.fillStyle = colour;
  for (const x of [left, right]) ctx.fillRect(Math.round(x), bbox.top, devicePixelRatio, bbox.height);
  ctx.restore();
}

/** Behind the lines: where estimated values may lie. What leaves the plot is cut off. */
function drawRanges(
  { ctx, bbox, valToPos }: uPlot,
  series: readonly ChartSeries[],
  times: readonly number[],
  colours: Drawing['colours'],
): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const { ranges, token } of series) {
    ctx.fillStyle = translucent(colours[token]);
    for (const run of rangeRuns(ranges)) {
      const x = (index: number): number => valToPos(times[index] ?? 0, 'x', true);
      ctx.beginPath();
      for (const { index, high } of run) ctx.lineTo(x(index), valToPos(high, 'y', true));
      for (const { index, low } of run.toReversed()) ctx.lineTo(x(index), valToPos(low, 'y', true));
      ctx.fill();
    }
  }
  ctx.restore();
}

function drawMarks(
  { ctx, bbox, valToPos }: uPlot,
  marks: readonly ChartMark[],
  span: { readonly from: number; readonly until: number },
  colour: string,
): void {
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 2 * devicePixelRatio]);
  for (const { at } of marks) {
    if (at < span.from || at > span.until) continue;
    const x = Math.round(valToPos(at, 'x', true)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

function drawNames({ ctx, bbox, valToPos }: uPlot, series: readonly ChartSeries[], colours: Drawing['colours']): void {
  const ratio = devicePixelRatio;
  const named = series.flatMap(({ label, short = label, values, token }) => {
    const last = values.findLast((value) => value !== null);
    return last === undefined || last === null ? [] : [{ label: short, token, y: valToPos(last, 'y', true) / ratio }];
  });
  const places = placeLabels(
    named.map(({ y }) => y),
    labelGap,
    (bbox.top + bbox.height) / ratio - 2,
  );
  ctx.save();
  ctx.font = `600 ${11 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'middle';
  // The axis leaves its own.
  ctx.textAlign = 'left';
  named.forEach(({ label, token }, index) => {
    ctx.fillStyle = colours[token];
    ctx.fillText(label, bbox.left + bbox.width + 6 * ratio, (places[index] ?? 0) * ratio);
  });
  ctx.restore();
}
