import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { useRowKeys } from '../../features/commands/use-row-keys.ts';
import { vitalsQuery, type VitalsGroup } from '../../features/performance/queries.ts';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import type { VitalsSearch } from '../../features/performance/search.ts';
import {
  formatVital,
  opportunityWords,
  vitalFacts,
  vitalNames,
  vitalRating,
} from '../../features/performance/vitals.ts';
import { useOrg } from '../../features/session/organization.ts';
import { roundedNumber } from '../../ui/numbers.ts';
import { Count } from '../../ui/Count.tsx';
import { cx } from '../../ui/cx.ts';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './VitalsPage.module.css';

/** Every page, where there is most to gain first. */
export function Pages({ search }: { readonly search: VitalsSearch }) {
  const found = useQuery(vitalsQuery(useOrg(), search, 'transaction'));
  const rows = useRef<HTMLTableSectionElement>(null);
  useRowKeys(rows);
  return (
    <Panel title="Pages" id="pages">
      {found.isPending ? (
        <Skeleton rows={6} height={44} label="Loading pages" />
      ) : found.isError && !found.data ? (
        <ErrorState error={found.error} retry={() => void found.refetch()} what="The pages could not be loaded" />
      ) : (
        <table className={styles.table} aria-busy={found.isFetching}>
          <thead>
            <tr>
              <th scope="col" className={styles.what}>
                Page
              </th>
              <th scope="col">Score</th>
              {vitalNames.map((vital) => (
                <th key={vital} scope="col" className={cx(styles.number, styles.wide)}>
                  <abbr title={vitalFacts[vital].name}>{vitalFacts[vital].short}</abbr>
                </th>
              ))}
              <th scope="col" className={cx(styles.number, styles.wide)}>
                Samples
              </th>
              <th scope="col" className={styles.number}>
                <span data-tip="Points that the score of all would gain if this page were perfect">To gain</span>
              </th>
            </tr>
          </thead>
          <tbody ref={rows}>
            {found.data.map((group) => (
              <PageRow
                key={`${group.project?.id} ${group.name}`}
                group={group}
                showProject={search.project === undefined}
              />
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function PageRow({ group, showProject }: { readonly group: VitalsGroup; readonly showProject: boolean }) {
  const { name, project, score, rating, vitals, count, opportunity } = group;
  return (
    <tr className={styles.row}>
      <td className={styles.what}>
        <Link
          to="/performance/vitals"
          search={{ of: project?.slug, page: name }}
          className={styles.name}
          title={name}
          data-row=""
        >
          {name || 'without a name'}
        </Link>
        {showProject && <span className={styles.sub}>{project?.slug}</span>}
      </td>
      <td className={styles.scoreCell}>
        {score === null ? (
          <span className={styles.faint}>not scored</span>
        ) : (
          <>
            <b>{Math.round(score)}</b> {rating && <RatingMark rating={rating} />}
          </>
        )}
      </td>
      {vitalNames.map((vital) => {
        const found = vitals.find((each) => each.vital === vital);
        return (
          <td key={vital} className={cx(styles.number, styles.wide)}>
            {found ? (
              <>
                {formatVital(vital, found.p75)} <RatingMark rating={vitalRating(vital, found.p75)} short />
              </>
            ) : (
              '–'
            )}
          </td>
        );
      })}
      <td className={cx(styles.number, styles.wide)}>
        <Count value={count} />
      </td>
      <td className={styles.number} data-tip={opportunityWords(opportunity)}>
        {roundedNumber(opportunity, 1)}
      </td>
    </tr>
  );
}
