import { ratingWords, type Rating } from './vitals.ts';
import styles from './performance.module.css';

const shapes: Readonly<Record<Rating, string>> = { good: '●', meh: '▲', poor: '■' };

/** A shape and a word for a rating; the word only for those who do not see it where there is no room. */
export function RatingMark({ rating, short = false }: { readonly rating: Rating; readonly short?: boolean }) {
  return (
    <span className={styles.rating} data-rating={rating}>
      <span aria-hidden="true">{shapes[rating]}</span>
      <span className={short ? 'visually-hidden' : undefined}>{ratingWords[rating]}</span>
    </span>
  );
}
