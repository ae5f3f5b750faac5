import { buildBars } from '../../features/event-chart/bars.ts';
import styles from './AlertsPage.module.css';

const width = 70;
const height = 18;

/** Seven days, the last one on the right; the words stand beside it. */
export function WeekBars({ counts }: { readonly counts: readonly number[] }) {
  const bars = buildBars(
    counts.map((count, day) => [day, count]),
    width,
    height,
    3,
  );
  return (
    <svg className={styles.bars} width={width} height={height} aria-hidden="true">
      <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} />
      {bars.map(({ start, x, y, width: wide, height: high }) => (
        <rect key={start} x={x} y={y} width={wide} height={high} />
      ))}
    </svg>
  );
}
