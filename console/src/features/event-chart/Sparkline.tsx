import { buildBars, chartSentence, mergePoints, type Point } from './bars.ts';
import styles from './charts.module.css';

const width = 120;
const height = 22;

/** A row's small picture of events over time; the sentence is for those who do not see it. */
export function Sparkline({
  points,
  time,
}: {
  readonly points: readonly Point[];
  /** Of which time: `last 14 days`. */
  readonly time?: string;
}) {
  const bars = buildBars(mergePoints(points, 40), width, height);
  return (
    <svg
      className={styles.spark}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={time ? `${chartSentence(points)}, ${time}` : chartSentence(points)}
    >
      <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      {bars.map(
        (bar) => bar.count > 0 && <rect key={bar.start} x={bar.x} y={bar.y} width={bar.width} height={bar.height} />,
      )}
    </svg>
  );
}
