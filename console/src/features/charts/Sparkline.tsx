import * as m from '../../messages/counts.ts';
import { barPieces, highestColumn, mergePoints, type Point } from './bars.ts';
import { countsSentence, type Noun } from './counts.ts';
import styles from './Sparkline.module.css';

interface Props {
  readonly points: readonly Point[];
  readonly counted?: Noun;
  /** Of which time: `last 14 days`. */
  readonly time?: string;
  /** px */
  readonly width?: number;
  readonly height?: number;
  /** Words beside it say the same. */
  readonly decorative?: boolean;
  readonly tone?: 'warning';
}

const mostBars = 40;
/** px */
const leastBar = 2;

/** A row's small picture of events over time; the sentence is for those who do not see it. */
export function Sparkline({
  points,
  counted = 'event',
  time,
  width = 120,
  height = 22,
  decorative = false,
  tone,
}: Props) {
  const sentence = countsSentence(points, counted);
  const merged = mergePoints(points, mostBars);
  const series = [{ values: merged.map(([, count]) => count) }];
  const step = width / Math.max(1, merged.length);
  const gap = step >= 3 ? Math.min(2 / step, 0.25) : 0;
  const pieces = barPieces(series, highestColumn(series, true), { stacked: true, least: leastBar / height, gap });
  const round = (value: number): number => Math.round(value * 100) / 100;
  return (
    <svg
      className={styles.spark}
      data-tone={tone}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      {...(decorative
        ? { 'aria-hidden': true }
        : { role: 'img', 'aria-label': time ? m.during({ sentence, time }) : sentence })}
    >
      <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      {pieces.map(({ column, left, width: wide, height: high }) => (
        <rect
          key={column}
          x={round((column + left) * step)}
          y={round((1 - high) * height)}
          width={round(wide * step)}
          height={round(high * height)}
        />
      ))}
    </svg>
  );
}
