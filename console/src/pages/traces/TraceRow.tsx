import { Link } from '@tanstack/react-router';
import type { ListedTrace } from '../../features/traces/queries.ts';
import { milliseconds } from '../../features/traces/words.ts';
import { categoryOf, tokenOf } from '../../features/waterfall/ops.ts';
import { Count } from '../../ui/Count.tsx';
import { cx } from '../../ui/cx.ts';
import { compactNumber, plural } from '../../ui/numbers.ts';
import { Time } from '../../ui/Time.tsx';
import styles from './TracesPage.module.css';

interface Props {
  readonly trace: ListedTrace;
  readonly position: number;
  readonly size: number;
  /** The longest duration on the page, ms. */
  readonly longestMs: number;
  /** The list is about single requests, so the row says which of the trace it is. */
  readonly isMatching: boolean;
  readonly showProject: boolean;
}

export function TraceRow({ trace, position, size, longestMs, isMatching, showProject }: Props) {
  const { traceId, match, services, spans, errors, failedSegments } = trace;
  const root = trace.root ?? match;
  const isInner = isMatching && match.spanId !== root.spanId;
  const shown = isMatching ? match : root;
  const took = milliseconds(shown.durationMs);
  return (
    <li className={styles.row} aria-setsize={size} aria-posinset={position}>
      <div className={styles.what}>
        <div className={styles.line}>
          <Link
            to="/traces/$trace"
            params={{ trace: traceId }}
            search={{ span: shown.spanId, at: Math.floor(shown.startUs / 1_000_000) }}
            className={styles.title}
            title={root.transaction}
            data-row=""
          >
            {root.transaction || 'without a name'}
          </Link>
          {(root.failed || failedSegments > 0) && (
            <span className={styles.failed}>
              {root.failed ? root.status.replaceAll('_', ' ') || 'failed' : `${failedSegments} failed inside`}
            </span>
          )}
        </div>
        <div className={styles.sub}>
          <span>
            <i className={styles.dot} style={{ background: `var(${tokenOf(categoryOf(root.op))})` }} />
            {root.op || 'no op'}
          </span>
          <span className={styles.service}>{root.service || root.project.slug}</span>
          {showProject && root.service !== '' && <span className={styles.optional}>{root.project.slug}</span>}
          {trace.rootMissing && <span className={styles.optional}>root not received</span>}
          {isInner && (
            <span className={styles.match}>
              {match.failed ? 'failed in' : 'with'} {match.transaction || match.op}
              {match.service && ` of ${match.service}`}, {milliseconds(root.durationMs)} in all
            </span>
          )}
          <span className={styles.compact}>
            {took}
            {errors > 0 && `, ${plural(errors, 'error')}`} · <Time at={match.startUs / 1000} short />
          </span>
        </div>
      </div>
      <span className={styles.took}>
        <span className="visually-hidden">took </span>
        {took}
        <i className={styles.bar} aria-hidden="true">
          <i
            data-failed={shown.failed || undefined}
            style={{ inlineSize: `${Math.max(1, (shown.durationMs / Math.max(longestMs, 0.001)) * 100)}%` }}
          />
        </i>
      </span>
      <span className={styles.number}>
        <Count value={spans} />
        <span className="visually-hidden"> spans</span>
      </span>
      <span
        className={cx(styles.number, styles.services)}
        data-tip={services.length > 1 ? services.join('\n') : undefined}
      >
        {services.length}
        {services.length === 20 && '+'}
        <span className="visually-hidden"> services</span>
      </span>
      <span className={styles.number}>
        {errors > 0 ? (
          <Link
            to="/issues"
            search={{ q: `trace:${traceId}`, status: 'all' }}
            className={styles.errors}
            aria-label={`${plural(errors, 'error')} of this trace`}
          >
            {compactNumber(errors)}
          </Link>
        ) : (
          <span className={styles.none}>
            0<span className="visually-hidden"> errors</span>
          </span>
        )}
      </span>
      <span className={styles.when}>
        <Time at={match.startUs / 1000} />
      </span>
    </li>
  );
}
