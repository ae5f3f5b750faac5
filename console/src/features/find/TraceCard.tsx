import { useQuery } from '@tanstack/react-query';
import { useOrg } from '../session/organization.ts';
import { traceExcerptQuery } from '../trace-excerpt/queries.ts';
import { OpenTrace, TraceHead } from '../trace-excerpt/TraceHead.tsx';
import { TraceRows } from '../trace-excerpt/TraceRows.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import type { Cause } from './queries.ts';
import styles from './TraceCard.module.css';

/** The place of what was asked for in its trace, as a small waterfall. */
export function TraceCard({ trace, event }: { readonly trace: NonNullable<Cause['trace']>; readonly event: string }) {
  const { id, start, span } = trace;
  const excerpt = useQuery(
    traceExcerptQuery(useOrg(), {
      trace: id,
      event,
      spans: span ? [span.id] : [],
      at: Math.floor(Date.parse(start) / 1000),
    }),
  );
  if (excerpt.isPending) return <Skeleton rows={6} height={28} label="Loading trace" />;
  if (!excerpt.data)
    return (
      <ErrorState error={excerpt.error} retry={() => void excerpt.refetch()} what="The trace could not be loaded" />
    );
  return (
    <>
      <div className={styles.card}>
        <TraceHead excerpt={excerpt.data} />
        <TraceRows excerpt={excerpt.data} label="Where it happened" />
      </div>
      <OpenTrace excerpt={excerpt.data} span={span?.id} />
    </>
  );
}
