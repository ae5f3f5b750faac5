import { useEffect, useRef, useState } from 'react';
import { onThemeChange, readTokens } from '../../ui/read-tokens.ts';
import { strengthOf } from './heatmap.ts';
import type { TraceHeatmap } from './queries.ts';
import styles from './Heatmap.module.css';

const readColours = () => readTokens(['--accent', '--level-error']);
/** px that a failure takes of its cell at least. */
const leastFailed = 2;

/** The cells: the more requests the stronger; at the foot of each the share that failed. `width` and `height` in px. */
export function HeatmapCanvas({
  heatmap,
  width,
  height,
}: {
  readonly heatmap: TraceHeatmap;
  readonly width: number;
  readonly height: number;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [tokens, setTokens] = useState(readColours);
  useEffect(() => onThemeChange(() => setTokens(readColours())), []);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (!element || !context || width === 0) return;
    const ratio = devicePixelRatio || 1;
    element.width = width * ratio;
    element.height = height * ratio;
    const { columns, rows, cells } = heatmap;
    const [cellWidth, cellHeight] = [element.width / columns, element.height / Math.max(1, rows.length)];
    const gap = cellWidth > 4 * ratio && cellHeight > 3 * ratio ? ratio : 0;
    const most = cells.reduce((highest, [, , count]) => Math.max(highest, count), 1);
    for (const [column, row, count, failed] of cells) {
      // Whole pixels: edges between cells would shine through otherwise.
      const left = Math.round(column * cellWidth);
      const top = Math.round((rows.length - 1 - row) * cellHeight);
      const wide = Math.max(1, Math.round((column + 1) * cellWidth) - left - gap);
      const high = Math.max(1, Math.round((rows.length - row) * cellHeight) - top - gap);
      context.globalAlpha = strengthOf(count, most);
      context.fillStyle = tokens['--accent'];
      context.fillRect(left, top, wide, high);
      if (!failed) continue;
      const share = Math.min(high, Math.max(leastFailed * ratio, Math.round((failed / count) * high)));
      context.globalAlpha = 1;
      context.fillStyle = tokens['--level-error'];
      context.fillRect(left, top + high - share, wide, share);
    }
  }, [heatmap, width, height, tokens]);
  return <canvas ref={canvas} className={styles.canvas} aria-hidden="true" />;
}
