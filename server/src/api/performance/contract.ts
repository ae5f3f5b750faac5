/** Performance: transactions, one of them, and web vitals. */
import { z } from 'zod';
import { transactionSorts, vitalGroupings, vitalNames } from '../../domains/traces/index.ts';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, pageQuery, rangeQuery, repeatable, scopeQuery } from '../shared/schemas.ts';

const filterQuery = { ...rangeQuery, ...scopeQuery, release: repeatable('Releases; none for all.') };

const text = z.string().max(200).default('').describe('Part of the name, any case.');

const Measured = {
  count: z.int(),
  perMinute: z.number(),
  failureRate: z.number().describe('From 0 to 1.'),
  apdex: z.number().describe('From 0 to 1; 300 ms satisfy, 1,200 ms are tolerated.'),
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
    timeShare: z.number().describe('Of the time of all transactions, from 0 to 1.'),
    before: Measures.nullable().describe('The period of the same length before; null when there was none.'),
  })
  .meta({ id: 'Transaction' });

export const listTransactions = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/',
  id: 'listTransactions',
  tag: 'Performance',
  summary: 'Transactions with throughput, percentiles, failures and users, and how they did before',
  description: 'The last 24 hours unless a range is given. Percentiles are exact to 1 %.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...filterQuery,
    ...pageQuery,
    query: text,
    sort: z.enum(transactionSorts).default('total').describe('The worst first; total is the time spent in all.'),
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
    environment: z.string().nullable().describe('Where it was deployed; null for its first transaction.'),
  })
  .meta({ id: 'ReleaseMark' });

const marks = z.array(ReleaseMark).describe('Deploys, and first transactions of releases without one; newest first.');

export const getTransactionSeries = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/series/',
  id: 'getTransactionSeries',
  tag: 'Performance',
  summary: 'All transactions together over time, beside the period before',
  description: 'The last 24 hours unless a range is given.',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...filterQuery, query: text }),
  response: z
    .object({
      bucketSeconds: z.int(),
      totals: Measures.nullable().describe('Null when there was none.'),
      before: Measures.nullable(),
      series: z.array(SeriesPart),
      seriesBefore: z
        .array(SeriesPart)
        .describe('The period before, at the times of the series that it is compared with.'),
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
  project: z.string().min(1).max(200).describe('Id or slug.'),
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
            .regex(/^[^:]+:/, 'must be key:value'),
        )
        .max(10),
    )
    .optional()
    .default([])
    .describe('Tags that it must have, as key:value.'),
};

const pickedQuery = {
  ...tagQuery,
  durationFrom: z.coerce.number().min(0).max(1e12).optional().describe('Durations from here on, ms.'),
  durationUntil: z.coerce.number().min(0).max(1e12).optional().describe('And below this, ms.'),
};

const examined = {
  from: z.int().describe('Seconds since the epoch: what was looked at begins here.'),
  whole: z.boolean().describe('False where the range has more than is looked at; then its newest hours were.'),
};

export const getTransaction = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/details/',
  id: 'getTransaction',
  tag: 'Performance',
  summary: 'One transaction over time, with deploys and its histogram',
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
        .describe('For how many transactions each stands that was sent, on average; null where senders do not say.'),
      histogram: z.array(z.object({ fromMs: z.number(), untilMs: z.number(), count: z.int() })),
    })
    .meta({ id: 'TransactionDetails' }),
});

export const listSamples = endpoint({
  method: 'GET',
  url: '/organizations/:org/transactions/samples/',
  id: 'listTransactionSamples',
  tag: 'Performance',
  summary: 'Traces of a transaction at its percentiles, or of the durations that are asked for',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...oneQuery, ...pickedQuery }),
  response: z
    .object({
      ...examined,
      samples: z.array(
        z.object({
          percentile: z.enum(['p50', 'p75', 'p95', 'p99']).nullable().describe('Null where durations were asked for.'),
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
  summary: 'What a transaction spends its time with',
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
          totalMs: z.number().describe('Without what children did, where that is known.'),
          share: z.number().describe('Of the time of all operations, from 0 to 1.'),
          p75Ms: z.number().describe('Of the whole duration.'),
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
  summary: 'Attribute values that slow transactions have more often than others',
  description: 'Slow are those from p95 on unless durations are given.',
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
      fromMs: z.number().describe('Where slow begins.'),
      untilMs: z.number().nullable(),
      count: z.int().describe('Transactions that were compared.'),
      slow: z.int(),
      tags: z.array(
        z.object({
          key: z.string(),
          value: z.string(),
          count: z.int(),
          slow: z.int(),
          lift: z.number().describe('How many times as frequent among the slow ones as among all.'),
        }),
      ),
    })
    .meta({ id: 'SlowTags' }),
});

const vitalsQuery = {
  ...rangeQuery,
  ...scopeQuery,
  transaction: z.string().max(2000).optional().describe('One page; all unless given.'),
};

export const listVitals = endpoint({
  method: 'GET',
  url: '/organizations/:org/vitals/',
  id: 'listVitals',
  tag: 'Performance',
  summary: 'Web vitals by page, browser or device, where there is most to gain first',
  description:
    'The last 7 days unless a range is given, by full hours. Percentiles are exact to 1 %, those of about 1 (0.98 to 1.02) to 2 %.',
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
        name: z.string().describe("The page, browser or device; '' where it is not known, and of all together."),
        project: z
          .object({ id: z.string(), slug: z.string() })
          .nullable()
          .describe('Of a page; null where a group may span projects.'),
        count: z.int(),
        score: z.number().nullable().describe('From 0 to 100; null where nothing counts towards it.'),
        rating: z.enum(['good', 'meh', 'poor']).nullable().describe('Good from 90 on, poor below 50.'),
        opportunity: z.number().describe('Points that the score of all would gain.'),
        vitals: z.array(
          z.object({
            vital: z.enum(vitalNames),
            count: z.int(),
            p50: z.number().describe('ms; cls has no unit.'),
            p75: z.number(),
            p90: z.number(),
            good: z.int().describe('Samples within the threshold for good.'),
            poor: z.int(),
            score: z.number().nullable().describe('Null where the browsers are not scored by it.'),
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
  description: 'The last 7 days unless a range is given, by full hours.',
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
                .describe('Null where there was no sample.'),
            )
            .describe('One for each time.'),
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
  summary: 'Elements, interactions and resources that make the vitals of one page, and page loads to look at',
  description: 'From the newest page loads of the range; the last 7 days unless one is given.',
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
      pageLoads: z.int().describe('Those that resources were looked for in.'),
      elements: z.array(
        z.object({
          vital: z.enum(['lcp', 'inp', 'cls']),
          element: z.string().describe('CSS path.'),
          detail: z.string().describe("Address of the image for lcp, kind of interaction for inp; '' for none."),
          count: z.int(),
          p75: z.number(),
          highest: z.number(),
          size: z.number().describe('Median of its pixels for lcp; 0 where it is not known.'),
        }),
      ),
      resources: z.array(
        z.object({
          op: z.string(),
          description: z.string(),
          count: z.int().describe('Page loads that asked for it before their largest paint.'),
          p75Ms: z.number(),
          bytes: z.number().describe('Median of what was sent; 0 where it is not known.'),
          blocking: z.boolean().describe('It held up rendering.'),
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
