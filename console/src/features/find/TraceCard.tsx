import { useQuery } from '@tanstack/react-query';
import * as m from '../../messages/find.ts';
import { useOrg } from '../session/organization.ts';
import { traceExcerptQuery } from '../trace-excerpt/queries.ts';
import { OpenTrace, TraceHead } from '../trace-excerpt/TraceHead.tsx';
import { TraceRows } from '../trace-excerpt/TraceRows.tsx';
import { Card } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import type { Cause } from './queries.ts';

/** The place of what was searched in its trace, as a small waterfall. */
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
  return (
    <QueryView query={excerpt} loading={m.loadingTrace} failed={m.traceFailed} rows={6} height={28}>
      {(data) => (
        <>
          <Card>
            <TraceHead excerpt={data} />
            <TraceRows excerpt={data} label={m.whereItHappened} />
          </Card>
          <OpenTrace excerpt={data} span={span?.id} />
        </>
      )}
    </QueryView>
  );
}
