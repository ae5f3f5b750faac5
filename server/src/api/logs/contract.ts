/** Logs: as a list, one with its attributes, and in the tables that Sentry's clients read. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, rangeQuery, repeatable, scopeQuery } from '../shared/schemas.ts';

const Log = z
  .object({
    id: z.string().describe('32 hexadecimal digits.'),
    projectId: z.string(),
    traceId: z.string().nullable(),
    spanId: z.string().nullable(),
    timestamp: dateTime('With µs.'),
    level: z.string().describe('trace, debug, info, warn, error, fatal.'),
    severityNumber: z.int().describe("OpenTelemetry's, 1 to 24; 0 where the sender names none."),
    message: z.string(),
    service: z.string(),
    environment: z.string(),
    release: z.string(),
  })
  .meta({ id: 'Log' });

const query = z
  .string()
  .max(4096)
  .default('')
  .describe(
    'Such as `level:[error, fatal] service:api "timed out"`. Words look into the message; a name that is no field is an attribute, whose numbers may be compared: `total:>5`.',
  );

export const listLogs = endpoint({
  method: 'GET',
  url: '/organizations/:org/logs/',
  id: 'listLogs',
  tag: 'Logs',
  summary: 'Logs by time, the newest first',
  description: 'All that is stored when no range is given.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    query,
    ...scopeQuery,
    ...rangeQuery,
    ...pageQuery,
    sort: z.enum(['-timestamp', 'timestamp']).default('-timestamp'),
  }),
  response: z.array(Log),
});

export const getLog = endpoint({
  method: 'GET',
  url: '/organizations/:org/logs/:log/',
  id: 'getLog',
  tag: 'Logs',
  summary: 'One log with its attributes',
  access: 'event:read',
  params: orgParams.extend({
    log: z
      .string()
      .regex(/^[0-9a-fA-F-]{32,36}$/, 'must be 32 hexadecimal digits')
      .transform((id) => id.replaceAll('-', '').toLowerCase()),
  }),
  response: Log.extend({
    dateObserved: dateTime('When it was collected.'),
    dateReceived: dateTime(),
    origin: z.string(),
    sdk: z.object({ name: z.string(), version: z.string() }),
    attributes: z.record(z.string(), z.string()),
    numbers: z.record(z.string(), z.number()),
    remarks: z.array(z.unknown()).describe('What was changed or cut when it came.'),
  }).meta({ id: 'LogDetails' }),
});

const Row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

const tableQuery = {
  query,
  project: scopeQuery.project,
  ...rangeQuery,
  cursor: pageQuery.cursor,
  per_page: z.coerce.number().int().min(1).max(1000).default(100).describe('Rows of a page.'),
};

export const listTraceLogs = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace-logs/',
  id: 'listTraceLogs',
  tag: 'Logs',
  summary: 'The logs of traces, as a table',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...tableQuery,
    traceId: repeatable('Trace ids, 32 hexadecimal digits each; at least one.'),
    orderby: repeatable('timestamp or -timestamp.'),
    timestamp: z.coerce.number().optional().describe('Not used: a trace is found at any time.'),
  }),
  response: z
    .object({ data: z.array(Row), meta: z.object({ fields: z.record(z.string(), z.string()) }) })
    .meta({ id: 'LogTable' }),
});
