import { memo } from 'react';
import { ticksOf, type TimeWindow } from './scale.ts';
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
    <div className={styles.axis} aria-hidden="true">
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
        <i key={us} style={{ '--at': `${share * 100}%` }} />
      ))}
    </div>
  );
});
