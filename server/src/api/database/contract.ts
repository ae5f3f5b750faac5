/** Queries to databases: all, and one with who calls it. */
import { z } from 'zod';
import { querySorts } from '../../domains/database/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, pageQuery, rangeQuery, repeatable, scopeQuery } from '../shared/schemas.ts';

const release = repeatable('Releases; omit for all.');

const share = z
  .number()
  .nullable()
  .describe('Share of the spans that the numbers are estimated from, 0 to 1; null if all were read.');

const Numbers = {
  count: z.int(),
  perMinute: z.number(),
  totalMs: z.number(),
};

const statement = z.string().describe('Without its values, at most 2,000 characters.');
const system = z.string().describe("Such as postgresql; '' if unknown.");

const DatabaseQuery = z
  .object({
    id: z.string().describe('Hash of the statement, 16 hex digits: `span.group` in searches.'),
    project: z.object({ id: z.string(), slug: z.string() }),
    statement,
    op: z.string(),
    system,
    service: z.string().describe("A service that calls it; '' if unknown."),
    ...Numbers,
    timeShare: z.number().describe('Share of the time of all queries, 0 to 1.'),
    p50Ms: z.number(),
    p95Ms: z.number(),
    transactions: z.int().describe('Number of transactions that call it; a lower bound if the numbers are estimated.'),
    transaction: z.string().describe("The transaction that calls it most; '' if unknown."),
  })
  .meta({ id: 'DatabaseQuery' });

export const listDatabaseQueries = endpoint({
  method: 'GET',
  url: '/organizations/:org/queries/',
  id: 'listDatabaseQueries',
  tag: 'Performance',
  summary: 'List database queries by total time, calls or percentile',
  description: 'Default range: 24 hours. Percentiles are exact to 1%. Beyond 1.6 million spans, numbers are estimates.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...rangeQuery,
    ...scopeQuery,
    ...pageQuery,
    release,
    query: z.string().max(200).default('').describe('Part of the statement, in any case.'),
    sort: z.enum(querySorts).default('total').describe('Largest first; total is the sum of all durations.'),
  }),
  response: z.object({ data: z.array(DatabaseQuery), meta: z.object({ share }) }).meta({ id: 'DatabaseQueries' }),
});

const oneParams = orgParams.extend({
  project: z.string().max(200).describe('ID or slug.'),
  query: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .describe('Hash of the statement.'),
});

const oneQuery = z.object({ ...rangeQuery, environment: scopeQuery.environment, release });

const Percentiles = { p50Ms: z.number(), p75Ms: z.number(), p95Ms: z.number(), p99Ms: z.number() };

export const getDatabaseQuery = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/queries/:query/',
  id: 'getDatabaseQuery',
  tag: 'Performance',
  summary: 'Get a database query over time',
  access: 'event:read',
  params: oneParams,
  query: oneQuery,
  response: z
    .object({
      ...DatabaseQuery.pick({ id: true, project: true, statement: true, op: true, system: true, service: true }).shape,
      ...Numbers,
      ...Percentiles,
      failureRate: z.number().describe('From 0 to 1.'),
      bucketSeconds: z.int(),
      series: z.array(
        z.object({
          at: z.int().describe('Seconds since the epoch.'),
          count: z.int(),
          failed: z.int(),
          p50Ms: z.number().nullable(),
          p95Ms: z.number().nullable(),
        }),
      ),
      share,
    })
    .meta({ id: 'DatabaseQueryDetails' }),
});

export const listQueryTransactions = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/queries/:query/transactions/',
  id: 'listQueryTransactions',
  tag: 'Performance',
  summary: 'List transactions that call a database query, by time',
  access: 'event:read',
  params: oneParams,
  query: oneQuery.extend({ limit: pageQuery.limit }),
  response: z
    .object({
      transactions: z.array(
        z.object({
          transaction: z.string(),
          op: z.string().describe("Operation of the transaction; '' if unknown."),
          ...Numbers,
          timeShare: z.number().describe('Share of the time of the query, 0 to 1.'),
          p95Ms: z.number(),
        }),
      ),
      share,
    })
    .meta({ id: 'QueryTransactions' }),
});

const place = {
  function: z.string().describe("With its namespace; '' if unknown."),
  file: z.string().describe("'' if unknown."),
  line: z.int().describe('0 if unknown.'),
};

const Call = {
  traceId: z.string(),
  spanId: z.string(),
  startUs: z.int(),
  durationMs: z.number(),
};

export const listCallSites = endpoint({
  method: 'GET',
  url: '/projects/:org/:project/queries/:query/call-sites/',
  id: 'listCallSites',
  tag: 'Performance',
  summary: 'List the lines of code that call a database query, with its slowest calls',
  description:
    'From the 2,000 slowest calls; beyond 400,000 spans, from those in a sample. SDKs send `code.function.name`, `code.file.path` and `code.line.number`, or their older names.',
  access: 'event:read',
  params: oneParams,
  query: oneQuery,
  response: z
    .object({
      examined: z.int().describe('Number of calls that were read.'),
      told: z.int().describe('Number of these calls that have a call site.'),
      sites: z.array(
        z.object({
          ...place,
          count: z.int(),
          totalMs: z.number(),
          link: z.string().nullable().describe('The line in the repository, if a code mapping matches.'),
          transactions: z.array(z.string()).describe('At most three.'),
          longest: z.object(Call),
        }),
      ),
      samples: z.array(
        z.object({
          ...Call,
          transaction: z.string(),
          release: z.string(),
          failed: z.boolean(),
          site: z.object(place).nullable(),
        }),
      ),
    })
    .meta({ id: 'CallSites' }),
});
