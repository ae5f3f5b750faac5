import { Link } from '@tanstack/react-router';
import * as m from '../../messages/trace-excerpt.ts';
import type { TraceExcerpt } from './queries.ts';
import styles from './TraceHead.module.css';
import { traceTotals } from './words.ts';

/** How large the trace is and in which services, over its rows. */
export function TraceHead({ excerpt }: { readonly excerpt: TraceExcerpt }) {
  const { services } = excerpt;
  return (
    <p className={styles.head}>
      <span>{traceTotals({ ...excerpt, services: services.length })}</span>
      {services.length > 0 && (
        <span className={styles.services} translate="no">
          {services.join(', ')}
        </span>
      )}
    </p>
  );
}

/** Opens the trace at the span, or as a whole. */
export function OpenTrace({
  excerpt,
  span,
  problem,
}: {
  readonly excerpt: Pick<TraceExcerpt, 'traceId' | 'startUs'>;
  readonly span?: string | undefined;
  readonly problem?: string | undefined;
}) {
  return (
    <Link
      to="/traces/$trace"
      params={{ trace: excerpt.traceId }}
      search={{ span, at: Math.floor(excerpt.startUs / 1e6), problem }}
      className={styles.open}
    >
      {m.openTrace}
    </Link>
  );
}
