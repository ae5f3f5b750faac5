import { localTime } from '../../ui/relative-time.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { pointWords, type ChartSeries } from './model.ts';
import styles from './TimeChart.module.css';

/** The values of a chart, newest first; times at which nothing was measured are left out. */
export function ChartTable({
  title,
  times,
  series,
  format,
}: {
  readonly title: string;
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly format: (value: number) => string;
}) {
  const measured = [...times.keys()].filter((index) => series.some(({ values }) => (values[index] ?? null) !== null));
  return (
    <ScrollRegion className={styles.table} label={`${title}, table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measured.toReversed().map((index) => (
            <tr key={index}>
              <td>{localTime((times[index] ?? 0) * 1000)}</td>
              {series.map((one) => (
                <td key={one.label}>{pointWords(one, index, format)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
