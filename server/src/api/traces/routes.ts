/** Traces and their spans. */
import { CodedError } from '../../base/errors.ts';
import { countTraceLogs, findLog } from '../../domains/logs/index.ts';
import { problemsOfTrace } from '../../domains/detectors/index.ts';
import { countTrace, readSpan } from '../../domains/traces/index.ts';
import { traces as texts } from '../../base/texts/requests.ts';
import { things } from '../../base/texts/things.ts';
import { getTraceExcerpt } from './excerpt-contract.ts';
import * as contract from './contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { toExcerpt } from './excerpt-shapes.ts';
import { logItem, spanItem } from './item-shapes.ts';
import { readPlaced, readWaterfall, traceRequest } from './read.ts';
import { toNestedTrace, toTraceSpan } from './shapes.ts';

export function traceRoutes(api: Api): void {
  const { deps } = api;
  const { events } = deps;

  implement(api, contract.getTrace, async ({ caller: { membership }, params, query }) => {
    const { trace, place } = await readPlaced(deps, membership, params.trace, query);
    return toNestedTrace(trace, place);
  });

  implement(api, contract.getWaterfall, ({ caller: { membership }, params, query }) =>
    readWaterfall(deps, membership, params.trace, query),
  );

  implement(api, getTraceExcerpt, async ({ caller: { membership }, params, query }) =>
    toExcerpt(await readWaterfall(deps, membership, params.trace, query), query),
  );

  implement(api, contract.getTraceSpan, async ({ caller: { membership }, params, query }) => {
    const { request } = await traceRequest(deps, membership, params.trace, query);
    const span = await readSpan(events, request, params.span);
    if (!span) throw new CodedError('NOT_FOUND', [things.span(params.span)]);
    return toTraceSpan(span, params.trace);
  });

  implement(api, contract.getTraceItem, async ({ caller: { project }, params: { item }, query }) => {
    const projectIds = [project.id];
    if (query.item_type === 'logs') {
      const log = await findLog(events, projectIds, item);
      if (!log) throw new CodedError('NOT_FOUND', [things.log(item)]);
      return logItem(log);
    }
    const { trace_id: traceId, timestamp } = query;
    if (traceId === undefined) throw new CodedError('INPUT_INVALID', [texts.spanOfTrace]);
    const nearMs = timestamp === undefined ? undefined : timestamp * 1000;
    const span = await readSpan(events, { projectIds, traceId, nearMs }, item);
    if (!span) throw new CodedError('NOT_FOUND', [things.span(item)]);
    return spanItem(span, traceId);
  });

  implement(api, contract.getTraceMeta, async ({ caller: { membership }, params, query }) => {
    const { request } = await traceRequest(deps, membership, params.trace, query);
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
