import { useId, useState } from 'react';
import { useNow } from '../../ui/Time.tsx';
import { localClock, localShortDay, localTime } from '../../ui/relative-time.ts';
import { compactNumber, exactNumber, plural } from '../../ui/numbers.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { buildBars, chartSentence, type Point } from './bars.ts';
import styles from './charts.module.css';

const height = 56;

/** Events over time as bars that can be pointed at; the same as a table on request. */
export function EventChart({ points, caption }: { readonly points: readonly Point[]; readonly caption: string }) {
  const [table, setTable] = useState(false);
  const id = useId();
  const now = useNow();
  const bars = buildBars(points, points.length * 10, height);
  const most = Math.max(0, ...points.map(([, count]) => count));
  const first = bars[0];
  const last = bars.at(-1);
  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption id={id} className={styles.caption}>
        <span>
          {caption}
          {most > 0 && (
            <span className={styles.peak} aria-hidden="true">
              {' '}
              · peak {compactNumber(most)}
            </span>
          )}
        </span>
        <span className="visually-hidden">{chartSentence(points, localTime)}</span>
        <button type="button" className={styles.tableToggle} aria-expanded={table} onClick={() => setTable(!table)}>
          {table ? 'View as chart' : 'View as table'}
        </button>
      </figcaption>
      {table ? (
        <ScrollRegion className={styles.tableBox} label={`${caption}, table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">events</th>
              </tr>
            </thead>
            <tbody>
              {bars
                .filter((bar) => bar.count > 0)
                .map((bar) => (
                  <tr key={bar.start}>
                    <td>{localTime(bar.start)}</td>
                    <td>{exactNumber(bar.count)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </ScrollRegion>
      ) : (
        <div className={styles.plot}>
          <svg
            viewBox={`0 0 ${Math.max(1, points.length * 10)} ${height}`}
            preserveAspectRatio="none"
            height={height}
            aria-hidden="true"
          >
            {bars.map((bar) => (
              <g
                key={bar.start}
                data-tip={`${plural(bar.count, 'event')}\n${localTime(bar.start)} –\n${localTime(bar.end)}`}
              >
                <rect className={styles.hit} x={bar.x} y="0" width="10" height={height} />
                <rect className={styles.bar} x={bar.x} y={bar.y} width={bar.width} height={bar.height} />
              </g>
            ))}
          </svg>
          {first && last && (
            <div className={styles.axis} aria-hidden="true">
              <span>{axisTime(first.start, last.end - first.start)}</span>
              <span>
                {now < last.end + (last.end - last.start) ? 'now' : axisTime(last.end, last.end - first.start)}
              </span>
            </div>
          )}
        </div>
      )}
    </figure>
  );
}

const axisTime = (at: number, spanMs: number): string => (spanMs > 2 * 86_400_000 ? localShortDay : localClock)(at);
