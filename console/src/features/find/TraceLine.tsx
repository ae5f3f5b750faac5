import { Link } from '@tanstack/react-router';
import * as m from '../../messages/find.ts';
import { duration } from '../../ui/durations.ts';
import { Text } from '../../ui/Text.tsx';
import { traceTotals } from '../trace-excerpt/words.ts';
import { nameOf } from '../waterfall/ops.ts';
import styles from './CauseCard.module.css';
import type { Cause } from './queries.ts';

/** The trace of a cause in one line: its root, its duration, and the span that failed; leads there. */
export function TraceLine({ trace }: { readonly trace: NonNullable<Cause['trace']> }) {
  const { id, start, root, span } = trace;
  const parts = {
    root: (
      <Link
        to="/traces/$trace"
        params={{ trace: id }}
        search={{ span: span?.id, at: Math.floor(Date.parse(start) / 1000) }}
        className={styles.trace}
        translate="no"
      >
        {nameOf(root)}
      </Link>
    ),
    totals: traceTotals(trace),
  };
  return (
    <Text as="p" small>
      {span && span.id !== root.id
        ? m.inTraceSpan({
            ...parts,
            span: <strong translate="no">{nameOf(span)}</strong>,
            duration: duration(span.durationUs),
          })
        : m.inTrace(parts)}
    </Text>
  );
}
