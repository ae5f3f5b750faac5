import { percentage, plural } from '../../ui/numbers.ts';
import { ratingParts, ratingWords } from './vitals.ts';
import styles from './performance.module.css';

/** How samples divide into good, needs work and poor: a stacked bar with its numbers in words. */
export function RatingBar({
  counts,
  words = true,
}: {
  readonly counts: { readonly count: number; readonly good: number; readonly poor: number };
  readonly words?: boolean;
}) {
  const parts = ratingParts(counts);
  const sentence = parts
    .map(({ rating, percent }) => `${percentage(percent / 100)} ${ratingWords[rating].toLowerCase()}`)
    .join(', ');
  return (
    <div className={styles.ratingBar} data-tip={`${sentence}\nof ${plural(counts.count, 'sample')}`}>
      <div className={styles.stack} aria-hidden="true">
        {parts.map(
          ({ rating, count }) => count > 0 && <i key={rating} data-rating={rating} style={{ flexGrow: count }} />,
        )}
      </div>
      {words ? <span className={styles.parts}>{sentence}</span> : <span className="visually-hidden">{sentence}</span>}
    </div>
  );
}
