/** Traces and their spans. */
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { issuesOfHashes } from '../../domains/issues/index.ts';
import { countTraceLogs, logsOfTrace } from '../../domains/logs/index.ts';
import { problemsOfTrace } from '../../domains/detectors/index.ts';
import { countTrace, readSpan, readTrace, type Trace } from '../../domains/traces/index.ts';
import { reachableProjects } from '../../domains/named-search/index.ts';
import { things } from '../../base/texts/things.ts';
import { getTraceExcerpt } from './excerpt-contract.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { toExcerpt } from './excerpt-shapes.ts';
import { toNestedTrace, type TracePlace, toTraceSpan, toWaterfall } from './shapes.ts';

interface Asked {
  readonly project: readonly string[];
  readonly timestamp?: number | undefined;
  readonly limit?: number;
}

export function traceRoutes(api: Api): void {
  const { state, events } = api.deps;

  const requestOf = async (membership: Membership, traceId: string, { project, timestamp, limit }: Asked) => {
    const projects = await reachableProjects(state, membership, project);
    const request = {
      projectIds: projects.map(({ id }) => id),
      traceId,
      nearMs: timestamp === undefined ? undefined : timestamp * 1000,
      ...(limit !== undefined && { limit }),
    };
    return { projects, request };
  };

  const read = async (
    membership: Membership,
    traceId: string,
    asked: Asked,
  ): Promise<{ trace: Trace; place: TracePlace }> => {
    const { projects, request } = await requestOf(membership, traceId, asked);
    const [trace, problems] = await Promise.all([readTrace(events, request), problemsOfTrace(events, request)]);
    const issues = await issuesOfHashes(state, [...trace.errors, ...problems]);
    return { trace, place: { traceId, projects: new Map(projects.map((one) => [one.id, one])), issues, problems } };
  };

  implement(api, contract.getTrace, async ({ caller: { membership }, params, query }) => {
    const { trace, place } = await read(membership, params.trace, query);
    return toNestedTrace(trace, place);
  });

  const waterfallOf = async (membership: Membership, traceId: string, asked: Asked) => {
    const [{ trace, place }, logs] = await Promise.all([
      read(membership, traceId, asked),
      requestOf(membership, traceId, asked).then(({ request }) => logsOfTrace(events, request)),
    ]);
    return toWaterfall(trace, place, logs);
  };

  implement(api, contract.getWaterfall, ({ caller: { membership }, params, query }) =>
    waterfallOf(membership, params.trace, query),
  );

  implement(api, getTraceExcerpt, async ({ caller: { membership }, params, query }) =>
    toExcerpt(await waterfallOf(membership, params.trace, query), query),
  );

  implement(api, contract.getTraceSpan, async ({ caller: { membership }, params, query }) => {
    const { request } = await requestOf(membership, params.trace, query);
    const span = await readSpan(events, request, params.span);
    if (!span) throw new CodedError('NOT_FOUND', [things.span(params.span)]);
    return toTraceSpan(span, params.trace);
  });

  implement(api, contract.getTraceMeta, async ({ caller: { membership }, params, query }) => {
    const { request } = await requestOf(membership, params.trace, query);
    const [counts, logs, problems] = await Promise.all([
      countTrace(events, request),
      countTraceLogs(events, request),
      problemsOfTrace(events, request),
    ]);
    return {
      errors: counts.errors,
      performance_issues: problems.length,
      logs,
      projects: counts.projects,
      transactions: counts.transactions,
      span_count: counts.spans,
      span_count_map: { ...counts.spansByOp },
      transaction_child_count_map: counts.spansBySegment.map(({ segmentId, count }) => ({
        'transaction.event_id': segmentId,
        'count()': count,
      })),
    };
  });
}
