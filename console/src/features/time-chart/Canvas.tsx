import { useEffect, useEffectEvent, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { onThemeChange, readTokens } from '../../ui/read-tokens.ts';
import { chartOptions, type Drawing } from './draw.ts';
import { chartTokens } from './model.ts';
import styles from './TimeChart.module.css';

interface Props extends Omit<Drawing, 'colours'> {
  /** px */
  readonly height: number;
  /** How wide it is now, px. */
  readonly onWidth: (width: number) => void;
}

/** The picture alone: made anew when what it shows, its width or the theme changes. */
export function Canvas(props: Props) {
  const { times, bucketSeconds, series, marks, band, format, least, labelEdge, sync, height } = props;
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

  useEffect(() => onThemeChange(() => setColours(readTokens(chartTokens))), []);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => measured(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = box.current;
    if (!element || width === 0) return;
    const drawing: Drawing = {
      times,
      bucketSeconds,
      series,
      marks,
      band,
      format,
      least,
      labelEdge,
      sync,
      colours,
      onPoint: (index) => pointed(index),
      onBrush: brushable ? (startMs, endMs) => brushed(startMs, endMs) : undefined,
    };
    const data: uPlot.AlignedData = [[...times], ...series.map(({ values }) => [...values])];
    const plot = new uPlot(chartOptions(drawing, width, height), data, element);
    return () => plot.destroy();
  }, [times, bucketSeconds, series, marks, band, format, height, least, labelEdge, sync, brushable, width, colours]);

  return <div ref={box} className={styles.canvas} data-brush={brushable || undefined} aria-hidden="true" />;
}
