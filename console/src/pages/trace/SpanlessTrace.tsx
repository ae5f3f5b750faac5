import { Link } from '@tanstack/react-router';
import type { Waterfall } from '../../features/waterfall/queries.ts';
import { duration } from '../../ui/durations.ts';
import { Level } from '../../ui/Level.tsx';
import { PageBar } from '../../ui/Page.tsx';
import { plural } from '../../ui/numbers.ts';
import styles from './TracePage.module.css';

/** Errors of a trace that was not sampled: SDKs send those always. */
export function SpanlessTrace({ trace }: { readonly trace: Waterfall }) {
  return (
    <>
      <PageBar title={`Trace ${trace.traceId.slice(0, 8)}`} />
      <div className={styles.spanless}>
        <p>
          No span of this trace was received: it was not sampled, or its spans are older than the retention time.
          {trace.errors.length > 0 && ` It has ${plural(trace.errors.length, 'error')}.`}
        </p>
        <ul className={styles.errors}>
          {trace.errors.map((error) => (
            <li key={error.eventId}>
              <Level level={error.level} />
              {error.shortId ? (
                <Link to="/issues/$issue" params={{ issue: error.shortId }} search={{ event: error.eventId }}>
                  {error.title}
                </Link>
              ) : (
                <span>{error.title}</span>
              )}
              <span className={styles.faint}>
                {error.shortId} · +{duration(error.offsetUs)}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
