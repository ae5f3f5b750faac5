/** Measures what projects take of the disk: counts of rows, and the sizes of a sample of them. For no request. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '../../base/jobs/index.ts';
import { eachClass, type RetentionClass, retentionClasses } from '../../base/retention.ts';
import { tableRecords } from '../../base/tables/index.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { bytesOf, readStored } from '../retention/index.ts';
import {
  costsOfGroups,
  costsOfParts,
  type Growth,
  growthOf,
  meanOf,
  type Sampled,
  type SampledEvent,
} from './estimate.ts';
import { type CostReport, type GrowthOf, noteCost, type TableCost } from './report.ts';
import { patient, rowTables, type SampledTable, sampleEvents, sampleRows } from './sample.ts';

export interface CostStores {
  readonly state: State;
  readonly events: Events;
}

const hourMs = 3_600_000;
/** After the retention has measured what is stored. */
const firstMs = 5 * 60_000;
/** Of each table of a project; of each of its last two releases. */
const sampleSize = 500;
const ofReleaseSize = 200;
/** Groups, releases, SDKs, parts and attributes that are told of. */
const mostNamed = 20;
/** Releases with fewer rows are not compared. */
const leastRows = 20;
/** Of one release and the next, what came in the last month is looked at. */
const lookBackDays = 30;
/** As a multiple of how long a project took. */
const rest = 2;

export const createCostJob = (stores: CostStores): Job => ({
  name: 'storage-costs',
  title: jobTexts.storageCosts.title,
  nodes: 'one',
  everyMs: 6 * hourMs,
  firstMs,
  needsEvents: true,
  failed: jobTexts.storageCosts.failed,
  async run({ signal }) {
    await measureCosts(stores, signal, Date.now());
  },
});

/** What was drawn of a project. */
interface Drawn {
  readonly id: number;
  readonly errors: readonly SampledEvent[];
  readonly spans: readonly Sampled[];
  readonly logs: readonly Sampled[];
}

type RowsByClass = ReadonlyMap<RetentionClass, ReadonlyMap<number, number>>;

const isSampled = (name: RetentionClass): name is SampledTable =>
  name === 'errors' || name === 'spans' || name === 'logs';

export async function measureCosts({ state, events }: CostStores, signal: AbortSignal, now: number): Promise<void> {
  const stored = await readStored(state);
  // The job of the retention measures first.
  if (!stored) return;
  const rows = await rowsByProject(events);
  const rowsOf = (name: RetentionClass, id: number): number => rows.get(name)?.get(id) ?? 0;
  const there = await state.db.selectFrom('project').select('id').execute();
  const drawn: Drawn[] = [];
  for (const { id } of there) {
    if (signal.aborted) return;
    const began = performance.now();
    const of = (table: SampledTable) => ({ project: id, count: rowsOf(table, id), size: sampleSize });
    const draw = (table: (typeof rowTables)[number]) =>
      rowsOf(table, id) === 0 ? [] : sampleRows(events, table, of(table));
    const errors = rowsOf('errors', id) === 0 ? [] : await sampleEvents(events, of('errors'));
    drawn.push({ id, errors, spans: await draw('spans'), logs: await draw('logs') });
    await pause(rest * (performance.now() - began), signal);
  }
  // Projects whose events are large take more of the disk than their rows say.
  const weightOf = (name: RetentionClass, one: Drawn): number =>
    rowsOf(name, one.id) * (isSampled(name) ? meanOf(one[name].map(({ bytes }) => bytes)).mean : 1);
  const wholeOf = eachClass((name) => drawn.reduce((sum, one) => sum + weightOf(name, one), 0));
  for (const one of drawn) {
    if (signal.aborted) return;
    const began = performance.now();
    const classes = eachClass((name) =>
      wholeOf[name] === 0 ? 0 : Math.round((bytesOf(stored.classes[name]) * weightOf(name, one)) / wholeOf[name]),
    );
    await noteCost(state, one.id, await reportOf(events, { drawn: one, rows, classes, now }));
    await pause(rest * (performance.now() - began), signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(Math.min(ms, 60_000), undefined, { signal }).catch(() => undefined);

/** Rows of each class by project, without what views make of them. */
async function rowsByProject(events: Events): Promise<RowsByClass> {
  const found = new Map(retentionClasses.map((name) => [name, new Map<number, number>()]));
  for (const [table, { retention, filledBy }] of Object.entries(tableRecords)) {
    if (filledBy === 'view' || table === 'revisions') continue;
    const counts = await events.query<{ project: number; rows: number }>(
      `SELECT project_id AS project, count() AS rows FROM ${table} GROUP BY project_id`,
      {},
      patient,
    );
    const own = found.get(retention);
    for (const { project, rows } of counts) own?.set(project, (own.get(project) ?? 0) + rows);
  }
  return found;
}

async function reportOf(
  events: Events,
  {
    drawn: { id, errors, ...others },
    rows,
    classes,
    now,
  }: {
    readonly drawn: Drawn;
    readonly rows: RowsByClass;
    readonly classes: Readonly<Record<RetentionClass, number>>;
    readonly now: number;
  },
): Promise<CostReport> {
  const counts = eachClass((name) => rows.get(name)?.get(id) ?? 0);
  const sampled = { errors, ...others };
  /** Bytes on disk for each that was measured. */
  const factorOf = (table: SampledTable): number => {
    const measured = counts[table] * meanOf(sampled[table].map(({ bytes }) => bytes)).mean;
    return measured > 0 ? classes[table] / measured : 0;
  };
  const scale = (table: SampledTable) => ({ events: counts[table], factor: factorOf(table), most: mostNamed });
  const factor = factorOf('errors');
  const named = async (column: 'group_hash' | 'release' | 'sdk_name') => {
    if (counts.errors === 0) return [];
    return events.query<{ name: string; events: number }>(
      `SELECT ${column} AS name, count() AS events FROM errors WHERE project_id = {id:UInt64}
       GROUP BY name ORDER BY events DESC LIMIT {most:UInt64}`,
      { id, most: mostNamed },
      patient,
    );
  };
  const growth: GrowthOf[] = [];
  for (const table of ['errors', ...rowTables] as const)
    if (counts[table] > 0)
      growth.push(...(await growthSince(events, table, id, now)).map((one) => ({ ...one, table })));
  const tables: TableCost[] = (['errors', ...rowTables] as const).map((table) => ({
    table,
    rows: counts[table],
    sampled: sampled[table].length,
    attributes: costsOfParts(
      table === 'errors' ? errors.map(({ attributes }) => attributes) : sampled[table].map(({ parts }) => parts),
      scale(table),
    ),
  }));
  return {
    at: now,
    classes,
    rows: counts,
    events: counts.errors,
    sampled: errors.length,
    groups: costsOfGroups(errors, ({ group }) => group, { counts: await named('group_hash'), factor }),
    releases: costsOfGroups(errors, ({ release }) => release, { counts: await named('release'), factor }),
    sdks: costsOfGroups(errors, ({ sdk }) => sdk, { counts: await named('sdk_name'), factor }),
    parts: costsOfParts(
      errors.map(({ parts }) => parts),
      scale('errors'),
    ),
    tables,
    growth,
  };
}

const timeOf: Readonly<Record<SampledTable, string>> = { errors: 'timestamp', spans: 'started_at', logs: 'timestamp' };

/** Of the newest release and the one before, by when what they sent was first seen. */
async function growthSince(events: Events, table: SampledTable, project: number, now: number): Promise<Growth[]> {
  const time = timeOf[table];
  const [later, earlier] = await events.query<{ release: string; count: number }>(
    `SELECT release, count() AS count FROM ${table}
     WHERE project_id = {project:UInt64} AND release != '' AND ${time} >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
     GROUP BY release HAVING count >= {least:UInt64} ORDER BY min(${time}) DESC LIMIT 2`,
    { project, since: now - lookBackDays * 24 * hourMs, least: leastRows },
    patient,
  );
  if (!later || !earlier) return [];
  const of = ({ release, count }: typeof later): Promise<readonly Sampled[]> => {
    const drawn = { project, count, size: ofReleaseSize, release };
    return table === 'errors' ? sampleEvents(events, drawn) : sampleRows(events, table, drawn);
  };
  return growthOf([await of(earlier), await of(later)], [earlier.release, later.release]);
}
