/**
 * Explore: rows, groups and series of events and spans, in the shapes of Sentry's `events/`, `events-stats/`,
 * `events-timeseries/` and `events-meta/`, and a comparison of a selection with the rest.
 */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, rangeQuery, scopeQuery } from '../shared/schemas.ts';
import { invalid } from '../../base/texts/validation.ts';

const errorNames = ['errors', 'discover'] as const;
const spanNames = ['spans', 'spansIndexed', 'spansMetrics'] as const;
const transactionNames = ['transactions', 'metrics', 'metricsEnhanced'] as const;

export const logNames = ['logs', 'ourlogs'] as const;

/** Sentry's names for what is one data set here are taken as that. */
export const dataset = z
  .enum(['', ...errorNames, ...spanNames, ...transactionNames])
  .default('errors')
  .transform((name) =>
    spanNames.some((one) => one === name)
      ? 'spans'
      : transactionNames.some((one) => one === name)
        ? 'transactions'
        : 'errors',
  )
  .describe('errors (or discover): errors and messages. spans. transactions: root spans of a service.');

const query = z
  .string()
  .max(8192)
  .default('')
  .describe('In the search language; conditions on aggregates such as `count():>10` apply to groups.');

const fields = (description: string) =>
  z
    .preprocess(
      (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
      z.array(z.string().max(500)).max(200),
    )
    .optional()
    .default([])
    .describe(description);

const sort = fields(
  'Columns to sort by, most significant first; `-` reverses. Default: newest rows first, or the first aggregate, largest first.',
);

/** Sentry's names for how much of its own samples is read; here all rows are, unless `allow` is said. */
const samplingNames = [
  'NORMAL',
  'HIGH_ACCURACY',
  'HIGHEST_ACCURACY',
  'BEST_EFFORT',
  'HIGHEST_ACCURACY_FLEX_TIME',
] as const;

const sampling = z
  .enum(['', 'allow', ...samplingNames])
  .default('')
  .transform((name) => (name === 'allow' ? name : ''))
  .describe(
    "allow: large queries may return an estimate from a sample, marked by `meta.sampling`. Its series have longer buckets unless you set their length. Default, and Sentry's own names: results cover all rows.",
  );

const share = z.number().describe('Share of rows that were read, 0 to 1.');

/** A date as text where the column is one. */
const End = z.union([z.number(), z.string(), z.null()]);
const Interval = z
  .tuple([End, End])
  .describe(
    'Bounds that contain the value of all rows 19 times in 20. null: unknown or unbounded, such as the maximum.',
  );
const PointInterval = z.tuple([z.number().nullable(), z.number().nullable()]);
const pointInterval =
  'Bounds that contain the exact value 19 times in 20; missing if it is right to 1 %. null: unknown.';

/** What every question about events or spans has. */
const askQuery = { ...rangeQuery, ...scopeQuery, dataset, query };

const Value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()]))]);

const Types = z
  .record(z.string(), z.string())
  .describe('By column: string, integer, number, boolean, date, duration, size, percentage, rate or array.');
const Units = z
  .record(z.string(), z.string().nullable())
  .describe('By column: millisecond, byte, 1/second, 1/minute …; null if none.');

const Row = z.record(z.string(), Value).meta({ id: 'ExploreRow' });

export const exploreEvents = endpoint({
  method: 'GET',
  url: '/organizations/:org/events/',
  id: 'exploreEvents',
  tag: 'Explore',
  summary: 'Query events or spans as rows or groups',
  description:
    'Without an aggregate field: rows. With one: a row per group of the other fields. At most 20 fields, 10 of them to group by. `sampling=allow` allows an estimate for the first page of large results, with margins. Not estimated: different values (`count_unique`), conditions on groups, and results with the smallest first. Logs (`dataset=logs`) are rows by time only.',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...askQuery,
    dataset: z.union([dataset, z.enum(logNames).transform(() => 'logs' as const)]),
    field: fields('Columns: a key such as `level`, `tags[x]`, or an aggregate such as `p95(span.duration)`.'),
    sort,
    sampling,
    per_page: z.coerce
      .number()
      .int()
      .min(1)
      .max(1000)
      .default(50)
      .describe('Rows per page: at most 100, for logs 1,000.'),
    cursor: z
      .string()
      .max(200)
      .optional()
      .describe('From the Link header of the previous page; reaches the first 10,000 rows.'),
  }),
  response: z.object({
    data: z.array(Row),
    meta: z.object({
      fields: Types,
      units: Units.optional(),
      dataset: z.string().optional(),
      isMetricsData: z.boolean().optional(),
      sampling: z
        .object({ share, intervals: z.array(z.record(z.string(), Interval)).describe('By row and column.') })
        .optional()
        .describe('Set if values are estimated from a sample.'),
      estimated: z
        .object({ intervals: z.array(z.record(z.string(), Interval)).describe('By row and column.') })
        .optional()
        .describe('Set if counts or rates of errors may be off by more than 1 %: their 95 % intervals.'),
    }),
  }),
});

const StatsPoint = z
  .tuple([
    z.int().describe('Start of the bucket, seconds since the epoch.'),
    z.array(
      z.object({
        count: z.number().nullable().describe('The value of any aggregate.'),
        interval: PointInterval.optional().describe(pointInterval),
      }),
    ),
  ])
  .meta({ id: 'StatsPoint' });

const StatsSeries = z
  .object({
    data: z.array(StatsPoint),
    start: z.number().describe('Seconds since the epoch.'),
    end: z.number(),
    order: z.int().optional(),
    isMetricsData: z.boolean(),
    meta: z.object({ fields: Types, units: Units, dataset: z.string() }),
  })
  .meta({ id: 'StatsSeries' });

const seriesQuery = {
  ...askQuery,
  yAxis: fields('Aggregates, one series each; default `count()`. At most 10.'),
  sort,
  topEvents: z.coerce.number().int().min(0).max(10).optional().describe('Number of groups with their own series.'),
  interval: z
    .string()
    .regex(/^(\d{1,9}[smhdw]?)?$/, invalid.interval)
    .optional()
    .describe('Length of a bucket; increased if there would be more than 300.'),
  excludeOther: z.enum(['0', '1', 'true', 'false', '']).optional().describe('1: omit the series of all other groups.'),
};

export const exploreStats = endpoint({
  method: 'GET',
  url: '/organizations/:org/events-stats/',
  id: 'exploreStats',
  tag: 'Explore',
  summary: 'Query aggregates over time',
  description:
    'One `yAxis`: one series. Several: an object of series by aggregate. With `topEvents` and `field`: an object by group; the group `Other` is the rest. Group names are their values, joined by commas.',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...seriesQuery, field: fields('With topEvents: fields to group by; aggregates are ignored.') }),
  response: z.union([
    StatsSeries,
    z.record(
      z.string(),
      z.union([StatsSeries, z.record(z.string(), z.union([StatsSeries, z.int().describe('Rank of the group.')]))]),
    ),
  ]),
});

const TimeSeries = z
  .object({
    yAxis: z.string(),
    groupBy: z.array(z.object({ key: z.string(), value: Value })).nullable(),
    values: z.array(
      z.object({
        timestamp: z.int().describe('Start of the bucket, ms since the epoch.'),
        value: z.number().nullable().describe('null if there is no data.'),
        incomplete: z.boolean().describe('The bucket is still open.'),
        interval: PointInterval.optional().describe(pointInterval),
      }),
    ),
    meta: z.object({
      valueType: z.string(),
      valueUnit: z.string().nullable(),
      interval: z.int().describe('Length of a bucket in ms.'),
      order: z.int().nullable(),
      isOther: z.boolean(),
    }),
  })
  .meta({ id: 'ExploreTimeSeries' });

export const exploreTimeseries = endpoint({
  method: 'GET',
  url: '/organizations/:org/events-timeseries/',
  id: 'exploreTimeseries',
  tag: 'Explore',
  summary: 'Query aggregates over time as a flat list of series',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...seriesQuery, groupBy: fields('With topEvents: fields to group by.'), sampling }),
  response: z.object({
    meta: z.object({
      dataset: z.string(),
      start: z.number().describe('ms since the epoch.'),
      end: z.number(),
      sampling: z.object({ share }).optional().describe('Set if values are estimated from a sample.'),
    }),
    timeSeries: z.array(TimeSeries),
  }),
});

export const exploreMeta = endpoint({
  method: 'GET',
  url: '/organizations/:org/events-meta/',
  id: 'exploreMeta',
  tag: 'Explore',
  summary: 'Count the events or spans of a query',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...askQuery, sampling }),
  response: z.object({
    count: z.int().describe('Stored rows.'),
    represents: z
      .object({ count: z.int(), interval: Interval.nullable().describe('null: right to 1 %.') })
      .optional()
      .describe('Set if stored errors represent more, after a storm.'),
    meta: z
      .object({ sampling: z.object({ share, interval: Interval }) })
      .optional()
      .describe('Set if it is estimated from a sample.'),
  }),
});

const itemType = z.literal('spans');

export const exploreAttributes = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace-items/attributes/',
  id: 'exploreAttributes',
  tag: 'Explore',
  summary: 'List span attributes by type',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...rangeQuery,
    ...scopeQuery,
    itemType: itemType.optional().describe('Data set of the attributes. Default: spans.'),
    dataset: itemType.optional().describe('The same, as some clients name it.'),
    attributeType: z
      .enum(['string', 'number', 'boolean', 'array'])
      .optional()
      .describe('These only; no attribute is an array. Default: all.'),
    substringMatch: z.string().max(200).default('').describe('Only names that contain it.'),
    query: z.string().max(8192).optional().describe('Not used: attributes of all rows are listed.'),
  }),
  response: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      attributeType: z.string(),
      attributeSource: z.object({ source_type: z.enum(['sentry', 'user']) }),
    }),
  ),
});

const Verdict = { valid: z.boolean(), error: z.string().nullable() };
const NamedVerdict = z.object({ name: z.string(), ...Verdict });
const FieldVerdict = NamedVerdict.extend({ attrType: z.enum(['string', 'number', 'boolean']).nullable() });

export const validateExplore = endpoint({
  method: 'GET',
  url: '/organizations/:org/events/validate/',
  id: 'validateExplore',
  tag: 'Explore',
  summary: 'Check a query, part by part, without running it',
  description: "For Sentry's clients. Each part says what is wrong with it.",
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...rangeQuery,
    ...scopeQuery,
    dataset: z.string().max(100).default('errors'),
    query,
    field: fields('Columns, as for the query itself.'),
    orderby: fields('Columns to sort by; `-` reverses.'),
  }),
  response: z
    .object({
      valid: z.boolean(),
      projects: z.array(z.object(Verdict)),
      dataset: z.array(NamedVerdict),
      environment: z.array(z.object(Verdict)),
      field: z.array(FieldVerdict),
      query: z.object({ ...Verdict, fields: z.array(FieldVerdict) }),
      orderby: z.array(FieldVerdict),
    })
    .meta({ id: 'ExploreVerdict' }),
});

/** A question as it is sent in a body, stored and exported. */
export const ExploreQuestion = z
  .object({
    dataset: z.enum(['errors', 'spans', 'transactions']),
    query: z.string().max(8192).default(''),
    field: z.array(z.string().max(500)).max(20).default([]).describe('Columns of the table.'),
    groupBy: z.array(z.string().max(500)).max(10).default([]).describe('Saved queries only: fields to group by.'),
    yAxis: z.array(z.string().max(500)).max(10).default([]).describe('Saved queries only: drawn aggregates.'),
    sort: z.array(z.string().max(501)).max(5).default([]),
    topEvents: z.int().min(0).max(10).optional(),
    interval: z
      .string()
      .regex(/^\d{1,9}[smhdw]?$/)
      .optional(),
    statsPeriod: z
      .string()
      .regex(/^\d{1,5}[smhdw]$/)
      .optional(),
    start: z.string().max(40).optional(),
    end: z.string().max(40).optional(),
    project: z.array(z.string().max(200)).max(100).default([]),
    environment: z.array(z.string().max(200)).max(100).default([]),
    view: z
      .record(z.string().max(50), z.union([z.string().max(500), z.number(), z.boolean(), z.null()]))
      .optional()
      .describe('Saved queries only: display settings of the console.'),
  })
  .meta({ id: 'ExploreQuestion' });

const Share = z.number().describe('From 0 to 1.');

export const exploreCompare = endpoint({
  method: 'POST',
  url: '/organizations/:org/events-compare/',
  id: 'exploreCompare',
  tag: 'Explore',
  summary: 'Compare a selection with the rest by attribute',
  description:
    "Select part of the query's results by another query, a time, the range of a number, or a combination. Reads about 10,000 rows per side.",
  access: 'event:read',
  params: orgParams,
  body: z.object({
    ...ExploreQuestion.pick({
      dataset: true,
      query: true,
      statsPeriod: true,
      start: true,
      end: true,
      project: true,
      environment: true,
    }).shape,
    selection: z
      .object({
        query: z.string().max(8192).default(''),
        start: z.string().max(40).optional(),
        end: z.string().max(40).optional(),
        range: z
          .object({
            field: z.string().max(500).describe('A number, such as `span.duration`.'),
            from: z.number().nullable().default(null).describe('In the unit of the field; null for no bound.'),
            until: z.number().nullable().default(null).describe('Exclusive.'),
          })
          .optional(),
      })
      .describe('At least one of query, start and range.'),
    limit: z.int().min(1).max(100).default(30).describe('Attributes.'),
  }),
  response: z.object({
    selection: z.int().describe('Number of selected rows.'),
    rest: z.int(),
    sampled: z.boolean().describe('Only some of them were read.'),
    attributes: z
      .array(
        z.object({
          key: z.string().describe('Name in searches.'),
          value: z.string().describe('Value with the largest difference; empty if none.'),
          inSelection: Share,
          inRest: Share,
          difference: Share.describe('For the whole attribute: share of the selection with other values.'),
          values: z
            .array(
              z.object({
                value: z.string().describe('Empty: the attribute is missing.'),
                inSelection: Share,
                inRest: Share,
              }),
            )
            .describe('Most frequent values, at most 10.'),
        }),
      )
      .describe('Largest differences first.'),
  }),
});
