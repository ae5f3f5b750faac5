import { useQuery } from '@tanstack/react-query';
import type { Event } from '../../features/event/types.ts';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Nearby } from '../../features/trace-excerpt/Nearby.tsx';
import { traceExcerptQuery, type TraceExcerpt } from '../../features/trace-excerpt/queries.ts';
import { OpenTrace, TraceHead } from '../../features/trace-excerpt/TraceHead.tsx';
import { TraceRows } from '../../features/trace-excerpt/TraceRows.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import styles from './TraceStrip.module.css';

/** The event's place in its trace. Left out where nothing of the trace is stored but the event. */
export function TraceStrip({ event, trace }: { readonly event: Event; readonly trace: string }) {
  const org = useOrg();
  const excerpt = useQuery(
    traceExcerptQuery(org, {
      trace,
      event: event.eventID,
      spans: event.spanId ? [event.spanId] : [],
      at: Math.floor(Date.parse(event.dateCreated) / 1000),
    }),
  );
  // Where no project has sent a span ever, room for spans would be taken and given back.
  const { data: projects } = useQuery(projectsQuery(org));
  const likely = projects?.some((project) => project.firstTransactionEvent) ?? false;
  // Spans come after the errors that happened in them.
  const follow = useThrottled(() => void excerpt.refetch(), 2000);
  useLive((message) => {
    if (message.type === 'reconnected' || (message.type === 'spans' && message.traceIds.includes(trace))) follow();
  });

  if (excerpt.isPending)
    return likely ? (
      <div className={styles.strip}>
        <Panel title="Trace" id="trace">
          <Skeleton rows={6} height={28} label="Loading trace" />
        </Panel>
      </div>
    ) : null;
  if (excerpt.isError && !excerpt.data)
    return (
      <div className={styles.strip}>
        <ErrorState
          error={excerpt.error}
          retry={() => void excerpt.refetch()}
          what="The trace of this event could not be loaded"
        />
      </div>
    );
  const { data } = excerpt;
  if (data.spans === 0 && data.issues.length === 0 && data.logs.length === 0) return null;
  return (
    <div className={styles.strip}>
      <Panel title="Trace" id="trace" tools={<OpenTrace excerpt={data} span={spanOf(data, event)} />}>
        {data.spans > 0 ? (
          <>
            <TraceHead excerpt={data} />
            {!data.found && (
              <p className={styles.note}>
                The span in which this happened is not stored. These are the longest of its trace.
              </p>
            )}
            <TraceRows excerpt={data} label="Where it happened" />
          </>
        ) : (
          <p className={styles.note}>
            No span of this trace is stored: it was not sampled, or its spans have not arrived yet.
          </p>
        )}
      </Panel>
      <Nearby excerpt={data} />
    </div>
  );
}

function spanOf({ found }: TraceExcerpt, { spanId }: Event): string | undefined {
  return found ? (spanId ?? undefined) : undefined;
}
