/**
 * Explore: rows, groups and series of events and spans, in the shapes of Sentry's `events/`, `events-stats/`,
 * `events-timeseries/` and `events-meta/`, and a comparison of a selection with the rest.
 */
import { z } from 'zod';
import { endpoint } from '../shared/endpoint.ts';
import { orgParams, rangeQuery, scopeQuery } from '../shared/schemas.ts';

const errorNames = ['errors', 'discover'] as const;
const spanNames = ['spans', 'spansIndexed', 'spansMetrics'] as const;
const transactionNames = ['transactions', 'metrics', 'metricsEnhanced'] as const;

const logNames = ['logs', 'ourlogs'] as const;

/** Sentry's names for what is one data set here are taken as that. */
const dataset = z
  .enum(['', ...errorNames, ...spanNames, ...transactionNames])
  .default('errors')
  .transform((name) =>
    spanNames.some((one) => one === name)
      ? 'spans'
      : transactionNames.some((one) => one === name)
        ? 'transactions'
        : 'errors',
  )
  .describe('errors (or discover): errors and messages; spans; transactions: spans that are the root of a service.');

const query = z
  .string()
  .max(8192)
  .default('')
  .describe('In the search language; conditions on aggregates such as `count():>10` hold for groups.');

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
  'Columns to sort by, the first decides; `-` before one for the largest first. Rows: the newest first; groups: the first aggregate, the largest first.',
);

const sampling = z
  .enum(['', 'allow'])
  .default('')
  .describe(
    'allow: a question that would read more than some million rows may be answered from a sample of them; `meta.sampling` then says so. Buckets of an estimated series are longer, unless their length is asked for. Unless it is asked for, answers are of all rows.',
  );

const share = z.number().describe('Of the rows that the question is about, 0 to 1: what was read of them.');

/** A date as text where the column is one. */
const End = z.union([z.number(), z.string(), z.null()]);
const Interval = z
  .tuple([End, End])
  .describe(
    'Ends of an interval that holds the value of all rows 19 times in 20. Null: not known, or without an end, as the greatest of all rows may be greater than that of the sample.',
  );
const PointInterval = z.tuple([z.number().nullable(), z.number().nullable()]);

/** What every question about events or spans has. */
const askQuery = { ...rangeQuery, ...scopeQuery, dataset, query };

const Value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()]))]);

const Types = z
  .record(z.string(), z.string())
  .describe('By column: string, integer, number, boolean, date, duration, size, percentage, rate or array.');
const Units = z
  .record(z.string(), z.string().nullable())
  .describe('By column: millisecond, byte, 1/second, 1/minute …; null for none.');

const Row = z.record(z.string(), Value).meta({ id: 'ExploreRow' });

export const exploreEvents = endpoint({
  method: 'GET',
  url: '/organizations/:org/events/',
  id: 'exploreEvents',
  tag: 'Explore',
  summary: 'A table of events or spans, or of groups of them',
  description:
    'Without an aggregate among the fields: the rows themselves. With one: a row for each group that the other fields make. At most 20 fields, 10 of them to group by. With `sampling=allow` the first page of very many rows is estimated from a sample where that can be done, with intervals: not for different values (`count_unique`), not for conditions on groups, and not where the smallest come first. Of logs (`dataset=logs`) rows by time alone.',
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
      .describe('Rows of a page: at most 100, of logs 1,000.'),
    cursor: z
      .string()
      .max(200)
      .optional()
      .describe('From the Link header of the page before; the first 10,000 rows are reached.'),
  }),
  response: z.object({
    data: z.array(Row),
    meta: z.object({
      fields: Types,
      units: Units.optional(),
      dataset: z.string().optional(),
      isMetricsData: z.boolean().optional(),
      sampling: z
        .object({ share, intervals: z.array(z.record(z.string(), Interval)).describe('By row, by column.') })
        .optional()
        .describe('Where the values are estimated from a sample.'),
    }),
  }),
});

const StatsPoint = z
  .tuple([
    z.int().describe('Start of the bucket, seconds since the epoch.'),
    z.array(z.object({ count: z.number().nullable().describe('The value, whichever aggregate it is.') })),
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
  yAxis: fields('Aggregates, a series each; `count()` unless given. At most 10.'),
  sort,
  topEvents: z.coerce.number().int().min(0).max(10).optional().describe('So many groups have a series each.'),
  interval: z
    .string()
    .regex(/^(\d{1,9}[smhdw]?)?$/, 'must be a number of seconds, or a number with s, m, h, d or w')
    .optional()
    .describe('Length of a bucket; made longer where there would be more than 300.'),
  excludeOther: z
    .enum(['0', '1', 'true', 'false', ''])
    .optional()
    .describe('1: without a series of what is in none of the groups.'),
};

export const exploreStats = endpoint({
  method: 'GET',
  url: '/organizations/:org/events-stats/',
  id: 'exploreStats',
  tag: 'Explore',
  summary: 'Aggregates over time',
  description:
    'One `yAxis`: one series. Several: an object of series by aggregate. With `topEvents` and `field`: an object by group, of series or of such objects; the group `Other` is the rest. A group is named by its values, joined by commas.',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...seriesQuery, field: fields('With topEvents: what to group by; aggregates are passed over.') }),
  response: z.union([
    StatsSeries,
    z.record(
      z.string(),
      z.union([StatsSeries, z.record(z.string(), z.union([StatsSeries, z.int().describe('Place of the group.')]))]),
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
        value: z.number().nullable().describe('Null where there was nothing that it could be made of.'),
        incomplete: z.boolean().describe('The bucket is not over yet.'),
        interval: PointInterval.optional().describe('Of an estimated value: as of a table.'),
      }),
    ),
    meta: z.object({
      valueType: z.string(),
      valueUnit: z.string().nullable(),
      interval: z.int().describe('Length of a bucket, ms.'),
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
  summary: 'Aggregates over time, as a flat list of series',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...seriesQuery, groupBy: fields('With topEvents: what to group by.'), sampling }),
  response: z.object({
    meta: z.object({
      dataset: z.string(),
      start: z.number().describe('ms since the epoch.'),
      end: z.number(),
      sampling: z.object({ share }).optional().describe('Where the values are estimated from a sample.'),
    }),
    timeSeries: z.array(TimeSeries),
  }),
});

export const exploreMeta = endpoint({
  method: 'GET',
  url: '/organizations/:org/events-meta/',
  id: 'exploreMeta',
  tag: 'Explore',
  summary: 'How many events or spans a query finds',
  access: 'event:read',
  params: orgParams,
  query: z.object({ ...askQuery, sampling }),
  response: z.object({
    count: z.int(),
    meta: z
      .object({ sampling: z.object({ share, interval: Interval }) })
      .optional()
      .describe('Where it is estimated from a sample.'),
  }),
});

export const exploreAttributes = endpoint({
  method: 'GET',
  url: '/organizations/:org/trace-items/attributes/',
  id: 'exploreAttributes',
  tag: 'Explore',
  summary: 'Names of the attributes of spans, by their type',
  access: 'event:read',
  params: orgParams,
  query: z.object({
    ...rangeQuery,
    ...scopeQuery,
    itemType: z.enum(['spans']).describe('What has the attributes.'),
    attributeType: z.enum(['string', 'number', 'boolean']).default('string'),
  }),
  response: z.array(z.object({ key: z.string(), name: z.string(), attributeType: z.string() })),
});

/** A question as it is sent in a body, stored and exported. */
export const ExploreQuestion = z
  .object({
    dataset: z.enum(['errors', 'spans', 'transactions']),
    query: z.string().max(8192).default(''),
    field: z.array(z.string().max(500)).max(20).default([]).describe('Columns of the table.'),
    groupBy: z.array(z.string().max(500)).max(10).default([]).describe('Of saved questions: what groups are made by.'),
    yAxis: z.array(z.string().max(500)).max(10).default([]).describe('Of saved questions: what is drawn.'),
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
      .describe('Of saved questions: what the console remembers of how it was shown.'),
  })
  .meta({ id: 'ExploreQuestion' });

const Share = z.number().describe('From 0 to 1.');

export const exploreCompare = endpoint({
  method: 'POST',
  url: '/organizations/:org/events-compare/',
  id: 'exploreCompare',
  tag: 'Explore',
  summary: 'What a selection has that the rest has not, by attribute',
  description:
    'The selection is a part of what the query finds: by a query of its own, by time, by the range of a number, or by several of these together. Of each side at most about 10,000 are looked at.',
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
            until: z.number().nullable().default(null).describe('Not included.'),
          })
          .optional(),
      })
      .describe('At least one of query, start and range.'),
    limit: z.int().min(1).max(100).default(30).describe('Attributes.'),
  }),
  response: z.object({
    selection: z.int().describe('How many were selected.'),
    rest: z.int(),
    sampled: z.boolean().describe('Some of them were looked at, rather than all.'),
    attributes: z
      .array(
        z.object({
          key: z.string().describe('As a search names it.'),
          value: z.string().describe('That which differs the most; empty for none.'),
          inSelection: Share,
          inRest: Share,
          difference: Share.describe('Of the whole attribute: the share of the selection that has other values.'),
          values: z
            .array(
              z.object({
                value: z.string().describe('Empty: the attribute is missing.'),
                inSelection: Share,
                inRest: Share,
              }),
            )
            .describe('The most frequent, at most 10.'),
        }),
      )
      .describe('Those that differ the most first.'),
  }),
});
