/** Traces: in the shape that Sentry's clients read, and flat and in order for the waterfall. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, repeatable } from '../shared/schemas.ts';

const traceParams = orgParams.extend({
  trace: z
    .string()
    .regex(/^[0-9a-fA-F-]{32,36}$/, 'must be 32 hexadecimal digits')
    .transform((id) => id.replaceAll('-', '').toLowerCase())
    .describe('Trace id, 32 hexadecimal digits.'),
});

const traceQuery = {
  project: repeatable('Ids or slugs of projects; none or -1 for all.'),
  timestamp: z.coerce
    .number()
    .min(0)
    .max(253_402_300_799)
    .optional()
    .describe('Seconds since the epoch, a moment of the trace: it is found faster, and only within two days of it.'),
  statsPeriod: z.string().max(20).optional().describe('Not used: a trace is found at any time.'),
};

const NestedError = z
  .object({
    event_id: z.string(),
    event_type: z.literal('error'),
    issue_id: z.int(),
    issue: z.string().nullable().describe('Short id.'),
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
    issue: z.string().nullable().describe('Short id.'),
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
    event_id: z.string().describe('Span id.'),
    event_type: z.literal('span'),
    transaction_id: z.string().describe('Span id of the segment.'),
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
    errors: z.array(NestedError),
    occurrences: z.array(NestedOccurrence).describe('Performance problems of which it is the first offender.'),
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
  summary: 'The spans of a trace, children in their parents, with their errors',
  description: `Roots by start; errors whose span is not there stand beside them. At most 20,000 spans, segments first. What is nested deeper than ${maxNesting} levels stands flat in its ancestor at that depth.`,
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
  summary: 'How much a trace has of each',
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
        .describe('Spans by the span id of their segment.'),
    })
    .meta({ id: 'TraceMeta' }),
});

const flag = (description: string) => z.literal(true).optional().describe(description);

const WaterfallRow = z
  .object({
    id: z.string().describe('Span id.'),
    projectId: z.string(),
    parentId: z.string().nullable().describe('Of the span that it names as its parent, which may not be there.'),
    parent: z.int().describe('Index of the row that it hangs under, -1 for roots.'),
    depth: z.int(),
    below: z.int().describe('Rows below it, which follow it.'),
    offsetUs: z.int().describe('From the start of the trace, µs, corrected.'),
    durationUs: z.int(),
    selfUs: z.int().describe('Duration without what its children cover, µs.'),
    op: z.string(),
    name: z.string(),
    service: z.string(),
    shape: z
      .int()
      .describe('Rows with the same number do the same: op, service and description without literals and ids.'),
    status: z.string(),
    kind: z.string(),
    transaction: z.string().optional().describe('Of segments.'),
    segment: flag('The root span of one service.'),
    failed: flag('Its status says so.'),
    shiftUs: z.int().optional().describe('µs by which it was moved because the clocks of two services differ.'),
    orphan: flag('The parent that it names is not there.'),
    cycle: flag('Its parents led back to it; it was made a root.'),
    late: flag('It begins after its parent has ended.'),
    critical: flag('Part of it is on the critical path.'),
    duplicates: z.int().optional().describe('Spans left out that had its id.'),
    errors: z.array(z.int()).optional().describe('Indexes into `errors`.'),
    problems: z.array(z.int()).optional().describe('Indexes into `problems`, of which it is evidence.'),
    logs: z.int().optional().describe('How many of `logs` were written in it.'),
  })
  .meta({ id: 'WaterfallRow' });

const Waterfall = z
  .object({
    traceId: z.string(),
    startUs: z.int().describe('µs since the epoch; offsets count from here.'),
    durationUs: z.int(),
    spans: z.int().describe('Of the whole trace.'),
    left: z.int().describe('Spans beyond what is shown: more were sent than are read.'),
    duplicates: z.int(),
    lastReceived: dateTime('When the last of these spans came.').nullable(),
    services: z.array(z.object({ name: z.string(), projectId: z.string(), platform: z.string(), spans: z.int() })),
    projects: z.array(z.object({ id: z.string(), slug: z.string() })),
    rows: z.array(WaterfallRow).describe('In the order of the waterfall.'),
    errors: z.array(
      z.object({
        eventId: z.string(),
        issueId: z.string().nullable(),
        shortId: z.string().nullable(),
        projectId: z.string(),
        row: z.int().describe('Index of the row it happened in, -1 where its span is not there.'),
        offsetUs: z.int().describe('From the start of the trace, µs; moved as its row is.'),
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
          type: z.string().describe('Of the issue: performance_n_plus_one_db_queries, …'),
          title: z.string(),
          offenders: z.array(z.int()).describe('Rows whose time it is about.'),
          causes: z.array(z.int()).describe('Rows that led to it.'),
        }),
      )
      .describe('Performance problems found in the trace, with their evidence.'),
    logs: z
      .array(
        z.object({
          id: z.string(),
          row: z.int().describe('Index of the row it was written in, -1 where its span is not there.'),
          offsetUs: z.int().describe('From the start of the trace, µs; moved as its row is.'),
          level: z.string().describe('trace, debug, info, warn, error, fatal.'),
          message: z.string().describe('The first 1,000 characters.'),
          service: z.string(),
          projectId: z.string(),
        }),
      )
      .describe('The first 1,000, by time.'),
    logsLeft: z.int().describe('Logs beyond those.'),
    gaps: z
      .array(z.object({ row: z.int(), offsetUs: z.int(), durationUs: z.int() }))
      .describe('Time of a span that none of its children covers, from a fiftieth of the trace on.'),
    criticalPath: z
      .array(z.object({ row: z.int(), offsetUs: z.int(), durationUs: z.int() }))
      .describe('What the longest root waited for, by time.'),
  })
  .meta({ id: 'Waterfall' });

export const getWaterfall = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace/:trace/spans/',
  id: 'getWaterfall',
  tag: 'Traces',
  summary: 'A trace as rows in the order of its waterfall',
  description:
    'Orphans hang under their segment, cycles are cut, repeated spans left out, clocks of services corrected; each row says what was done to it.',
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
  summary: 'All that is stored of a span',
  access: 'event:read',
  params: traceParams.extend({
    span: z
      .string()
      .regex(/^[0-9a-fA-F]{16}$/, 'must be 16 hexadecimal digits')
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
      exclusiveUs: z.int().nullable().describe('As known when it came; null where its children were not known.'),
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
      remarks: z.array(z.unknown()).describe('What was changed or cut when it came.'),
    })
    .meta({ id: 'TraceSpan' }),
});
