/** A few rows of a trace, around one span or event. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type TraceExcerpt = Schemas['TraceExcerpt'];
export type ExcerptRow = Schemas['TraceExcerptRow'];

export interface ExcerptQuestion {
  readonly trace: string;
  /** The first is what it is about. */
  readonly spans?: readonly string[];
  readonly event?: string;
  /** Seconds since the epoch, some moment of the trace. */
  readonly at?: number;
  readonly rows?: number;
}

/** Of more the server would want to know less. */
const maxSpans = 20;

export const traceExcerptQuery = (org: string, { trace, spans = [], event, at, rows }: ExcerptQuestion) =>
  queryOptions({
    queryKey: ['traces', org, trace, 'excerpt', { spans, event, rows }],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/trace/{trace}/excerpt/', {
        params: {
          path: { org, trace },
          query: {
            ...(spans.length > 0 && { span: spans.slice(0, maxSpans) }),
            ...(event !== undefined && { event }),
            ...(at !== undefined && { timestamp: at }),
            ...(rows !== undefined && { rows }),
          },
        },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });
