/** Logs: as a list, one with its attributes, and in the tables that Sentry's clients read. */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { dateTime, orgParams, pageQuery, rangeQuery, repeatable, scopeQuery } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const Log = z
  .object({
    id: z.string().describe('32 hexadecimal digits.'),
    projectId: z.string(),
    traceId: z.string().nullable(),
    spanId: z.string().nullable(),
    timestamp: dateTime('With µs.'),
    level: z.string().describe('trace, debug, info, warn, error, fatal.'),
    severityNumber: z.int().describe('OpenTelemetry severity, 1 to 24; 0 if not set.'),
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
    'Such as `level:[error, fatal] service:api "timed out"`. Words match the message. Other names are attributes, with comparisons: `total:>5`.',
  );

export const listLogs = endpoint({
  method: 'GET',
  url: '/organizations/:org/logs/',
  id: 'listLogs',
  tag: 'Logs',
  summary: 'List logs by time, newest first',
  description: 'Default: all stored logs.',
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
  summary: 'Get a log with its attributes',
  access: 'event:read',
  params: orgParams.extend({
    log: z
      .string()
      .regex(/^[0-9a-fA-F-]{32,36}$/, invalid.hex(32))
      .transform((id) => id.replaceAll('-', '').toLowerCase()),
  }),
  response: Log.extend({
    dateObserved: dateTime('Time of collection.'),
    dateReceived: dateTime(),
    origin: z.string(),
    sdk: z.object({ name: z.string(), version: z.string() }),
    attributes: z.record(z.string(), z.string()),
    numbers: z.record(z.string(), z.number()),
    remarks: z.array(z.unknown()).describe('Changes and truncations on arrival.'),
  }).meta({ id: 'LogDetails' }),
});

const Row = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

const tableQuery = {
  query,
  project: scopeQuery.project,
  ...rangeQuery,
  cursor: pageQuery.cursor,
  per_page: z.coerce.number().int().min(1).max(1000).default(100).describe('Rows per page.'),
};

export const listTraceLogs = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace-logs/',
  id: 'listTraceLogs',
  tag: 'Logs',
  summary: 'List logs of traces as a table',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...tableQuery,
    traceId: repeatable('Trace IDs, 32 hexadecimal digits each; at least one.'),
    orderby: repeatable('timestamp or -timestamp.'),
    timestamp: z.coerce.number().optional().describe('Not used: a trace is found at any time.'),
  }),
  response: z
    .object({ data: z.array(Row), meta: z.object({ fields: z.record(z.string(), z.string()) }) })
    .meta({ id: 'LogTable' }),
});
