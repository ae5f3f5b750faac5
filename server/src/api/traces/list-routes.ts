/** The list of traces, its heatmap and its fields. */
import type { z } from 'zod';
import type { Membership } from '../../domains/accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { lastPeriod, parseTimeRange } from '../../base/time-range.ts';
import * as traces from '../../domains/traces/index.ts';
import { chooseProjects } from '../../domains/named-search/index.ts';
import * as contract from './list-contract.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkCursors } from '../shared/pagination.ts';
import { toListedTrace } from './list-shapes.ts';

type FilterQuery = z.output<typeof contract.getTraceHeatmap.query>;

const toUs = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Math.round(ms * 1000));
const toMs = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : Math.round(seconds * 1000);

export function traceListRoutes(api: Api): void {
  const { state, events, getUrl } = api.deps;

  const readFilter = async (membership: Membership, query: FilterQuery) => {
    const projects = await chooseProjects(state, membership, query.project);
    const nowMs = Date.now();
    const filter: traces.SegmentFilter = {
      projectIds: projects.map(({ id }) => id),
      range: parseTimeRange(query, nowMs) ?? lastPeriod('24h', nowMs),
      fields: Object.fromEntries(
        traces.segmentFields.map((field) => [field, query[field].filter((value) => value !== '')]),
      ),
      text: query.query,
      failed: query.failed === undefined ? undefined : query.failed === 'true',
      fromUs: toUs(query.durationFrom),
      untilUs: toUs(query.durationUntil),
      sinceMs: toMs(query.since),
      beforeMs: toMs(query.before),
    };
    return { projects, filter };
  };

  implement(api, contract.listTraces, async ({ caller: { membership }, query, request, reply }) => {
    const { projects, filter } = await readFilter(membership, query);
    const { limit, sort } = query;
    const found = await traces.listTraces(events, { ...filter, limit, sort, place: readPlace(query.cursor) });
    linkCursors(request, reply, getUrl(), {
      next: found.next && printPlace(found.next),
      previous: found.previous && printPlace(found.previous),
    });
    return found.rows.map((row) => toListedTrace(row, projects));
  });

  implement(api, contract.getTraceHeatmap, async ({ caller: { membership }, query }) => {
    const { filter } = await readFilter(membership, query);
    const { startMs, columnMs, columns, rows, cells } = await traces.readHeatmap(events, filter);
    return {
      from: startMs / 1000,
      columnSeconds: columnMs / 1000,
      columns,
      rows: rows.map(({ fromUs, untilUs }) => ({ fromMs: fromUs / 1000, untilMs: untilUs / 1000 })),
      cells: cells.map(({ column, row, count, failed }): [number, number, number, number] => [
        column,
        row,
        count,
        failed,
      ]),
      count: cells.reduce((sum, { count }) => sum + count, 0),
      failed: cells.reduce((sum, { failed }) => sum + failed, 0),
    };
  });

  implement(api, contract.getTraceFields, async ({ caller: { membership }, query }) => {
    const { filter } = await readFilter(membership, query);
    const { fields, count, failed, fromMs, whole } = await traces.readFields(events, filter, query.limit);
    return {
      count,
      failed,
      from: Math.floor(fromMs / 1000),
      whole,
      fields: fields.map(({ field, values, more }) => ({ field, values: [...values], more })),
    };
  });
}

const printPlace = ({ value, traceId, isPrevious }: traces.ListPlace): string =>
  `${value}:${traceId}:${isPrevious ? 1 : 0}`;

/** Undefined for the first page. */
function readPlace(text: string | undefined): traces.ListPlace | undefined {
  if (!text || /^0:0:[01]$/.test(text)) return undefined;
  const match = /^(\d{1,16}):([0-9a-f]{32}):([01])$/.exec(text);
  const [, value, traceId, direction] = match ?? [];
  if (traceId === undefined || !Number.isSafeInteger(Number(value))) throw new CodedError('CURSOR_INVALID');
  return { value: Number(value), traceId, isPrevious: direction === '1' };
}
