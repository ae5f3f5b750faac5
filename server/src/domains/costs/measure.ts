/** Measures what projects take of the disk: counts of rows, and the sizes of a sample of payloads. For no request. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '../../base/jobs/index.ts';
import { eachClass, type RetentionClass, retentionClasses } from '../../base/retention.ts';
import { tableRecords } from '../../base/tables/index.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import type { Events } from '../../ports/events/events.ts';
import { type PayloadColumns, payloadColumns, withPayloads } from '../../ports/events/payload-rows.ts';
import type { State } from '../../ports/state/state.ts';
import { bytesOf, readStored } from '../retention/index.ts';
import { costsOfGroups, costsOfParts, growthOf, meanOf, partsOf, type Sampled } from './estimate.ts';
import { type CostReport, noteCost } from './report.ts';

export interface CostStores {
  readonly state: State;
  readonly events: Events;
}

const hourMs = 3_600_000;
/** After the retention has measured what is stored. */
const firstMs = 5 * 60_000;
/** Of each project; of each of its last two releases. */
const sampleSize = 500;
const ofReleaseSize = 200;
/** Groups, releases and SDKs that are told of. */
const mostNamed = 20;
/** Releases with fewer events are not compared. */
const leastEvents = 20;
/** Of one release and the next, events of the last month are looked at. */
const lookBackDays = 30;
/** Nobody waits for it. */
const patient = { maxExecutionSeconds: 300 };
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

export async function measureCosts({ state, events }: CostStores, signal: AbortSignal, now: number): Promise<void> {
  const stored = await readStored(state);
  // The job of the retention measures first.
  if (!stored) return;
  const rows = await rowsByProject(events);
  const there = await state.db.selectFrom('project').select('id').execute();
  const sampled: { readonly id: number; readonly count: number; readonly sample: readonly Sampled[] }[] = [];
  for (const { id } of there) {
    if (signal.aborted) return;
    const began = performance.now();
    const count = rows.get('errors')?.get(id) ?? 0;
    sampled.push({ id, count, sample: count === 0 ? [] : await sampleOf(events, id, { count, size: sampleSize }) });
    await pause(rest * (performance.now() - began), signal);
  }
  // Projects whose events are large take more of the disk than their rows say.
  const weightOf = ({ count, sample }: (typeof sampled)[number]): number =>
    count * meanOf(sample.map(({ bytes }) => bytes)).mean;
  const allWeights = sampled.reduce((sum, one) => sum + weightOf(one), 0);
  for (const one of sampled) {
    if (signal.aborted) return;
    const began = performance.now();
    const share = allWeights > 0 ? weightOf(one) / allWeights : 0;
    const classes = eachClass((name) => {
      const bytes = bytesOf(stored.classes[name]);
      if (name === 'errors') return Math.round(bytes * share);
      const own = rows.get(name) ?? new Map<number, number>();
      const all = [...own.values()].reduce((sum, count) => sum + count, 0);
      return all === 0 ? 0 : Math.round((bytes * (own.get(one.id) ?? 0)) / all);
    });
    await noteCost(state, one.id, await reportOf(events, { ...one, classes, now }));
    await pause(rest * (performance.now() - began), signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  delay(Math.min(ms, 60_000), undefined, { signal }).catch(() => undefined);

/** Rows of each class by project, without what views make of them. */
async function rowsByProject(events: Events): Promise<Map<RetentionClass, Map<number, number>>> {
  const found = new Map<RetentionClass, Map<number, number>>(retentionClasses.map((name) => [name, new Map()]));
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

interface SampleRow extends PayloadColumns {
  readonly release: string;
  readonly sdk: string;
  readonly hash: string;
}

/** Drawn by a hash of their ids, so that no part of the time or of the issues is left out. */
async function sampleOf(
  events: Events,
  project: number,
  { count, size, release }: { readonly count: number; readonly size: number; readonly release?: string },
): Promise<Sampled[]> {
  const rows = await events.query<SampleRow>(
    `SELECT release, sdk_name AS sdk, group_hash AS hash, ${payloadColumns} FROM errors
     WHERE project_id = {project:UInt64} AND cityHash64(event_id, 'costs') % {step:UInt64} = 0
       ${release === undefined ? '' : 'AND release = {release:String}'}
     LIMIT {size:UInt64}`,
    { project, size, step: Math.max(1, Math.floor(count / size)), ...(release !== undefined && { release }) },
    patient,
  );
  return (await withPayloads(events, rows)).map(({ payload, release: of, sdk, hash }) => ({
    release: of,
    sdk,
    group: hash,
    ...partsOf(payload),
  }));
}

async function reportOf(
  events: Events,
  {
    id,
    count,
    sample,
    classes,
    now,
  }: {
    readonly id: number;
    readonly count: number;
    readonly sample: readonly Sampled[];
    readonly classes: Record<RetentionClass, number>;
    readonly now: number;
  },
): Promise<CostReport> {
  const { mean } = meanOf(sample.map(({ bytes }) => bytes));
  const factor = count * mean > 0 ? classes.errors / (count * mean) : 0;
  const named = async (column: 'group_hash' | 'release' | 'sdk_name') => {
    if (count === 0) return [];
    return events.query<{ name: string; events: number }>(
      `SELECT ${column} AS name, count() AS events FROM errors WHERE project_id = {id:UInt64}
       GROUP BY name ORDER BY events DESC LIMIT {most:UInt64}`,
      { id, most: mostNamed },
      patient,
    );
  };
  return {
    at: now,
    classes,
    events: count,
    sampled: sample.length,
    groups: costsOfGroups(sample, ({ group }) => group, { counts: await named('group_hash'), factor }),
    releases: costsOfGroups(sample, ({ release }) => release, { counts: await named('release'), factor }),
    sdks: costsOfGroups(sample, ({ sdk }) => sdk, { counts: await named('sdk_name'), factor }),
    parts: costsOfParts(sample, { events: count, factor }).slice(0, mostNamed),
    growth: count === 0 ? [] : await growthSince(events, id, now),
  };
}

/** Of the newest release and the one before, by when their events were first seen. */
async function growthSince(events: Events, project: number, now: number) {
  const [later, earlier] = await events.query<{ release: string; count: number }>(
    `SELECT release, count() AS count FROM errors
     WHERE project_id = {project:UInt64} AND release != '' AND timestamp >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
     GROUP BY release HAVING count >= {least:UInt64} ORDER BY min(timestamp) DESC LIMIT 2`,
    { project, since: now - lookBackDays * 24 * hourMs, least: leastEvents },
    patient,
  );
  if (!later || !earlier) return [];
  const of = ({ release, count }: typeof later) => sampleOf(events, project, { count, size: ofReleaseSize, release });
  return growthOf([await of(earlier), await of(later)], [earlier.release, later.release]);
}
