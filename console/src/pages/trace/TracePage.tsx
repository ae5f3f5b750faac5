import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useLive } from '../../features/live/live.ts';
import { useThrottled } from '../../features/live/use-throttled.ts';
import { useOrg } from '../../features/session/organization.ts';
import { type Waterfall, waterfallQuery } from '../../features/waterfall/queries.ts';
import * as m from '../../messages/trace.ts';
import { QueryView } from '../../ui/QueryView.tsx';
import { useNow } from '../../ui/Time.tsx';
import { useTitle } from '../../ui/title.ts';
import { SpanlessTrace } from './SpanlessTrace.tsx';
import { TraceView } from './TraceView.tsx';
import { UnknownTrace } from './UnknownTrace.tsx';

const route = getRouteApi('/shell/traces/$trace');

/** Spans follow each other within seconds; a minute without one ends a trace. */
const quietAfterMs = 60_000;
/** How long, and how often, an unknown trace is asked for again. */
const patienceMs = 120_000;
const everyMs = 3000;

const isEmpty = (trace: Waterfall | undefined): boolean =>
  trace !== undefined && trace.rows.length === 0 && trace.errors.length === 0 && trace.logs.length === 0;

/** Where the time went, and what went wrong. */
export function TracePage() {
  const org = useOrg();
  const { trace: id } = route.useParams();
  const search = route.useSearch();
  const [until, setUntil] = useState(() => Date.now() + patienceMs);
  const trace = useQuery({
    ...waterfallQuery(org, id, search.at),
    // Every visit has asked by the time this is drawn (see the route); drawing does not ask a second time.
    refetchOnMount: false,
    refetchOnWindowFocus: false,
    refetchInterval: ({ state }) => (isEmpty(state.data) && Date.now() < until ? everyMs : false),
  });
  const now = useNow();
  const { data } = trace;
  const isYoung = data?.lastReceived ? now - Date.parse(data.lastReceived) < quietAfterMs : false;

  const follow = useThrottled(() => void trace.refetch(), (data?.rows.length ?? 0) > 2000 ? 5000 : 2000);
  useLive((message) => {
    if (message.type === 'reconnected') follow();
    else if (message.type === 'spans') {
      const { traceIds, projectId } = message;
      // Of very many traces at once not all are named.
      const perhaps = traceIds.length >= 100 && data?.projects.some((project) => project.id === projectId);
      if (perhaps || traceIds.includes(id.replaceAll('-', '').toLowerCase())) follow();
    } else if (
      message.type === 'events' &&
      isYoung &&
      data?.projects.some(({ id: each }) => each === message.projectId)
    ) {
      follow();
    }
  });
  useTitle(data && titleOf(data), m.title({ id: id.slice(0, 8) }));

  return (
    <QueryView query={trace} loading={m.loading} failed={m.failed} rows={14} height={36}>
      {(found) =>
        isEmpty(found) ? (
          <UnknownTrace
            id={id}
            until={until}
            onAgain={() => {
              setUntil(Date.now() + patienceMs);
              void trace.refetch();
            }}
          />
        ) : found.rows.length > 0 ? (
          <TraceView key={found.traceId} trace={found} arriving={isYoung} />
        ) : (
          <SpanlessTrace trace={found} />
        )
      }
    </QueryView>
  );
}

/** What went wrong first, so that tabs differ. */
function titleOf(trace: Waterfall): string {
  const [root] = trace.rows;
  const errors = trace.errors.length;
  const name = root?.transaction || root?.name || root?.op || trace.errors[0]?.title || m.unknown;
  return errors ? m.titleWithErrors({ count: errors, name }) : name;
}
