import { localTime } from '../../ui/relative-time.ts';
import { exactNumber } from '../../ui/numbers.ts';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';
import { columnSums } from './heatmap.ts';
import type { TraceHeatmap } from './queries.ts';
import styles from './Heatmap.module.css';
import { durationWords } from './words.ts';

/** What the heatmap shows, newest first; times without a request are left out. */
export function HeatmapTable({ heatmap }: { readonly heatmap: TraceHeatmap }) {
  return (
    <ScrollRegion className={styles.table} label="Requests over time, table">
      <table>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Requests</th>
            <th scope="col">Failed</th>
            <th scope="col">Most took</th>
            <th scope="col">Longest</th>
          </tr>
        </thead>
        <tbody>
          {columnSums(heatmap)
            .toReversed()
            .map(({ at, count, failed, usual, longest }) => (
              <tr key={at}>
                <td>{localTime(at * 1000)}</td>
                <td>{exactNumber(count)}</td>
                <td>{exactNumber(failed)}</td>
                <td>{durationWords(usual)}</td>
                <td>{durationWords(longest)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
