import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { tracePlace } from '../../features/performance/links.ts';
import { operationsQuery } from '../../features/performance/part-queries.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { compactNumber, percent, withUnit } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './TransactionPage.module.css';

/** What it spends its time with; each row leads to the longest of its kind. */
export function Operations({ search }: { readonly search: TransactionSearch }) {
  const found = useQuery(operationsQuery(useOrg(), search));
  return (
    <Panel title="Where the time goes" id="operations">
      {found.isPending ? (
        <Skeleton rows={4} height={44} label="Loading operations" />
      ) : found.isError && !found.data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} what="The operations could not be loaded" />
      ) : found.data.operations.length === 0 ? (
        <p className={styles.none}>Nothing was measured inside of it: no child span arrived.</p>
      ) : (
        <ul aria-busy={found.isFetching}>
          {found.data.operations.map(({ op, description, count, share, totalMs, p75Ms, longest }) => (
            <li key={`${op} ${description}`} className={styles.operation}>
              <span className={styles.fill} style={{ inlineSize: `${share * 100}%` }} aria-hidden="true" />
              <div className={styles.operationWhat}>
                <Link to="/traces/$trace" {...tracePlace(longest)} className={styles.operationName} title={description}>
                  {description || op || 'without a name'}
                </Link>
                <span className={styles.faint}>
                  {op}, {withUnit(compactNumber(count), '×')}, p75 {milliseconds(p75Ms)}
                </span>
              </div>
              <span
                className={styles.operationShare}
                data-tip={`${milliseconds(totalMs)} together, without what is below it`}
              >
                {percent(share, 1)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
