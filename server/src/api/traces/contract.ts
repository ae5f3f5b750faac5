/** Traces: in the shape that Sentry's clients read, and flat and in order for the waterfall. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, projectParams, repeatable } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const traceParams = orgParams.extend({
  trace: z
    .string()
    .regex(/^[0-9a-fA-F-]{32,36}$/, invalid.hex(32))
    .transform((id) => id.replaceAll('-', '').toLowerCase())
    .describe('Trace ID, 32 hexadecimal digits.'),
});

const traceQuery = {
  project: repeatable('IDs or slugs of projects; none or -1: all.'),
  timestamp: z.coerce
    .number()
    .min(0)
    .max(253_402_300_799)
    .optional()
    .describe(
      'A time within the trace in seconds since the epoch. Speeds up the search, and limits it to two days around it.',
    ),
  statsPeriod: z.string().max(20).optional().describe('Not used: a trace is found at any time.'),
};

const NestedError = z
  .object({
    event_id: z.string(),
    event_type: z.literal('error'),
    issue_id: z.int(),
    issue: z.string().nullable().describe('Short ID.'),
    level: z.string(),
    title: z.string(),
    message: z.string(),
    culprit: z.string(),
    description: z.string(),
    transaction: z.string(),
    project_id: z.int(),
    project_slug: z.string(),
    start_timestamp: z.number().describe('Seconds since the epoch.'),
    end_timestamp: z.number(),
  })
  .meta({ id: 'NestedTraceError' });

const NestedOccurrence = z
  .object({
    event_id: z.string(),
    event_type: z.literal('occurrence'),
    issue_id: z.int(),
    issue: z.string().nullable().describe('Short ID.'),
    issue_type: z.string(),
    level: z.string(),
    title: z.string(),
    description: z.string(),
    message: z.string(),
    culprit: z.string(),
    transaction: z.string(),
    project_id: z.int(),
    project_slug: z.string(),
    start_timestamp: z.number().describe('Seconds since the epoch.'),
  })
  .meta({ id: 'NestedTraceOccurrence' });

const NestedSpan = z
  .object({
    event_id: z.string().describe('Span ID.'),
    event_type: z.literal('span'),
    transaction_id: z.string().describe('Span ID of the segment.'),
    project_id: z.int(),
    project_slug: z.string(),
    parent_span_id: z.string().nullable(),
    profile_id: z.string(),
    profiler_id: z.string(),
    start_timestamp: z.number().describe('Seconds since the epoch.'),
    end_timestamp: z.number(),
    duration: z.number().describe('ms.'),
    measurements: z.record(z.string(), z.number()),
    transaction: z.string(),
    is_transaction: z.boolean(),
    description: z.string(),
    name: z.string(),
    op: z.string(),
    sdk_name: z.string(),
    span_status: z.string(),
    status: z.string().describe('The same.'),
    errors: z.array(NestedError),
    occurrences: z.array(NestedOccurrence).describe('Performance issues whose first offending span this is.'),
    additional_attributes: z.record(z.string(), z.unknown()),
    get children() {
      return z.array(NestedSpan);
    },
  })
  .meta({ id: 'NestedTraceSpan' });

/** Deeper trees are cut there: what reads or writes JSON recursively fails on them. */
export const maxNesting = 200;

export const getTrace = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace/:trace/',
  id: 'getTrace',
  tag: 'Traces',
  summary: 'Get the spans of a trace as a tree with errors',
  description: `Roots by start, with errors whose span is missing. At most 20,000 spans, segments first. Spans nested deeper than ${maxNesting} levels are listed in their ancestor at that depth.`,
  access: 'event:read',
  params: traceParams,
  query: z.object({
    ...traceQuery,
    limit: z.coerce.number().int().min(1).max(20_000).default(20_000).describe('Spans.'),
  }),
  response: z.array(z.union([NestedSpan, NestedError])),
});

export const getTraceMeta = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace-meta/:trace/',
  id: 'getTraceMeta',
  tag: 'Traces',
  summary: 'Count spans, errors and logs of a trace',
  access: 'event:read',
  params: traceParams,
  query: z.object(traceQuery),
  response: z
    .object({
      errors: z.int(),
      performance_issues: z.int(),
      logs: z.int(),
      projects: z.int(),
      transactions: z.int(),
      span_count: z.int(),
      span_count_map: z.record(z.string(), z.int()).describe('Spans by op.'),
      transaction_child_count_map: z
        .array(z.object({ 'transaction.event_id': z.string(), 'count()': z.int() }))
        .describe('Number of spans by span ID of their segment.'),
    })
    .meta({ id: 'TraceMeta' }),
});

const flag = (description: string) => z.literal(true).optional().describe(description);

const WaterfallRow = z
  .object({
    id: z.string().describe('Span ID.'),
    projectId: z.string(),
    parentId: z.string().nullable().describe('Parent span ID as sent; the parent may be missing.'),
    parent: z.int().describe('Index of the parent row, -1 for roots.'),
    depth: z.int(),
    below: z.int().describe('Number of descendant rows, which follow.'),
    offsetUs: z.int().describe('From the start of the trace, µs, corrected.'),
    durationUs: z.int(),
    selfUs: z.int().describe('Duration without that of its children, µs.'),
    op: z.string(),
    name: z.string(),
    service: z.string(),
    shape: z
      .int()
      .describe('Rows with the same number have the same op, service and description without literals and IDs.'),
    status: z.string(),
    kind: z.string(),
    transaction: z.string().optional().describe('Segments only.'),
    segment: flag('Root span of a service.'),
    failed: flag('The status is a failure.'),
    shiftUs: z.int().optional().describe('Shift in µs to correct the clocks of two services.'),
    orphan: flag('The parent is missing.'),
    cycle: flag('Its parents formed a cycle; it became a root.'),
    late: flag('It starts after its parent ended.'),
    critical: flag('Part of it is on the critical path.'),
    duplicates: z.int().optional().describe('Omitted spans with the same ID.'),
    errors: z.array(z.int()).optional().describe('Indexes into `errors`.'),
    problems: z.array(z.int()).optional().describe('Indexes into `problems` that it is evidence for.'),
    logs: z.int().optional().describe('Number of its logs in `logs`.'),
  })
  .meta({ id: 'WaterfallRow' });

const Waterfall = z
  .object({
    traceId: z.string(),
    startUs: z.int().describe('µs since the epoch; offsets count from here.'),
    durationUs: z.int(),
    spans: z.int().describe('Spans of the whole trace.'),
    left: z.int().describe('Number of spans that were sent but not read.'),
    duplicates: z.int(),
    lastReceived: dateTime('Time of receipt of the last span.').nullable(),
    services: z.array(z.object({ name: z.string(), projectId: z.string(), platform: z.string(), spans: z.int() })),
    projects: z.array(z.object({ id: z.string(), slug: z.string() })),
    rows: z.array(WaterfallRow).describe('In waterfall order.'),
    errors: z.array(
      z.object({
        eventId: z.string(),
        issueId: z.string().nullable(),
        shortId: z.string().nullable(),
        projectId: z.string(),
        row: z.int().describe('Index of its row, -1 if its span is missing.'),
        offsetUs: z.int().describe('From the start of the trace, µs; shifted like its row.'),
        title: z.string(),
        culprit: z.string(),
        level: z.string(),
      }),
    ),
    problems: z
      .array(
        z.object({
          eventId: z.string(),
          issueId: z.string().nullable(),
          shortId: z.string().nullable(),
          projectId: z.string(),
          type: z.string().describe('Type of the issue: performance_n_plus_one_db_queries, …'),
          title: z.string(),
          offenders: z.array(z.int()).describe('Offending rows.'),
          causes: z.array(z.int()).describe('Rows that lead to it.'),
        }),
      )
      .describe('Performance issues of the trace with their evidence.'),
    logs: z
      .array(
        z.object({
          id: z.string(),
          row: z.int().describe('Index of its row, -1 if its span is missing.'),
          offsetUs: z.int().describe('From the start of the trace, µs; shifted like its row.'),
          level: z.string().describe('trace, debug, info, warn, error, fatal.'),
          message: z.string().describe('The first 1,000 characters.'),
          service: z.string(),
          projectId: z.string(),
        }),
      )
      .describe('The first 1,000, by time.'),
    logsLeft: z.int().describe('Number of further logs.'),
    gaps: z
      .array(z.object({ row: z.int(), offsetUs: z.int(), durationUs: z.int() }))
      .describe('Gaps in a span that no child covers, from 2% of the trace.'),
    criticalPath: z
      .array(z.object({ row: z.int(), offsetUs: z.int(), durationUs: z.int() }))
      .describe('Critical path of the longest root, by time.'),
  })
  .meta({ id: 'Waterfall' });

export const getWaterfall = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace/:trace/spans/',
  id: 'getWaterfall',
  tag: 'Traces',
  summary: 'Get a trace as waterfall rows',
  description:
    'Orphans are placed under their segment, cycles cut, duplicates omitted and clocks corrected. Each row lists its changes.',
  access: 'event:read',
  params: traceParams,
  query: z.object({
    ...traceQuery,
    limit: z.coerce.number().int().min(1).max(20_000).default(20_000).describe('Spans.'),
  }),
  response: Waterfall,
});

const attributes = z.record(z.string(), z.unknown());

export const getTraceSpan = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace/:trace/spans/:span/',
  id: 'getTraceSpan',
  tag: 'Traces',
  summary: 'Get a span with all stored data',
  access: 'event:read',
  params: traceParams.extend({
    span: z
      .string()
      .regex(/^[0-9a-fA-F]{16}$/, invalid.hex(16))
      .transform((id) => id.toLowerCase()),
  }),
  query: z.object(traceQuery),
  response: z
    .object({
      id: z.string(),
      traceId: z.string(),
      parentId: z.string().nullable(),
      segmentId: z.string().nullable(),
      segment: z.boolean(),
      projectId: z.string(),
      startUs: z.int().describe('µs since the epoch, as sent.'),
      durationUs: z.int(),
      exclusiveUs: z.int().nullable().describe('As known on arrival; null if children were unknown.'),
      dateReceived: dateTime(),
      op: z.string(),
      name: z.string(),
      description: z.string().describe('For grouping: without literals and ids.'),
      transaction: z.string(),
      transactionSource: z.string(),
      status: z.string(),
      failed: z.boolean(),
      kind: z.string(),
      origin: z.string(),
      service: z.string(),
      platform: z.string(),
      environment: z.string(),
      release: z.string(),
      dist: z.string(),
      user: z.string(),
      sdk: z.object({ name: z.string(), version: z.string() }),
      attributes: z.record(z.string(), z.string()),
      numbers: z.record(z.string(), z.number()),
      links: z.array(z.object({ traceId: z.string(), spanId: z.string(), attributes })),
      events: z.array(z.object({ name: z.string(), atUs: z.int(), attributes })),
      remarks: z.array(z.unknown()).describe('Changes and truncations on arrival.'),
    })
    .meta({ id: 'TraceSpan' }),
});

const ItemAttribute = z.union([
  z.object({ name: z.string(), type: z.literal('str'), value: z.string() }),
  z.object({ name: z.string(), type: z.literal('int'), value: z.int() }),
  z.object({ name: z.string(), type: z.literal('float'), value: z.number() }),
  z.object({ name: z.string(), type: z.literal('bool'), value: z.boolean() }),
]);

export const getTraceItem = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/trace-items/:item/',
  id: 'getTraceItem',
  tag: 'Traces',
  summary: "Get a span or log with its attributes in Sentry's shape",
  access: 'event:read',
  params: projectParams.extend({
    item: z
      .string()
      .regex(/^[0-9a-fA-F-]{16,36}$/, invalid.hex(16))
      .transform((id) => id.replaceAll('-', '').toLowerCase())
      .describe('ID of the span or log.'),
  }),
  query: z.object({
    item_type: z.enum(['spans', 'logs']).default('spans'),
    trace_id: traceParams.shape.trace.optional().describe('Trace of the span; required for spans.'),
    timestamp: traceQuery.timestamp,
  }),
  response: z
    .object({
      itemId: z.string(),
      timestamp: dateTime(),
      attributes: z.array(ItemAttribute),
      links: z.null(),
      meta: z.object({}),
    })
    .meta({ id: 'TraceItem' }),
});
