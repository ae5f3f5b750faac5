/** Performance: transactions, one of them, and web vitals. */
import { z } from 'zod';
import { transactionSorts, vitalGroupings, vitalNames } from '../../domains/traces/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, pageQuery, rangeQuery, repeatable, scopeQuery } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const filterQuery = { ...rangeQuery, ...scopeQuery, release: repeatable('Releases; omit for all.') };

const text = z.string().max(200).default('').describe('Part of the name, in any case.');

const Measured = {
  count: z.int(),
  perMinute: z.number(),
  failureRate: z.number().describe('From 0 to 1.'),
  apdex: z.number().describe('0 to 1; up to 300 ms satisfied, up to 1,200 ms tolerated.'),
  users: z.int(),
  totalMs: z.number(),
  p50Ms: z.number(),
  p75Ms: z.number(),
  p95Ms: z.number(),
  p99Ms: z.number(),
};

const Measures = z.object(Measured).meta({ id: 'TransactionMeasures' });

const Transaction = z
  .object({
    transaction: z.string(),
    op: z.string(),
    project: z.object({ id: z.string(), slug: z.string() }),
    ...Measured,
    timeShare: z.number().describe('Share of the time of all transactions, 0 to 1.'),
    before: Measures.nullable().describe('The previous period of the same length; null if there is none.'),
  })
  .meta({ id: 'Transaction' });

export const listTransactions = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/',
  id: 'listTransactions',
  tag: 'Performance',
  summary: 'List transactions with throughput, percentiles, failures, users and changes',
  description: 'Default range: 24 hours. Percentiles are exact to 1%.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...filterQuery,
    ...pageQuery,
    query: text,
    sort: z.enum(transactionSorts).default('total').describe('Worst first; total is the sum of all durations.'),
  }),
  response: z.array(Transaction),
});

const SeriesPart = z
  .object({
    at: z.int().describe('Seconds since the epoch.'),
    count: z.int(),
    failed: z.int(),
    p50Ms: z.number().nullable(),
    p75Ms: z.number().nullable(),
    p95Ms: z.number().nullable(),
    p99Ms: z.number().nullable(),
  })
  .meta({ id: 'TransactionSeriesPart' });

const ReleaseMark = z
  .object({
    at: z.int().describe('Seconds since the epoch.'),
    version: z.string(),
    shortVersion: z.string(),
    environment: z.string().nullable().describe('Environment of the deploy; null for a first transaction.'),
  })
  .meta({ id: 'ReleaseMark' });

export const listDeployMarks = endpoint({
  method: 'GET',
  url: '/organizations/:org/deploys/',
  id: 'listDeployMarks',
  tag: 'Performance',
  summary: 'List deploys in a time range, newest first',
  description: 'Default range: 24 hours. At most 50 deploys.',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...rangeQuery, ...scopeQuery }),
  response: z.array(ReleaseMark),
});

const marks = z.array(ReleaseMark).describe('Deploys, and first transactions of releases without one; newest first.');

export const getTransactionSeries = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/series/',
  id: 'getTransactionSeries',
  tag: 'Performance',
  summary: 'Get all transactions over time with the previous period',
  description: 'Default range: 24 hours.',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...filterQuery, query: text }),
  response: z
    .object({
      bucketSeconds: z.int(),
      totals: Measures.nullable().describe('null if there is none.'),
      before: Measures.nullable(),
      series: z.array(SeriesPart),
      seriesBefore: z.array(SeriesPart).describe('The previous period, at the times of the current series.'),
      marks,
    })
    .meta({ id: 'TransactionSeries' }),
});

const oneQuery = {
  ...rangeQuery,
  environment: scopeQuery.environment,
  release: filterQuery.release,
  transaction: z.string().min(1).max(2000),
  op: z.string().max(200).default(''),
  project: z.string().min(1).max(200).describe('ID or slug.'),
};

const tagQuery = {
  tag: z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z
        .array(
          z
            .string()
            .max(2500)
            .regex(/^[^:]+:/, invalid.pair),
        )
        .max(10),
    )
    .optional()
    .default([])
    .describe('Required tags, as key:value.'),
};

const pickedQuery = {
  ...tagQuery,
  durationFrom: z.coerce.number().min(0).max(1e12).optional().describe('Minimum duration in ms.'),
  durationUntil: z.coerce.number().min(0).max(1e12).optional().describe('Maximum duration in ms, exclusive.'),
};

const examined = {
  from: z.int().describe('Start of the data read, in seconds since the epoch.'),
  whole: z.boolean().describe('False if only the newest hours of the range were read.'),
};

export const getTransaction = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/details/',
  id: 'getTransaction',
  tag: 'Performance',
  summary: 'Get a transaction over time, with deploys and histogram',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...oneQuery, ...tagQuery }),
  response: z
    .object({
      transaction: Transaction.omit({ timeShare: true }),
      bucketSeconds: z.int(),
      series: z.array(SeriesPart),
      marks,
      examined: z.object(examined),
      sampledOneIn: z
        .number()
        .nullable()
        .describe('Average number of sent transactions per stored one; null if clients do not report it.'),
      histogram: z.array(z.object({ fromMs: z.number(), untilMs: z.number(), count: z.int() })),
    })
    .meta({ id: 'TransactionDetails' }),
});

export const listSamples = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/samples/',
  id: 'listTransactionSamples',
  tag: 'Performance',
  summary: 'List traces of a transaction at its percentiles or durations',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...oneQuery, ...pickedQuery }),
  response: z
    .object({
      ...examined,
      samples: z.array(
        z.object({
          percentile: z.enum(['p50', 'p75', 'p95', 'p99']).nullable().describe('null for requested durations.'),
          traceId: z.string(),
          spanId: z.string(),
          startUs: z.int(),
          durationMs: z.number(),
          status: z.string(),
          user: z.string(),
          release: z.string(),
        }),
      ),
    })
    .meta({ id: 'TransactionSamples' }),
});

const smallLimit = z.coerce.number().int().min(1).max(100).default(25);

export const listOperations = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/operations/',
  id: 'listTransactionOperations',
  tag: 'Performance',
  summary: 'List operations of a transaction by time',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...oneQuery, ...pickedQuery, limit: smallLimit }),
  response: z
    .object({
      ...examined,
      operations: z.array(
        z.object({
          op: z.string(),
          description: z.string(),
          hash: z.string(),
          count: z.int(),
          totalMs: z.number().describe('Without the time of children, if known.'),
          share: z.number().describe('Share of the time of all operations, 0 to 1.'),
          p75Ms: z.number().describe('75th percentile of the whole duration.'),
          longest: z.object({ traceId: z.string(), spanId: z.string(), startUs: z.int() }),
        }),
      ),
    })
    .meta({ id: 'TransactionOperations' }),
});

export const listSlowTags = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/tags/',
  id: 'listSlowTags',
  tag: 'Performance',
  summary: 'List attribute values that are more frequent in slow transactions',
  description: 'Slow means from p95 unless durations are set.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...oneQuery,
    ...pickedQuery,
    limit: smallLimit,
  }),
  response: z
    .object({
      ...examined,
      fromMs: z.number().describe('Minimum duration of slow transactions.'),
      untilMs: z.number().nullable(),
      count: z.int().describe('Number of compared transactions.'),
      slow: z.int(),
      tags: z.array(
        z.object({
          key: z.string(),
          value: z.string(),
          count: z.int(),
          slow: z.int(),
          lift: z.number().describe('Ratio of the frequency in slow transactions to all.'),
        }),
      ),
    })
    .meta({ id: 'SlowTags' }),
});

const vitalsQuery = {
  ...rangeQuery,
  ...scopeQuery,
  transaction: z.string().max(2000).optional().describe('One page; default: all.'),
};

export const listVitals = endpoint({
  method: 'GET',
  url: '/organizations/:org/vitals/',
  id: 'listVitals',
  tag: 'Performance',
  summary: 'List web vitals by page, browser or device, most to gain first',
  description:
    'Default range: 7 days, by full hours. Percentiles are exact to 1%, those around 1 (0.98 to 1.02) to 2%.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...vitalsQuery,
    by: z.enum(vitalGroupings).default('transaction'),
    limit: smallLimit,
  }),
  response: z.array(
    z
      .object({
        name: z.string().describe("The page, browser or device; '' if unknown, and for the total."),
        project: z
          .object({ id: z.string(), slug: z.string() })
          .nullable()
          .describe('Project of a page; null if a group can span projects.'),
        count: z.int(),
        score: z.number().nullable().describe('0 to 100; null without a scored vital.'),
        rating: z.enum(['good', 'meh', 'poor']).nullable().describe('Good from 90, poor below 50.'),
        opportunity: z.number().describe('Points that the total score would gain.'),
        vitals: z.array(
          z.object({
            vital: z.enum(vitalNames),
            count: z.int(),
            p50: z.number().describe('ms; cls has no unit.'),
            p75: z.number(),
            p90: z.number(),
            good: z.int().describe('Samples within the good threshold.'),
            poor: z.int(),
            score: z.number().nullable().describe('null if the browsers are not scored by it.'),
          }),
        ),
      })
      .meta({ id: 'VitalsGroup' }),
  ),
});

export const getVitalSeries = endpoint({
  method: 'GET',
  url: '/organizations/:org/vitals/series/',
  id: 'getVitalSeries',
  tag: 'Performance',
  summary: 'Web vitals over time',
  description: 'Default range: 7 days, by full hours.',
  access: 'event:read',
  params: orgParams,
  query: z.object(vitalsQuery),
  response: z
    .object({
      bucketSeconds: z.int(),
      times: z.array(z.int()).describe('Seconds since the epoch.'),
      vitals: z.array(
        z.object({
          vital: z.enum(vitalNames),
          points: z
            .array(
              z
                .object({ count: z.int(), good: z.int(), poor: z.int(), p75: z.number() })
                .nullable()
                .describe('null without samples.'),
            )
            .describe('One per time.'),
        }),
      ),
    })
    .meta({ id: 'VitalSeries' }),
});

export const getVitalCauses = endpoint({
  method: 'GET',
  url: '/organizations/:org/vitals/causes/',
  id: 'getVitalCauses',
  tag: 'Performance',
  summary: 'List elements, interactions and resources behind the vitals of a page, with sample page loads',
  description: 'From the newest page loads of the range; default 7 days.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...rangeQuery,
    environment: scopeQuery.environment,
    project: oneQuery.project,
    transaction: z.string().max(2000),
  }),
  response: z
    .object({
      ...examined,
      pageLoads: z.int().describe('Page loads read for resources.'),
      elements: z.array(
        z.object({
          vital: z.enum(['lcp', 'inp', 'cls']),
          element: z.string().describe('CSS path.'),
          detail: z.string().describe("Image address for lcp, kind of interaction for inp; '' if none."),
          count: z.int(),
          p75: z.number(),
          highest: z.number(),
          size: z.number().describe('Median size in pixels for lcp; 0 if unknown.'),
        }),
      ),
      resources: z.array(
        z.object({
          op: z.string(),
          description: z.string(),
          count: z.int().describe('Page loads that requested it before the largest paint.'),
          p75Ms: z.number(),
          bytes: z.number().describe('Median transferred bytes; 0 if unknown.'),
          blocking: z.boolean().describe('It blocked rendering.'),
        }),
      ),
      samples: z.array(
        z.object({
          vital: z.enum(vitalNames),
          value: z.number(),
          traceId: z.string(),
          spanId: z.string(),
          startUs: z.int(),
          browser: z.string(),
          release: z.string(),
        }),
      ),
    })
    .meta({ id: 'VitalCauses' }),
});
