import type { Dialect } from './dialect.ts';
import type { Migration } from './migration.ts';

/** Apdex: up to this long a request satisfies, up to four times as long it is tolerated. µs. */
const satisfiedUs = 300_000;

/** Rows of web vitals that stand alone say that they are segments, and are no transactions. */
const isTransaction = `is_segment = 1 AND NOT startsWith(op, 'ui.webvital.') AND NOT startsWith(op, 'ui.interaction.')`;

/**
 * Percentiles come from log-scaled sketches (DDSketch): the error is at most 1 % of the value for every percentile and
 * however the parts were merged, where a t-digest depends on the order of merges and errs most between its clusters. Of
 * values less than 1 that holds once traces/sketch.ts has set right what the engine says.
 */
const durations = 'quantilesDD(0.01, 0.5, 0.75, 0.95, 0.99)';
const vitalValues = 'quantilesDD(0.01, 0.5, 0.75, 0.9)';
/** At most 3 kB a row, with an error of 1.6 %. */
const users = 'uniqCombined64(12)';

const transactionColumns = `
      environment LowCardinality(String),
      release LowCardinality(String),
      count SimpleAggregateFunction(sum, UInt64),
      failed SimpleAggregateFunction(sum, UInt64),
      satisfied SimpleAggregateFunction(sum, UInt64),
      tolerated SimpleAggregateFunction(sum, UInt64),
      total_us SimpleAggregateFunction(sum, UInt64),
      users AggregateFunction(${users}, String),
      durations AggregateFunction(${durations}, UInt64)`;

const transactionsBy = (time: string): string => `SELECT project_id, transaction, op, ${time}, environment, release,
      count() AS count, countIf(failed = 1) AS failed, countIf(duration_us <= ${satisfiedUs}) AS satisfied,
      countIf(duration_us > ${satisfiedUs} AND duration_us <= ${4 * satisfiedUs}) AS tolerated, sum(duration_us) AS total_us,
      ${users.replace('(', 'StateIf(')}(user, user != '') AS users, ${durations.replace('(', 'State(')}(duration_us) AS durations
    FROM spans WHERE ${isTransaction}`;

/** By vital: the values of which a tenth and half of the pages are better, and up to where it is good and from where poor. */
const vitals = {
  lcp: { p10: 1200, p50: 2400, good: 2500, poor: 4000 },
  inp: { p10: 200, p50: 500, good: 200, poor: 500 },
  fcp: { p10: 900, p50: 1600, good: 1800, poor: 3000 },
  cls: { p10: 0.1, p50: 0.25, good: 0.1, poor: 0.25 },
  ttfb: { p10: 200, p50: 400, good: 800, poor: 1800 },
} as const;

type Vital = keyof typeof vitals;
const names = Object.keys(vitals) as Vital[];
const namesSql = names.map((name) => `'${name}'`).join(', ');
const byVital = (value: (name: Vital) => string): string =>
  `multiIf(${names.map((name) => `vital = '${name}', ${value(name)}`).join(', ')}, 0)`;

/** From 0 to 1 on the log-normal curve through p10 and p50: 0.9 at the former, 0.5 at the latter. */
function scoreOf(name: Vital): string {
  const { p10, p50 } = vitals[name];
  const sigma = Math.abs(Math.log(p10) - Math.log(p50)) / (Math.SQRT2 * 0.906_193_802_436_823_2);
  return `0.5 * (1 - erf((log(value) - log(${p50})) / ${Math.SQRT2 * sigma}))`;
}

/** What 90 days of the pages about performance are answered from: transactions and web vitals an hour and a day. */
export const migration: Migration = {
  id: 7,
  name: 'span aggregates',
  statements: (dialect) => statements(dialect),
};

function statements(dialect: Dialect): readonly string[] {
  const { onCluster, engine, settings } = dialect;
  return [
    `CREATE TABLE IF NOT EXISTS transaction_hours${onCluster} (
      project_id UInt64,
      transaction LowCardinality(String),
      op LowCardinality(String),
      hour DateTime('UTC'),${transactionColumns}
    )
    ENGINE = ${engine('Aggregating')}
    PARTITION BY toYYYYMM(hour)
    ORDER BY (project_id, transaction, op, hour, environment, release)
    SETTINGS ${settings({ index_granularity: 128 })}`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS transaction_hours_of_spans${onCluster} TO transaction_hours AS
    ${transactionsBy("toStartOfHour(toDateTime(started_at, 'UTC')) AS hour")}
    GROUP BY project_id, transaction, op, hour, environment, release`,

    `CREATE TABLE IF NOT EXISTS transaction_days${onCluster} (
      project_id UInt64,
      transaction LowCardinality(String),
      op LowCardinality(String),
      day Date,${transactionColumns}
    )
    ENGINE = ${engine('Aggregating')}
    PARTITION BY toYYYYMM(day)
    ORDER BY (project_id, transaction, op, day, environment, release)
    SETTINGS ${settings({ index_granularity: 64 })}`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS transaction_days_of_spans${onCluster} TO transaction_days AS
    ${transactionsBy("toDate(started_at, 'UTC') AS day")}
    GROUP BY project_id, transaction, op, day, environment, release`,

    ...vitalsBy('hour', "DateTime('UTC')", "toStartOfHour(toDateTime(started_at, 'UTC'))", dialect),
    ...vitalsBy('day', 'Date', "toDate(started_at, 'UTC')", dialect),
  ];
}

function vitalsBy(
  unit: 'hour' | 'day',
  type: string,
  start: string,
  { onCluster, engine, settings }: Dialect,
): string[] {
  return [
    `CREATE TABLE IF NOT EXISTS vital_${unit}s${onCluster} (
      project_id UInt64,
      transaction LowCardinality(String),
      vital LowCardinality(String),
      ${unit} ${type},
      environment LowCardinality(String),
      browser LowCardinality(String),
      device LowCardinality(String),
      count SimpleAggregateFunction(sum, UInt64),
      good SimpleAggregateFunction(sum, UInt64),
      poor SimpleAggregateFunction(sum, UInt64),
      score SimpleAggregateFunction(sum, Float64),
      values AggregateFunction(${vitalValues}, Float64)
    )
    ENGINE = ${engine('Aggregating')}
    PARTITION BY toYYYYMM(${unit})
    ORDER BY (project_id, transaction, vital, ${unit}, environment, browser, device)
    SETTINGS ${settings({ index_granularity: 256 })}`,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS vital_${unit}s_of_spans${onCluster} TO vital_${unit}s AS
    SELECT project_id, transaction, vital, ${unit}, environment, browser, device, count() AS count,
      countIf(value <= ${byVital((name) => String(vitals[name].good))}) AS good,
      countIf(value > ${byVital((name) => String(vitals[name].poor))}) AS poor,
      sum(${byVital(scoreOf)}) AS score,
      ${vitalValues.replace('(', 'State(')}(value) AS values
    FROM (
      SELECT project_id, transaction, ${start} AS ${unit}, environment,
        attributes['browser.name'] AS browser,
        multiIf(
          attributes['device.class'] != '', attributes['device.class'],
          attributes['device.family'] = 'iPad', 'tablet',
          lower(attributes['os.name']) IN ('ios', 'android'), 'mobile',
          browser != '', 'desktop',
          '') AS device,
        arrayJoin(arrayFilter(pair -> pair.1 IN (${namesSql}) AND pair.2 >= 0, arrayZip(mapKeys(numbers), mapValues(numbers)))) AS pair,
        pair.1 AS vital, pair.2 AS value
      FROM spans WHERE hasAny(mapKeys(numbers), [${namesSql}])
    )
    GROUP BY project_id, transaction, vital, ${unit}, environment, browser, device`,
  ];
}
