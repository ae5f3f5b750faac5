/** The list of traces, and what belongs beside it: when they began and how long they took, and which values they have. */
import { z } from 'zod';
import { segmentFields } from '../../domains/traces/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, pageQuery, rangeQuery, repeatable, scopeQuery } from '../shared/schemas.ts';

const seconds = z.coerce.number().min(0).max(253_402_300_799).optional();
const milliseconds = z.coerce.number().min(0).max(1e12).optional();

const values = (name: string) => repeatable(`${name}, any of these; none: all.`);

const filterQuery = {
  ...rangeQuery,
  ...scopeQuery,
  query: z.string().max(200).default('').describe('Part of the name, in any case.'),
  release: values('Releases'),
  transaction: z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(z.string().max(2000)).max(20),
    )
    .optional()
    .default([])
    .describe('Whole names, any of these; none: all.'),
  op: values('Operations'),
  service: values('Services'),
  status: values('Statuses'),
  method: values('HTTP methods'),
  code: values('HTTP status codes'),
  browser: values('Browsers'),
  os: values('Operating systems'),
  user: values('Users, as id:…, username:…, email:… or ip:…'),
  failed: z.enum(['true', 'false']).optional().describe('Failed or successful requests only.'),
  durationFrom: milliseconds.describe('Minimum duration in ms.'),
  durationUntil: milliseconds.describe('Maximum duration in ms, exclusive.'),
  since: seconds.describe('Earliest start within the range, in seconds since the epoch.'),
  before: seconds.describe('Latest start, exclusive.'),
};

const project = z.object({ id: z.string(), slug: z.string() });

const Segment = z
  .object({
    spanId: z.string(),
    project,
    startUs: z.int().describe('µs since the epoch.'),
    durationMs: z.number(),
    op: z.string(),
    transaction: z.string(),
    service: z.string(),
    status: z.string(),
    failed: z.boolean(),
  })
  .meta({ id: 'ListedSegment' });

const ListedTrace = z
  .object({
    traceId: z.string(),
    root: Segment.nullable().describe('Its root, else the earliest root span of a service; null if its spans expired.'),
    rootMissing: z.boolean().describe('The parent of the root has not arrived.'),
    match: Segment.describe('Newest or slowest matching segment, which determines the position in the list.'),
    startUs: z.int(),
    durationMs: z.number().describe('From the start of its first segment to the end of its last.'),
    spans: z.int().describe('Data received within six hours of the match.'),
    services: z.array(z.string()).describe("At most 20; the project's slug if a service has no name."),
    segments: z.int(),
    failedSegments: z.int(),
    errors: z.int(),
  })
  .meta({ id: 'ListedTrace' });

export const listTraces = endpoint({
  method: 'GET',
  url: '/organizations/:org/traces/',
  id: 'listTraces',
  tag: 'Traces',
  summary: 'List traces with a matching segment, newest or slowest first',
  description:
    'A segment is the root span of a service. Default range: 24 hours. Pages are stable while traces arrive.',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...filterQuery, ...pageQuery, sort: z.enum(['newest', 'slowest']).default('newest') }),
  response: z.array(ListedTrace),
});

export const getTraceHeatmap = endpoint({
  method: 'GET',
  url: '/organizations/:org/traces/heatmap/',
  id: 'getTraceHeatmap',
  tag: 'Traces',
  summary: 'Count segments by time and duration for a heatmap',
  description: 'Default range: 24 hours. At most 60 columns and 40 rows.',
  access: 'event:read',
  params: orgParams,
  query: z.object(filterQuery),
  response: z
    .object({
      from: z.number().describe('Start of the first column, in seconds since the epoch.'),
      columnSeconds: z.number(),
      columns: z.int(),
      rows: z.array(z.object({ fromMs: z.number(), untilMs: z.number() })).describe('Shortest first.'),
      cells: z
        .array(
          z
            .tuple([
              z.int().describe('Index of the column.'),
              z.int().describe('Index of the row.'),
              z.int().describe('Segments.'),
              z.int().describe('Failed segments.'),
            ])
            .meta({ id: 'HeatmapCell' }),
        )
        .describe('Cells with segments.'),
      count: z.int(),
      failed: z.int(),
    })
    .meta({ id: 'TraceHeatmap' }),
});

export const getTraceFields = endpoint({
  method: 'GET',
  url: '/organizations/:org/traces/fields/',
  id: 'getTraceFields',
  tag: 'Traces',
  summary: 'List values of matching segments, most frequent first',
  description: 'Default range: 24 hours.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...filterQuery,
    limit: z.coerce.number().int().min(1).max(100).default(10).describe('Number of values per field.'),
  }),
  response: z
    .object({
      count: z.int().describe('Number of segments read.'),
      failed: z.int(),
      from: z.int().describe('Start of the data read, in seconds since the epoch.'),
      whole: z.boolean().describe('False if only the newest matches were read.'),
      fields: z.array(
        z.object({
          field: z.enum(segmentFields),
          values: z.array(z.object({ value: z.string(), count: z.int(), failed: z.int() })),
          more: z.boolean().describe('True if there are more values.'),
        }),
      ),
    })
    .meta({ id: 'TraceFields' }),
});
