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
import * as m from '../../messages/issue-details.ts';
import { Stack } from '../../ui/Layout.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Skeleton } from '../../ui/State.tsx';
import { Nothing } from '../../ui/Text.tsx';

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
  const { data, error } = excerpt;
  if (data ? isPointless(data) : !error && !likely) return null;
  return (
    <div>
      <QueryView
        query={excerpt}
        loading={m.traceLoading}
        failed={m.traceFailed}
        skeleton={
          <Panel title={m.trace} id="trace">
            <Skeleton rows={6} height={28} label={m.traceLoading} />
          </Panel>
        }
      >
        {(answer) => <Excerpt excerpt={answer} event={event} />}
      </QueryView>
    </div>
  );
}

/** Nothing of the trace is stored but the event. */
const isPointless = ({ spans, issues, logs }: TraceExcerpt): boolean =>
  spans === 0 && issues.length === 0 && logs.length === 0;

function Excerpt({ excerpt, event }: { readonly excerpt: TraceExcerpt; readonly event: Event }) {
  const { spans, found } = excerpt;
  return (
    <Stack gap={24}>
      <Panel
        title={m.trace}
        id="trace"
        tools={<OpenTrace excerpt={excerpt} span={found ? (event.spanId ?? undefined) : undefined} />}
      >
        {spans > 0 ? (
          <>
            <TraceHead excerpt={excerpt} />
            {!found && <Nothing>{m.spanMissing}</Nothing>}
            <TraceRows excerpt={excerpt} label={m.traceRows} />
          </>
        ) : (
          <Nothing>{m.noSpans}</Nothing>
        )}
      </Panel>
      <Nearby excerpt={excerpt} />
    </Stack>
  );
}
