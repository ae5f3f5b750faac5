/** A trace as its waterfall shows it, and one of its spans with all that is stored. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { dynamicStaleTimeMs, staticStaleTimeMs } from '../freshness.ts';

export type Waterfall = Schemas['Waterfall'];
export type WaterfallRow = Schemas['WaterfallRow'];
export type TraceSpan = Schemas['TraceSpan'];

/** `at`: seconds since the epoch, some moment of the trace, which is then found faster. */
export const waterfallQuery = (org: string, trace: string, at?: number) =>
  queryOptions({
    queryKey: ['traces', org, trace, 'waterfall'],
    queryFn: async ({ signal }): Promise<Waterfall> => {
      const ask = (timestamp?: number): Promise<Waterfall> =>
        api.get('/api/0/organizations/{org}/trace/{trace}/spans/', {
          params: { path: { org, trace }, query: { timestamp } },
          signal,
        });
      const found = await ask(at);
      // A link may name a wrong moment, and then the trace is still there.
      return at === undefined || found.rows.length || found.errors.length ? found : ask();
    },
    staleTime: dynamicStaleTimeMs,
  });

/** `at` is as in `waterfallQuery`: when the span began. Ids of spans are told apart by project. */
export const traceSpanQuery = (org: string, trace: string, project: string, span: string, at: number) =>
  queryOptions({
    queryKey: ['traces', org, trace, 'span', project, span],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/trace/{trace}/spans/{span}/', {
        params: { path: { org, trace, span }, query: { project: [project], timestamp: at } },
        signal,
      }),
    // What is stored of a span does not change.
    staleTime: staticStaleTimeMs,
  });

/** Address of the trace in the shape of Sentry's clients, for people and programs. */
export const rawTraceAddress = (org: string, trace: string): string =>
  `/api/0/organizations/${encodeURIComponent(org)}/trace/${encodeURIComponent(trace)}/`;
