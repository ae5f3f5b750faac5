import { memo } from 'react';
import { duration } from '../../ui/durations.ts';
import { usePointedUs } from './crosshair.ts';
import { place, ticksOf, type TimeWindow } from './scale.ts';
import styles from './Waterfall.module.css';

/** The moments of the window, counted from the start of what is shown. */
export const TimeAxis = memo(function TimeAxis({
  window,
  originUs,
  most,
}: {
  readonly window: TimeWindow;
  readonly originUs: number;
  readonly most: number;
}) {
  return (
    <div className={styles.axis} dir="ltr" aria-hidden="true">
      {ticksOf(window, most, originUs)
        .filter(({ share }) => share < 0.96)
        .map(({ us, share, label }) => (
          <span key={us} className={styles.tick} style={{ '--at': `${share * 100}%` }}>
            {label}
          </span>
        ))}
    </div>
  );
});

/** The same moments as lines behind the bars. */
export const TickLines = memo(function TickLines({
  window,
  originUs,
  most,
}: {
  readonly window: TimeWindow;
  readonly originUs: number;
  readonly most: number;
}) {
  return (
    <div className={styles.lines} aria-hidden="true">
      {ticksOf(window, most, originUs).map(({ us, share }) => (
        <i key={us} style={{ '--at': `${share * 100}%` }} dir="ltr" />
      ))}
      <Pointed window={window} className={styles.pointed} />
    </div>
  );
});

/** The moment that is pointed at; counted from `originUs` where it is said. */
export function Pointed({
  window,
  originUs,
  className,
}: {
  readonly window: TimeWindow;
  readonly originUs?: number;
  readonly className: string | undefined;
}) {
  const us = usePointedUs();
  const placed = us === undefined ? undefined : place(window, us, 0);
  if (us === undefined || !placed || placed.outside) return null;
  return (
    <i
      className={className}
      style={{ '--at': `${placed.left * 100}%` }}
      dir="ltr"
      data-end={placed.left > 0.9 || undefined}
    >
      {originUs !== undefined && <span>{us === originUs ? '0' : duration(us - originUs)}</span>}
    </i>
  );
}
