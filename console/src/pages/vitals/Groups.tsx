import { useQuery } from '@tanstack/react-query';
import { vitalsQuery, type VitalsBy } from '../../features/performance/queries.ts';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import type { VitalsSearch } from '../../features/performance/search.ts';
import { formatVital, vitalFacts, vitalNames, vitalRating } from '../../features/performance/vitals.ts';
import { useOrg } from '../../features/session/organization.ts';
import { cx } from '../../ui/cx.ts';
import { compactNumber, withUnit } from '../../ui/numbers.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './VitalsPage.module.css';

/** The same by who looks at the pages; most frequent first. */
export function Groups({
  search,
  by,
  title,
}: {
  readonly search: VitalsSearch;
  readonly by: VitalsBy;
  readonly title: string;
}) {
  const found = useQuery(vitalsQuery(useOrg(), search, by, search.page));
  return (
    <Panel title={title} id={by}>
      {found.isPending ? (
        <Skeleton rows={3} height={36} label={`Loading ${title.toLowerCase()}`} />
      ) : found.isError && !found.data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} what={`${title} could not be loaded`} />
      ) : (
        <table className={styles.table} aria-busy={found.isFetching}>
          <thead>
            <tr>
              <th scope="col" className={styles.what}>
                {title.slice(0, -1)}
              </th>
              <th scope="col">Score</th>
              {vitalNames.map((vital) => (
                <th key={vital} scope="col" className={cx(styles.number, vital !== 'lcp' && styles.wide)}>
                  <abbr title={vitalFacts[vital].name}>{vitalFacts[vital].short}</abbr>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.data
              .toSorted((a, b) => b.count - a.count)
              .slice(0, 10)
              .map(({ name, count, score, vitals }) => (
                <tr key={name}>
                  <td className={styles.what}>
                    {name || 'not known'} <span className={styles.faint}>{withUnit(compactNumber(count), '×')}</span>
                  </td>
                  <td className={styles.scoreCell}>
                    {score === null ? <span className={styles.faint}>–</span> : <b>{Math.round(score)}</b>}
                  </td>
                  {vitalNames.map((vital) => {
                    const own = vitals.find((each) => each.vital === vital);
                    return (
                      <td key={vital} className={cx(styles.number, vital !== 'lcp' && styles.wide)}>
                        {own ? (
                          <span
                            data-tip={
                              own.score === null ? 'Does not count towards the score of this browser' : undefined
                            }
                          >
                            {formatVital(vital, own.p75)} <RatingMark rating={vitalRating(vital, own.p75)} short />
                          </span>
                        ) : (
                          '–'
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
