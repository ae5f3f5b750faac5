/** Measures what projects take of the disk: counts of rows, and the sizes of a sample of them. For no request. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '../../base/jobs/index.ts';
import { eachClass, type RetentionClass, retentionClasses } from '../../base/retention.ts';
import { tableRecords } from '../../base/tables/index.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import { bytesOf, readStored } from '../retention/index.ts';
import { type Cost, costsOfGroups, costsOfParts, type Growth, growthOf, meanOf, type Sampled } from './estimate.ts';
import { type CostReport, type GrowthOf, noteCost } from './report.ts';
import { patient, type RowTable, sampledTables, type SampledTable, sampleEvents, sampleRows } from './sample.ts';

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

/** What is known of a project before it is known what all of them have: sizes as they were measured. */
interface Measured {
  readonly id: number;
  /** Mean bytes of a row. */
  readonly means: Readonly<Record<SampledTable, number>>;
  readonly report: Omit<CostReport, 'classes'>;
}

type RowsByClass = ReadonlyMap<RetentionClass, ReadonlyMap<number, number>>;

const isSampled = (name: RetentionClass): name is SampledTable => sampledTables.some((one) => one === name);

export async function measureCosts({ state, events }: CostStores, signal: AbortSignal, now: number): Promise<void> {
  const stored = await readStored(state);
  // The job of the retention measures first.
  if (!stored) return;
  const rows = await rowsByProject(events);
  const rowsOf = (name: RetentionClass, id: number): number => rows.get(name)?.get(id) ?? 0;
  const there = await state.db.selectFrom('project').select('id').execute();
  // Samples are large: of each project only what they say is kept.
  const all: Measured[] = [];
  for (const { id } of there) {
    if (signal.aborted) return;
    const began = performance.now();
    all.push(await measured(events, id, { rows: eachClass((name) => rowsOf(name, id)), now }));
    await pause(rest * (performance.now() - began), signal);
  }
  // Projects whose events are large take more of the disk than their rows say.
  const weightOf = (name: RetentionClass, { id, means }: Measured): number =>
    rowsOf(name, id) * (isSampled(name) ? means[name] : 1);
  const wholeOf = eachClass((name) => all.reduce((sum, one) => sum + weightOf(name, one), 0));
  for (const one of all) {
    if (signal.aborted) return;
    const factorOf = (name: RetentionClass): number =>
      wholeOf[name] === 0 ? 0 : bytesOf(stored.classes[name]) / wholeOf[name];
    const classes = eachClass((name) => Math.round(factorOf(name) * weightOf(name, one)));
    await noteCost(state, one.id, onDisk(one.report, classes, factorOf));
  }
}

/** Sizes on disk instead of measured ones. */
function onDisk(
  report: Measured['report'],
  classes: CostReport['classes'],
  factorOf: (name: SampledTable) => number,
): CostReport {
  const scaled = (name: SampledTable, costs: readonly Cost[]): Cost[] => {
    const by = (bytes: number): number => Math.round(bytes * factorOf(name));
    return costs.map((cost) => ({ ...cost, bytes: by(cost.bytes), low: by(cost.low), high: by(cost.high) }));
  };
  return {
    ...report,
    classes,
    groups: scaled('errors', report.groups),
    releases: scaled('errors', report.releases),
    sdks: scaled('errors', report.sdks),
    parts: scaled('errors', report.parts),
    tables: report.tables.map((one) => ({ ...one, attributes: scaled(one.table, one.attributes) })),
  };
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

async function measured(
  events: Events,
  id: number,
  { rows, now }: { readonly rows: CostReport['rows']; readonly now: number },
): Promise<Measured> {
  const of = (table: SampledTable) => ({ project: id, count: rows[table], size: sampleSize });
  const draw = (table: RowTable) => (rows[table] === 0 ? [] : sampleRows(events, table, of(table)));
  const errors = rows.errors === 0 ? [] : await sampleEvents(events, of('errors'));
  const sampled = { errors, spans: await draw('spans'), logs: await draw('logs') };
  const named = async (column: 'group_hash' | 'release' | 'sdk_name') => {
    if (rows.errors === 0) return [];
    return events.query<{ name: string; events: number }>(
      `SELECT ${column} AS name, count() AS events FROM errors WHERE project_id = {id:UInt64}
       GROUP BY name ORDER BY events DESC LIMIT {most:UInt64}`,
      { id, most: mostNamed },
      patient,
    );
  };
  const growth: GrowthOf[] = [];
  for (const table of sampledTables)
    if (rows[table] > 0) growth.push(...(await growthSince(events, table, id, now)).map((one) => ({ ...one, table })));
  const meanIn = (table: SampledTable): number => meanOf(sampled[table].map(({ bytes }) => bytes)).mean;
  return {
    id,
    means: { errors: meanIn('errors'), spans: meanIn('spans'), logs: meanIn('logs') },
    report: {
      at: now,
      rows,
      events: rows.errors,
      sampled: errors.length,
      groups: costsOfGroups(errors, ({ group }) => group, await named('group_hash')),
      releases: costsOfGroups(errors, ({ release }) => release, await named('release')),
      sdks: costsOfGroups(errors, ({ sdk }) => sdk, await named('sdk_name')),
      parts: costsOfParts(
        errors.map(({ parts }) => parts),
        rows.errors,
        mostNamed,
      ),
      tables: sampledTables.map((table) => ({
        table,
        rows: rows[table],
        sampled: sampled[table].length,
        attributes: costsOfParts(
          table === 'errors' ? errors.map(({ attributes }) => attributes) : sampled[table].map(({ parts }) => parts),
          rows[table],
          mostNamed,
        ),
      })),
      growth,
    },
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
