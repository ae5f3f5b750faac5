import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onThemeChange, readTokens } from '../../ui/read-tokens.ts';
import { hasRangeBands, rangeRuns } from './estimates.ts';
import { lonePoints } from './lines.ts';
import type { ValueScale } from './scales.ts';
import { chartTokens, type ChartSeries, type ChartToken, type TimeSpan } from './series.ts';
import styles from './Plot.module.css';

interface Props {
  readonly times: readonly number[];
  readonly span: TimeSpan;
  readonly series: readonly ChartSeries[];
  readonly scale: ValueScale;
  /** px */
  readonly width: number;
  readonly height: number;
}

type Colours = Readonly<Record<ChartToken, string>>;

/** Lines on a canvas, and nothing else: made anew when they, their size or the theme change. */
export function Lines({ times, span, series, scale, width, height }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [colours, setColours] = useState(() => readTokens(chartTokens));
  useEffect(() => onThemeChange(() => setColours(readTokens(chartTokens))), []);
  const { from, until } = span;
  const { low, high } = scale;
  const options = useMemo(
    (): uPlot.Options => ({
      width,
      height,
      legend: { show: false },
      cursor: { show: false },
      select: { show: false, left: 0, top: 0, width: 0, height: 0 },
      padding: [0, 0, 0, 0],
      scales: { x: { time: true, range: [from, until] }, y: { range: [low, high] } },
      axes: [{ show: false }, { show: false }],
      series: [{}, ...series.map((one) => lineOf(one, colours))],
      bands: series.flatMap(({ bandTo, token }, index) =>
        bandTo === undefined
          ? []
          : [{ series: [index + 1, bandTo + 1] as [number, number], fill: translucent(colours[token]) }],
      ),
      hooks: { drawAxes: [(plot) => hasRangeBands(series) && drawRanges(plot, series, times, colours)] },
    }),
    [times, from, until, series, low, high, width, height, colours],
  );
  useEffect(() => {
    if (!box.current) return;
    const data: uPlot.AlignedData = [[...times], ...series.map(({ values }) => [...values])];
    const plot = new uPlot(options, data, box.current);
    return () => plot.destroy();
  }, [options, times, series]);
  return <div ref={box} className={styles.painter} aria-hidden="true" />;
}

function lineOf({ values, token, dash, dots = false, filled, label }: ChartSeries, colours: Colours): uPlot.Series {
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
}

/** `rgb(1, 2, 3)` at a tenth of its strength. */
const translucent = (colour: string): string => colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.1)');

/** Behind the lines: where estimated values may lie. What leaves the plot is cut off. */
function drawRanges(
  { ctx, bbox, valToPos }: uPlot,
  series: readonly ChartSeries[],
  times: readonly number[],
  colours: Colours,
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
