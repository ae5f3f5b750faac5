import { Link } from '@tanstack/react-router';
import { nameOf } from '../waterfall/ops.ts';
import { duration } from '../../ui/durations.ts';
import styles from './CauseCard.module.css';
import type { Cause } from './queries.ts';
import { traceTotals } from '../trace-excerpt/words.ts';

/** The trace of a cause in one line: what it is, how long it took, and in which span it failed; leads there. */
export function TraceLine({ trace }: { readonly trace: NonNullable<Cause['trace']> }) {
  const { id, start, root, span } = trace;
  return (
    <p className={styles.trace}>
      <span>In trace</span>{' '}
      <Link
        to="/traces/$trace"
        params={{ trace: id }}
        search={{ span: span?.id, at: Math.floor(Date.parse(start) / 1000) }}
      >
        {nameOf(root)}
      </Link>{' '}
      <span>
        ({traceTotals(trace)})
        {span && span.id !== root.id && (
          <>
            , in span <strong>{nameOf(span)}</strong> of {duration(span.durationUs)}
          </>
        )}
      </span>
    </p>
  );
}
