/**
 * What an age of one project costs: its rows of a week are marked in a part of all projects, and written out of it. Beside
 * it what the other way would cost, the age in the key of the partition: a part for each age with every insert.
 */
import { clearDeletedRows } from '../server/src/ports/events/deleted-rows.ts';
import type { Events } from '../server/src/ports/events/events.ts';
import { openEvents } from '../server/src/ports/events/open.ts';
import { makeTempDir, removeTempDir } from './cleanup.ts';
import { createReport, type Finding, finding, type Report } from './report.ts';

export interface RetentionBenchOptions {
  /** Of the week. */
  readonly rows: number;
  /** Of them, in percent, those of the project. */
  readonly share: number;
  readonly rounds: number;
  readonly dir?: string | undefined;
  readonly progress: (line: string) => void;
}

/** A Monday. */
const at = Date.UTC(2026, 8, 7);
const weekMs = 7 * 86_400_000;
const insertedAtOnce = 100_000;
/** Rows of a batch of the pipeline, and the ages that projects have in it. */
const batchRows = 4_000;
const ages = 3;
const inserts = 30;
const megabyte = 1e6;
const signal = new AbortController().signal;

interface Round {
  readonly markMs: number;
  readonly lookMs: number;
  readonly writeMs: number;
  readonly dropMs: number;
  /** Megabytes of the week before, with marked rows, and without them. */
  readonly before: number;
  readonly marked: number;
  readonly after: number;
}

export async function runRetention(options: RetentionBenchOptions): Promise<Report> {
  const { rows, share, rounds, dir: parent, progress } = options;
  const dir = makeTempDir(parent);
  const store = await openEvents({ url: '', dataDir: dir });
  try {
    await store.prepare({ retentionDays: 3650 });
    const done: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      await fill(store.events, rows, share);
      done.push(await oneRound(store.events));
      progress(`round ${round} of ${rounds}`);
    }
    const of = (name: string, unit: string, what: keyof Round): Finding =>
      finding(
        name,
        unit,
        done.map((one) => one[what]),
      );
    return createReport(
      'retention',
      { rows, share, rounds },
      [
        of('rows of the project marked', 'ms', 'markMs'),
        of('a run that finds nothing', 'ms', 'lookMs'),
        of('part written again without them', 'ms', 'writeMs'),
        of('the week dropped whole', 'ms', 'dropMs'),
        of('disk before', 'MB', 'before'),
        of('… with marked rows', 'MB', 'marked'),
        of('… without them', 'MB', 'after'),
        ...(await insertsOf(store.events, 'one age', 'toMonday(timestamp)')),
        ...(await insertsOf(
          store.events,
          `${ages} ages in the partition`,
          `(toMonday(timestamp), project_id % ${ages})`,
        )),
      ],
      [],
    );
  } finally {
    await store.close();
    removeTempDir(dir);
  }
}

/** Logs of a week in one part, as it is when the week has gone by. */
async function fill(events: Events, rows: number, share: number): Promise<void> {
  await events.command('TRUNCATE TABLE logs');
  for (let from = 0; from < rows; from += insertedAtOnce)
    await events.command(
      `INSERT INTO logs (project_id, timestamp, received_at, trace_id, level, severity_number, body, service, attributes)
       SELECT if(cityHash64(number) % 100 < ${share}, 2, 1), fromUnixTimestamp64Milli(${at} + intDiv(number * ${weekMs}, ${rows})),
         fromUnixTimestamp64Milli(${at}), lower(hex(sipHash128(number))), 'info', 9,
         concat('request ', toString(number), ' of cart ', hex(sipHash64(number)), ' took ', toString(cityHash64(number) % 9973), ' ms'),
         'shop', map('user.id', toString(cityHash64(number) % 5000), 'http.route', '/cart')
       FROM numbers(${from}, ${Math.min(insertedAtOnce, rows - from)})`,
    );
  await events.command('OPTIMIZE TABLE logs FINAL');
}

async function oneRound(events: Events): Promise<Round> {
  const overdue = `timestamp < toDateTime(${Math.trunc((at + weekMs) / 1_000)}, 'UTC') AND project_id IN (2)`;
  const before = await megabytes(events);
  const markMs = await timeOf(() =>
    events.command(`DELETE FROM logs WHERE ${overdue} SETTINGS lightweight_deletes_sync = 2`),
  );
  const lookMs = await timeOf(() => events.query(`SELECT 1 FROM logs WHERE ${overdue} LIMIT 1`));
  const marked = await megabytes(events);
  const writeMs = await timeOf(() => clearDeletedRows(events, signal));
  const after = await megabytes(events);
  const [week] = await events.query<{ partition: string }>(
    "SELECT DISTINCT partition_id AS partition FROM system.parts WHERE table = 'logs' AND active",
  );
  const dropMs = await timeOf(() => events.command(`ALTER TABLE logs DROP PARTITION ID '${week?.partition}'`));
  return { before, markMs, lookMs, marked, writeMs, after, dropMs };
}

async function megabytes(events: Events): Promise<number> {
  const [row] = await events.query<{ bytes: number }>(
    "SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase() AND table = 'logs' AND active",
  );
  return (row?.bytes ?? 0) / megabyte;
}

/** Batches of the pipeline into a table of that key. */
async function insertsOf(events: Events, name: string, key: string): Promise<Finding[]> {
  const [logs] = await events.query<{ definition: string }>(
    "SELECT create_table_query AS definition FROM system.tables WHERE database = currentDatabase() AND name = 'logs'",
  );
  const definition = (logs?.definition ?? '')
    .replace(/CREATE TABLE \S+/, 'CREATE TABLE logs_by_age')
    .replace('PARTITION BY toMonday(timestamp)', `PARTITION BY ${key}`);
  await events.command(definition);
  await events.command('SYSTEM STOP MERGES logs_by_age');
  const times: number[] = [];
  for (let batch = 0; batch < inserts; batch++)
    times.push(
      await timeOf(() =>
        events.command(
          `INSERT INTO logs_by_age (project_id, timestamp, body) SELECT number % ${ages}, fromUnixTimestamp64Milli(${at} + number),
           hex(sipHash64(number + ${batch})) FROM numbers(${batchRows})`,
        ),
      ),
    );
  const [parts] = await events.query<{ count: number }>(
    "SELECT count() AS count FROM system.parts WHERE database = currentDatabase() AND table = 'logs_by_age' AND active",
  );
  await events.command('DROP TABLE logs_by_age SYNC');
  return [
    finding(`insert of ${batchRows} rows, ${name}`, 'ms', times),
    finding('… parts that it makes', '', (parts?.count ?? 0) / inserts),
  ];
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
