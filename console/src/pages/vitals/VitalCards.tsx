import { Link } from '@tanstack/react-router';
import type { VitalName, VitalsGroup } from '../../features/performance/queries.ts';
import { RatingBar } from '../../features/performance/RatingBar.tsx';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import { Score } from '../../features/performance/Score.tsx';
import { formatVital, thresholdWords, vitalFacts, vitalRating } from '../../features/performance/vitals.ts';
import { plural } from '../../ui/numbers.ts';
import styles from './VitalsPage.module.css';

/** The score, and each vital at p75 with how its samples divide. A card chooses what the chart below is about. */
export function VitalCards({ group, chosen }: { readonly group: VitalsGroup; readonly chosen: VitalName }) {
  return (
    <section className={styles.top} aria-label="Score and vitals">
      <div className={styles.scoreBox}>
        <Score score={group.score} rating={group.rating} />
        <span className={styles.faint}>{plural(group.count, 'sample')}</span>
      </div>
      <ul className={styles.cards}>
        {group.vitals.map(({ vital, p75, ...counts }) => (
          <li key={vital} className={styles.card} data-chosen={vital === chosen || undefined}>
            <div className={styles.cardHead}>
              <Link
                from="/performance/vitals"
                to="."
                search={(before) => ({ ...before, vital })}
                activeOptions={{ exact: true }}
                resetScroll={false}
                className={styles.cardName}
              >
                {vitalFacts[vital].short}
                {vital === chosen && <span className="visually-hidden"> (chosen)</span>}{' '}
                <span className={styles.cardLong}>{vitalFacts[vital].name}</span>
              </Link>
            </div>
            <div className={styles.cardValue}>
              <b>{formatVital(vital, p75)}</b>
              <RatingMark rating={vitalRating(vital, p75)} />
            </div>
            <RatingBar counts={counts} />
            <span className={styles.faint}>p75; {thresholdWords(vital)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
