/** Traces and their spans. */
import type { Membership } from '../../accounts/index.ts';
import { CodedError } from '../../errors.ts';
import { issuesOfHashes } from '../../issues/index.ts';
import { countTraceLogs, logsOfTrace } from '../../logs/index.ts';
import { problemsOfTrace } from '../../performance/index.ts';
import { countTrace, readSpan, readTrace, type Trace } from '../../traces/index.ts';
import { getTraceExcerpt } from '../contract/excerpt.ts';
import * as contract from '../contract/traces.ts';
import { type Api, implement } from '../implement.ts';
import { chooseProjects } from '../scope.ts';
import { toExcerpt } from '../shapes/excerpt.ts';
import { toNestedTrace, type TracePlace, toTraceSpan, toWaterfall } from '../shapes/trace.ts';

interface Asked {
  readonly project: readonly string[];
  readonly timestamp?: number | undefined;
  readonly limit?: number;
}

export function traceRoutes(api: Api): void {
  const { state, events } = api.deps;

  const requestOf = async (membership: Membership, traceId: string, { project, timestamp, limit }: Asked) => {
    const projects = await chooseProjects(state, membership, project);
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
    if (!span) throw new CodedError('NOT_FOUND', [`span ${params.span}`]);
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
