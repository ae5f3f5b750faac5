import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onThemeChange, readTokens } from '../../ui/read-tokens.ts';
import { chartOptions, type Drawing } from './draw.ts';
import { chartTokens } from './model.ts';
import styles from './TimeChart.module.css';
import { usePressed } from './use-pressed.ts';

interface Props extends Omit<Drawing, 'colours'> {
  /** px */
  readonly height: number;
  /** How wide it is now, px. */
  readonly onWidth: (width: number) => void;
}

/** The picture alone: made anew when what it shows, its width or the theme changes, but not under a held button. */
export function Canvas(props: Props) {
  const { times, bucketSeconds, series, marks, band, format, least, counts, labelEdge, sync, height } = props;
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [colours, setColours] = useState(() => readTokens(chartTokens));
  const pointed = useEffectEvent(props.onPoint);
  const measured = useEffectEvent((wide: number) => {
    setWidth(wide);
    props.onWidth(wide);
  });
  const brushed = useEffectEvent((startMs: number, endMs: number) => props.onBrush?.(startMs, endMs));
  const brushable = props.onBrush !== undefined;
  const pressed = usePressed(box);
  /** `picture` is what was drawn, to know it again. */
  const drawn = useRef<{ readonly picture: object; readonly plot: uPlot }>(undefined);

  useEffect(() => onThemeChange(() => setColours(readTokens(chartTokens))), []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => measured(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const picture = useMemo(
    () => ({
      times,
      bucketSeconds,
      series,
      marks,
      band,
      format,
      least,
      counts,
      labelEdge,
      sync,
      colours,
      width,
      height,
      brushable,
    }),
    [
      times,
      bucketSeconds,
      series,
      marks,
      band,
      format,
      least,
      counts,
      labelEdge,
      sync,
      colours,
      width,
      height,
      brushable,
    ],
  );
  useEffect(() => {
    const element = box.current;
    // A range is drawn with the button held down: a picture that began meanwhile would know nothing of it.
    if (!element || picture.width === 0 || pressed || drawn.current?.picture === picture) return;
    const drawing: Drawing = {
      ...picture,
      onPoint: (index) => pointed(index),
      onBrush: picture.brushable ? (startMs, endMs) => brushed(startMs, endMs) : undefined,
    };
    const data: uPlot.AlignedData = [[...picture.times], ...picture.series.map(({ values }) => [...values])];
    drawn.current?.plot.destroy();
    drawn.current = { picture, plot: new uPlot(chartOptions(drawing, picture.width, picture.height), data, element) };
  }, [picture, pressed]);
  useEffect(
    () => () => {
      drawn.current?.plot.destroy();
      drawn.current = undefined;
    },
    [],
  );

  return <div ref={box} className={styles.canvas} data-brush={brushable || undefined} aria-hidden="true" />;
}
