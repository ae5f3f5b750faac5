import { Link } from '@tanstack/react-router';
import { categoryOf, nameOf, tokenOf } from '../waterfall/ops.ts';
import { SpanSwatch } from '../waterfall/SpanSwatch.tsx';
import * as m from '../../messages/trace-excerpt.ts';
import { cx } from '../../ui/cx.ts';
import { duration } from '../../ui/durations.ts';
import { Flag } from '../../ui/Flag.tsx';
import type { ExcerptRow, TraceExcerpt } from './queries.ts';
import styles from './TraceRows.module.css';
import { barsOf, momentIn } from './words.ts';

/** Deeper rows stand no further to the right. */
const deepest = 8;

/** What a span has to do with what the page is about. */
export type Role = 'asked' | 'cause';

/** The rows of an excerpt as a small waterfall. Each opens the trace at its span; `problem` is marked there. */
export function TraceRows({
  excerpt,
  label,
  problem,
  roles,
}: {
  readonly excerpt: TraceExcerpt;
  readonly label: string;
  readonly problem?: string | undefined;
  /** By span id, where it is known better than what was asked for. */
  readonly roles?: ReadonlyMap<string, Role>;
}) {
  const roleOf = (row: ExcerptRow): Role | undefined => (roles ? roles.get(row.id) : row.asked && 'asked');
  const { rows, after, traceId, startUs, offsetUs } = excerpt;
  const bars = barsOf(rows);
  return (
    <ol className={styles.spans} aria-label={label}>
      {rows.map((row, index) => (
        <li key={`${row.id}-${index}`} className={styles.place}>
          {row.hidden > 0 && <Hidden count={row.hidden} depth={row.depth} />}
          <Link
            to="/traces/$trace"
            params={{ trace: traceId }}
            search={{ span: row.id, at: Math.floor(startUs / 1e6), problem }}
            className={cx(styles.span, roleOf(row) === 'asked' && styles.asked)}
            data-failed={row.failed || undefined}
          >
            <span className={styles.what} style={{ paddingInlineStart: 12 * Math.min(row.depth, deepest) }}>
              <SpanSwatch op={row.op} />
              <span className={styles.name} title={nameOf(row)} translate="no">
                {nameOf(row)}
              </span>
              <span className={styles.op} translate="no">
                {opWords(row, rows[index - 1])}
              </span>
              {roleOf(row) === 'cause' && <Flag kind="plain">{m.cause}</Flag>}
              {row.errors > 0 && (
                <span className={styles.error}>
                  <span aria-hidden="true">●</span>
                  <span className="visually-hidden">{m.errorCount({ count: row.errors })}</span>
                </span>
              )}
            </span>
            <span className="visually-hidden">
              {m.spoken({ start: duration(row.offsetUs), duration: duration(row.durationUs) })}
              {row.failed && `, ${m.failedWith({ status: row.status })}`}
            </span>
            <span className={styles.track} aria-hidden="true">
              <span
                className={styles.stretch}
                style={{
                  left: `${100 * Math.min(bars[index]?.left ?? 0, 0.995)}%`,
                  width: `${100 * (bars[index]?.width ?? 0)}%`,
                  background: `var(${tokenOf(categoryOf(row.op))})`,
                }}
              />
              {row.asked && row.errors > 0 && offsetUs !== null && (
                <span className={styles.moment} style={{ left: `${100 * momentIn(row, bars[index], offsetUs)}%` }} />
              )}
            </span>
            <span className={styles.time} aria-hidden="true">
              {duration(row.durationUs)}
            </span>
          </Link>
        </li>
      ))}
      {after > 0 && (
        <li className={styles.place}>
          <Hidden count={after} depth={0} />
        </li>
      )}
    </ol>
  );
}

function Hidden({ count, depth }: { readonly count: number; readonly depth: number }) {
  return (
    <span className={styles.hidden} style={{ paddingInlineStart: 12 + 12 * Math.min(depth, deepest) }}>
      {m.more({ count })}
    </span>
  );
}

/** The op where the name does not say it already, and the service where it is another than before. */
function opWords({ op, name, service }: ExcerptRow, before: ExcerptRow | undefined): string {
  return [name && op, service !== before?.service && service].filter(Boolean).join(' · ');
}
