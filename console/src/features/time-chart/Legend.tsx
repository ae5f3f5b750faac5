import { useMemo } from 'react';
import { localMinute } from '../../ui/relative-time.ts';
import { pointWords, widestOff, type ChartSeries } from './model.ts';
import styles from './TimeChart.module.css';

interface Props {
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
  /** Index of the bucket that is pointed at. */
  readonly pointed: number | undefined;
  /** Room for how far a value may be off. */
  readonly estimable: boolean;
}

/** What the lines are; pointed at, what they are there. Unseen, it always has the room for that. */
export function Legend({ times, series, format, pointed, estimable }: Props) {
  const longest = useMemo(
    () =>
      series.map(({ values }) => {
        const widest = values.reduce((most: string, _, index) => {
          const words = pointWords({ values }, index, format);
          return words.length > most.length ? words : most;
        }, '–');
        return estimable ? widest + widestOff : widest;
      }),
    [series, format, estimable],
  );
  const at = pointed === undefined ? undefined : times[pointed];
  return (
    <div className={styles.legend} aria-hidden="true">
      {[times.at(-1), at].map((moment, index) => (
        <div key={index} className={styles.line} data-reserved={index === 0 || undefined}>
          {series.map((one, place) => (
            <span key={one.label} className={styles.entry}>
              <Stroke series={one} />
              <span className={styles.name}>{one.label}</span>
              {moment !== undefined && (
                <b style={{ '--widest': `${longest[place]?.length}ch` }}>
                  {index === 0 || pointed === undefined ? longest[place] : pointWords(one, pointed, format)}
                </b>
              )}
            </span>
          ))}
          {moment !== undefined && <span className={styles.when}>{localMinute(moment * 1000)}</span>}
        </div>
      ))}
    </div>
  );
}

function Stroke({ series: { token, dash, dots } }: { readonly series: ChartSeries }) {
  return (
    <svg width="16" height="8" viewBox="0 0 16 8">
      {dots ? (
        <circle cx="8" cy="4" r="4" fill={`var(${token})`} />
      ) : (
        <line x1="0" x2="16" y1="4" y2="4" stroke={`var(${token})`} strokeWidth="2" strokeDasharray={dash?.join(' ')} />
      )}
    </svg>
  );
}
