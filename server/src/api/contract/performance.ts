/** Performance: transactions, one of them, and web vitals. */
import { z } from 'zod';
import { transactionSorts, vitalNames } from '../../traces/index.ts';
import { endpoint } from './endpoint.ts';
import { orgParams, pageQuery, rangeQuery, repeatable, scopeQuery } from './shared.ts';

const filterQuery = { ...rangeQuery, ...scopeQuery, release: repeatable('Releases; none for all.') };

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
    query: z.string().max(200).default('').describe('Part of the name, any case.'),
    sort: z.enum(transactionSorts).default('total').describe('The worst first; total is the time spent in all.'),
  }),
  response: z.array(Transaction),
});

const oneQuery = {
  ...rangeQuery,
  environment: scopeQuery.environment,
  release: filterQuery.release,
  transaction: z.string().min(1).max(2000),
  op: z.string().max(200).default(''),
  project: z.string().min(1).max(200).describe('Id or slug.'),
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
  summary: 'One transaction over time, with its histogram and sample traces',
  access: 'event:read',
  params: orgParams,
  query: z.object(oneQuery),
  response: z
    .object({
      transaction: Transaction.omit({ timeShare: true }),
      bucketSeconds: z.int(),
      series: z.array(
        z.object({
          at: z.int().describe('Seconds since the epoch.'),
          count: z.int(),
          failed: z.int(),
          p50Ms: z.number().nullable(),
          p75Ms: z.number().nullable(),
          p95Ms: z.number().nullable(),
          p99Ms: z.number().nullable(),
        }),
      ),
      examined: z.object(examined),
      histogram: z.array(z.object({ fromMs: z.number(), untilMs: z.number(), count: z.int() })),
      samples: z.array(
        z.object({
          percentile: z.enum(['p50', 'p75', 'p95', 'p99']),
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
    .meta({ id: 'TransactionDetails' }),
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
  query: z.object({ ...oneQuery, limit: smallLimit }),
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
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...oneQuery,
    limit: smallLimit,
    slowMs: z.coerce.number().min(0).max(1e12).optional().describe('From when on one is slow; p95 unless given.'),
  }),
  response: z
    .object({
      ...examined,
      slowMs: z.number(),
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

export const listVitals = endpoint({
  method: 'GET',
  url: '/organizations/:org/vitals/',
  id: 'listVitals',
  tag: 'Performance',
  summary: 'Web vitals by page, browser or device, where there is most to gain first',
  description: 'The last 7 days unless a range is given, by full hours.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...rangeQuery,
    ...scopeQuery,
    by: z.enum(['transaction', 'browser', 'device']).default('transaction'),
    transaction: z.string().max(2000).optional().describe('One page; all unless given.'),
    limit: smallLimit,
  }),
  response: z.array(
    z
      .object({
        name: z.string().describe("The page, browser or device; '' where it is not known."),
        project: z.object({ id: z.string(), slug: z.string() }),
        count: z.int(),
        score: z.number().describe('From 0 to 100.'),
        rating: z.enum(['good', 'meh', 'poor']).describe('Good from 90 on, poor below 50.'),
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
            score: z.number(),
          }),
        ),
      })
      .meta({ id: 'VitalsGroup' }),
  ),
});
