/** The list of traces, and what belongs beside it: when they began and how long they took, and which values they have. */
import { z } from 'zod';
import { segmentFields } from '../../domains/traces/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, pageQuery, rangeQuery, repeatable, scopeQuery } from '../shared/schemas.ts';

const seconds = z.coerce.number().min(0).max(253_402_300_799).optional();
const milliseconds = z.coerce.number().min(0).max(1e12).optional();

const values = (name: string) => repeatable(`${name}, any of these; none for all.`);

const filterQuery = {
  ...rangeQuery,
  ...scopeQuery,
  query: z.string().max(200).default('').describe('Part of the name, any case.'),
  release: values('Releases'),
  transaction: z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(z.string().max(2000)).max(20),
    )
    .optional()
    .default([])
    .describe('Whole names, any of these; none for all.'),
  op: values('Operations'),
  service: values('Services'),
  status: values('Statuses'),
  method: values('HTTP methods'),
  code: values('HTTP status codes'),
  browser: values('Browsers'),
  os: values('Operating systems'),
  user: values('Users, as id:…, username:…, email:… or ip:…'),
  failed: z.enum(['true', 'false']).optional().describe('Those that failed, or those that did not.'),
  durationFrom: milliseconds.describe('Durations from here on, ms.'),
  durationUntil: milliseconds.describe('And below this, ms.'),
  since: seconds.describe('Within the range: begun at this time or later, seconds since the epoch.'),
  before: seconds.describe('And before this.'),
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
    root: Segment.nullable().describe(
      'Its root, else the earliest root span of a service; null where its spans have gone.',
    ),
    rootMissing: z.boolean().describe('The span that led to the root has not arrived.'),
    match: Segment.describe(
      'The newest or slowest of its segments that fulfil the filter: where it stands in the list.',
    ),
    startUs: z.int(),
    durationMs: z.number().describe('From its first segment to the end of its last.'),
    spans: z.int().describe('As received within six hours of the match.'),
    services: z.array(z.string()).describe('At most 20; the slug of the project where a sender gives no name.'),
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
  summary: 'Traces with a segment that fulfils the filter, the newest or slowest first',
  description:
    'A segment is the root span of one service. The last 24 hours unless a range is given. Pages stay as they are while traces arrive.',
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
  summary: 'Segments over time and duration, in cells',
  description: 'The last 24 hours unless a range is given. At most 60 columns and 40 rows.',
  access: 'event:read',
  params: orgParams,
  query: z.object(filterQuery),
  response: z
    .object({
      from: z.number().describe('Where the first column begins, seconds since the epoch.'),
      columnSeconds: z.number(),
      columns: z.int(),
      rows: z.array(z.object({ fromMs: z.number(), untilMs: z.number() })).describe('The shortest first.'),
      cells: z
        .array(
          z
            .tuple([
              z.int().describe('Index of the column.'),
              z.int().describe('Index of the row.'),
              z.int().describe('Segments.'),
              z.int().describe('Of them failed.'),
            ])
            .meta({ id: 'HeatmapCell' }),
        )
        .describe('Those with any.'),
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
  summary: 'Values of the segments that fulfil the filter, most frequent first',
  description: 'The last 24 hours unless a range is given.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...filterQuery,
    limit: z.coerce.number().int().min(1).max(100).default(10).describe('Values of each field.'),
  }),
  response: z
    .object({
      count: z.int().describe('Segments that were looked at.'),
      failed: z.int(),
      from: z.int().describe('Seconds since the epoch: what was looked at begins here.'),
      whole: z.boolean().describe('False where the filter finds more than is looked at; then the newest were.'),
      fields: z.array(
        z.object({
          field: z.enum(segmentFields),
          values: z.array(z.object({ value: z.string(), count: z.int(), failed: z.int() })),
          more: z.boolean().describe('There are values beyond these.'),
        }),
      ),
    })
    .meta({ id: 'TraceFields' }),
});
