import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tracePlace } from '../../features/performance/links.ts';
import { samplesQuery } from '../../features/performance/part-queries.ts';
import { sampleRows } from '../../features/performance/sample-rows.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './TransactionPage.module.css';

/** Traces that took about as long as the percentiles, or of the durations that were picked. */
export function Samples({ search }: { readonly search: TransactionSearch }) {
  const found = useQuery(samplesQuery(useOrg(), search));
  const rows = sampleRows(found.data?.samples ?? []);
  return (
    <Panel title="Sample traces" id="samples">
      {found.isPending ? (
        <Skeleton rows={6} height={32} label="Loading samples" />
      ) : found.isError && !found.data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} what="The samples could not be loaded" />
      ) : rows.length === 0 ? (
        <p className={styles.none}>None of these durations.</p>
      ) : (
        <table className={styles.samples} aria-busy={found.isFetching}>
          <thead>
            <tr>
              <th scope="col">At</th>
              <th scope="col" className={styles.number}>
                Duration
              </th>
              <th scope="col">Trace</th>
              <th scope="col" className={styles.optional}>
                Release
              </th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((sample) => (
              <tr key={`${sample.traceId} ${sample.spanId}`}>
                <td className={styles.faint}>{sample.heading}</td>
                <td className={styles.number}>{milliseconds(sample.durationMs)}</td>
                <td>
                  <Link to="/traces/$trace" {...tracePlace(sample)}>
                    <code>{sample.traceId.slice(0, 8)}</code>
                  </Link>
                  {sample.status && sample.status !== 'ok' && (
                    <span className={styles.failed}> ● {sample.status.replaceAll('_', ' ')}</span>
                  )}
                </td>
                <td className={styles.optional}>
                  <code>{sample.release}</code>
                </td>
                <td className={styles.faint}>
                  <Time at={sample.startUs / 1000} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
