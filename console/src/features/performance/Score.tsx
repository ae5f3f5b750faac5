import * as m from '../../messages/performance.ts';
import { Text } from '../../ui/Text.tsx';
import { RatingMark } from './RatingMark.tsx';
import type { Rating } from './vitals.ts';
import styles from './performance.module.css';

const radius = 26;
const around = 2 * Math.PI * radius;

/** A score from 0 to 100 as a ring with its number and its rating in words. */
export function Score({ score, rating }: { readonly score: number | null; readonly rating: Rating | null }) {
  return (
    <div className={styles.score}>
      <svg width="64" height="64" viewBox="0 0 64 64" aria-hidden="true">
        <circle className={styles.track} cx="32" cy="32" r={radius} />
        {score !== null && (
          <circle
            className={styles.ring}
            data-rating={rating}
            cx="32"
            cy="32"
            r={radius}
            strokeDasharray={`${(score / 100) * around} ${around}`}
            transform="rotate(-90 32 32)"
          />
        )}
        <text x="32" y="33">
          {score === null ? '–' : Math.round(score)}
        </text>
      </svg>
      <div>
        <Text as="div" tone="faint" small>
          {m.score}
        </Text>
        {score !== null && <span className="visually-hidden">{m.scoreOf({ score: Math.round(score) })}</span>}
        {rating ? <RatingMark rating={rating} /> : <Text tone="faint">{m.noScore}</Text>}
      </div>
    </div>
  );
}
