import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { slowTagsQuery } from '../../features/performance/part-queries.ts';
import type { TransactionSearch } from '../../features/performance/search.ts';
import { liftWords, milliseconds } from '../../features/performance/words.ts';
import { useOrg } from '../../features/session/organization.ts';
import { exactNumber, percent } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './TransactionPage.module.css';

/** What slow ones, or those of the picked durations, share that others do not. A click leaves those with the tag. */
export function SlowTags({ search }: { readonly search: TransactionSearch }) {
  const found = useQuery(slowTagsQuery(useOrg(), search));
  const isPicked = search.from !== undefined || search.until !== undefined;
  return (
    <Panel title={isPicked ? 'What the picked ones share' : 'What slow ones share'} id="tags">
      {found.isPending ? (
        <Skeleton rows={4} height={44} label="Loading tags" />
      ) : found.isError && !found.data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} what="The tags could not be loaded" />
      ) : (
        <>
          <p className={styles.note}>
            {isPicked ? 'The picked ones' : `Slow: from ${milliseconds(found.data.fromMs)}, the p95`}:{' '}
            {exactNumber(found.data.slow)} of {exactNumber(found.data.count)}.
          </p>
          {found.data.tags.length === 0 ? (
            <p className={styles.none}>No tag is more frequent among them than among all.</p>
          ) : (
            <ul aria-busy={found.isFetching}>
              {found.data.tags.map(({ key, value, lift, slow, count }) => (
                <li key={`${key} ${value}`} className={styles.tag}>
                  <Link
                    from="/performance/transaction"
                    to="."
                    resetScroll={false}
                    search={(before) =>
                      key === 'release'
                        ? { ...before, release: value }
                        : key === 'environment'
                          ? { ...before, environment: value }
                          : { ...before, tag: `${key}:${value}` }
                    }
                    className={styles.tagLink}
                  >
                    <span className={styles.tagKey}>{key}</span>
                    <span className={styles.tagValue} title={value}>
                      {value}
                    </span>
                  </Link>
                  <span className={styles.lift}>{liftWords(lift)}</span>
                  <span className={styles.faint}>
                    {percent(slow, found.data.slow)} of them, {percent(count, found.data.count)} of all
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Panel>
  );
}
