import { Link } from '@tanstack/react-router';
import type { VitalName, VitalsGroup } from '../../features/performance/queries.ts';
import { RatingBar } from '../../features/performance/RatingBar.tsx';
import { RatingMark } from '../../features/performance/RatingMark.tsx';
import { Score } from '../../features/performance/Score.tsx';
import { formatVital, thresholdWords, vitalFacts, vitalRating } from '../../features/performance/vitals.ts';
import * as m from '../../messages/vitals.ts';
import { rowLinkClass } from '../../ui/row-link.ts';
import { Text } from '../../ui/Text.tsx';
import styles from './VitalsPage.module.css';

/** The score, and each vital at p75 with how its samples divide. A card chooses what the chart below is about. */
export function VitalCards({ group, chosen }: { readonly group: VitalsGroup; readonly chosen: VitalName }) {
  return (
    <section className={styles.top} aria-label={m.summary}>
      <div className={styles.scoreBox}>
        <Score score={group.score} rating={group.rating} />
        <Text tone="faint" small>
          {m.sampleCount({ count: group.count })}
        </Text>
      </div>
      <ul className={styles.vitals}>
        {group.vitals.map(({ vital, p75, ...counts }) => (
          <li key={vital} className={styles.vital} data-chosen={vital === chosen || undefined}>
            <Link
              from="/performance/vitals"
              to="."
              search={(before) => ({ ...before, vital })}
              activeOptions={{ exact: true }}
              resetScroll={false}
              className={rowLinkClass}
              aria-current={vital === chosen ? 'true' : undefined}
            >
              {vitalFacts[vital].short}
              <Text as="div" tone="faint" small cut>
                {vitalFacts[vital].name}
              </Text>
            </Link>
            <div className={styles.value}>
              <strong>{formatVital(vital, p75)}</strong>
              <RatingMark rating={vitalRating(vital, p75)} />
            </div>
            <RatingBar counts={counts} />
            <Text tone="faint" small>
              {m.atP75({ thresholds: thresholdWords(vital) })}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
}
