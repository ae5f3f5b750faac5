/** Measures what takes how much of the disk. Large folders take a while: with rests, and never for a request. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FolderSizes } from '../../base/disk-usage.ts';
import { tableRecords } from '../../base/tables/index.ts';
import type { Events } from '../../ports/events/events.ts';
import { isWorth, markedPartitions } from '../../ports/events/deleted-rows.ts';
import { layoutOf } from '../../ports/events/layout.ts';
import { retainedDir } from '../../ports/queue/retained.ts';
import type { EventLog } from '../../ports/queue/log.ts';
import type { State } from '../../ports/state/state.ts';
import { agesOf, longestDays } from '../retention/index.ts';
import type { DiskReport, ProjectSize, StoreName, StoreSize } from './report.ts';

export interface MeasuredStores {
  readonly dataDir: string;
  readonly retentionDays: number;
  readonly state: Pick<State, 'sizes' | 'db'>;
  readonly log: Pick<EventLog, 'embedded'>;
  readonly events: Events;
}

const dayMs = 86_400_000;
/** After the rows: those go a week at a time. */
const payloadDays = 8;
const folders: Readonly<Record<string, StoreName>> = {
  events: 'events',
  payloads: 'payloads',
  'event-index': 'index',
  'restore-points': 'restorePoints',
  'restore-points.gone': 'restorePoints',
};
const isPoint = (name: string): boolean => folders[name] === 'restorePoints';
const blobFolders: Readonly<Record<string, StoreName>> = {
  items: 'attachments',
  artifacts: 'sourceMaps',
  exports: 'exports',
};

export async function measureDisk(stores: MeasuredStores, now = Date.now()): Promise<DiskReport> {
  const sizes = new Map<StoreName, number>();
  const files = await measureFiles(stores.dataDir, sizes);
  const { events } = stores;
  const isRemote = events.address.payloadsDir === undefined;
  const tables = await tableSizes(events).catch(() => undefined);
  if (isRemote && tables) sizes.set('events', sum([...tables.values()].map(({ bytes }) => bytes)));
  const state = await stores.state.sizes();
  if (state.bytes !== undefined) sizes.set('state', state.bytes);
  const waiting = await waitingBytes(stores, state.spareBytes);
  const oldest = await oldestOf(stores);
  return {
    at: now,
    stores: [...sizes]
      .map(([store, bytes]): StoreSize => ({
        store,
        bytes,
        waitingBytes: Math.min(bytes, Math.round(waiting.get(store) ?? 0)),
        isHere: !(store === 'events' && isRemote) && !(store === 'state' && state.bytes !== undefined),
        ...oldest.get(store),
      }))
      .sort((a, b) => b.bytes - a.bytes),
    projects: tables ? await projectSizes(events, { tables, files, payloads: sizes.get('payloads') ?? 0 }) : [],
  };
}

/** Adds up the stores; returns what is kept of each project. */
async function measureFiles(dataDir: string, sizes: Map<StoreName, number>): Promise<Map<number, number>> {
  const counted = new FolderSizes();
  const add = <Name>(to: Map<Name, number>, name: Name, bytes: number): unknown =>
    to.set(name, (to.get(name) ?? 0) + bytes);
  const ofProjects = new Map<number, number>();
  const entries = await readdir(dataDir, { withFileTypes: true }).catch(() => []);
  // A restore point shares files with the stores, and takes what they have let go of.
  const inOrder = entries.toSorted((a, b) => Number(isPoint(a.name)) - Number(isPoint(b.name)));
  for (const entry of inOrder) {
    const path = join(dataDir, entry.name);
    if (!entry.isDirectory()) {
      const store = entry.name.startsWith('state.db') ? 'state' : 'other';
      if (entry.isFile()) add(sizes, store, await counted.file(path));
    } else if (entry.name === 'log') {
      const retained = await counted.folder(retainedDir(path));
      if (retained > 0) add(sizes, 'retained', retained);
      add(sizes, 'log', await counted.folder(path, [retainedDir(path)]));
    } else if (entry.name !== 'blobs') {
      add(sizes, folders[entry.name] ?? 'other', await counted.folder(path));
    } else {
      for (const name of await namesIn(path)) {
        const store = blobFolders[name] ?? 'other';
        if (store !== 'attachments') add(sizes, store, await counted.folder(join(path, name)));
        else
          for (const day of await namesIn(join(path, name)))
            for (const project of await namesIn(join(path, name, day))) {
              const bytes = await counted.folder(join(path, name, day, project));
              add(sizes, store, bytes);
              add(ofProjects, Number(project), bytes);
            }
      }
    }
  }
  return ofProjects;
}

const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => []);

interface TableSize {
  readonly rows: number;
  readonly bytes: number;
}

async function tableSizes(events: Events): Promise<Map<string, TableSize>> {
  const { rows: database, system } = layoutOf(events.address);
  const rows = await events.query<TableSize & { name: string }>(
    `SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM ${system('parts')}
     WHERE database = {database:String} AND active GROUP BY table`,
    { database },
  );
  return new Map(rows.map(({ name, ...size }) => [name, size]));
}

/** Nobody waits for it. */
const patient = { maxExecutionSeconds: 300 };

async function projectSizes(
  events: Events,
  { tables, files, payloads }: { tables: Map<string, TableSize>; files: Map<number, number>; payloads: number },
): Promise<ProjectSize[]> {
  const sizes = new Map(files);
  for (const name of Object.keys(tableRecords)) {
    const size = tables.get(name);
    if (!size || size.rows === 0) continue;
    const rows = await events.query<{ project: number; rows: number }>(
      `SELECT project_id AS project, count() AS rows FROM ${name} GROUP BY project_id`,
      {},
      patient,
    );
    const bytes = size.bytes + (name === 'errors' ? payloads : 0);
    const all = sum(rows.map((row) => row.rows));
    for (const row of rows)
      sizes.set(row.project, (sizes.get(row.project) ?? 0) + Math.round((bytes * row.rows) / all));
  }
  return [...sizes].map(([projectId, bytes]) => ({ projectId, bytes })).sort((a, b) => b.bytes - a.bytes);
}

async function waitingBytes({ events, log }: MeasuredStores, spareOfState: number): Promise<Map<StoreName, number>> {
  const { rows: database, system } = layoutOf(events.address);
  const marked = (await markedPartitions(events).catch(() => [])).filter(isWorth);
  const [replaced] = await events
    .query<{ bytes: number }>(
      `SELECT sum(bytes_on_disk) AS bytes FROM ${system('parts')} WHERE database = {database:String} AND NOT active`,
      { database },
    )
    .catch(() => []);
  return new Map<StoreName, number>([
    ['log', from(leastSpareBytes, log.embedded?.spareBytes() ?? 0)],
    ['index', from(leastSpareBytes, events.index?.spareBytes() ?? 0)],
    ['state', from(leastSpareOfState, spareOfState)],
    ['payloads', (await events.payloads?.erasedBytes()) ?? 0],
    ['events', sum(marked.map(({ markedBytes }) => markedBytes)) + (replaced?.bytes ?? 0)],
  ]);
}

/** Less is left for what comes next. */
const leastSpareBytes = 64 * 2 ** 20;
const leastSpareOfState = 4 * 2 ** 20;
const from = (least: number, bytes: number): number => (bytes < least ? 0 : bytes);

type Oldest = Pick<StoreSize, 'oldest'>;

/** By the days and weeks that go as a whole. */
async function oldestOf({ dataDir, retentionDays, state, events }: MeasuredStores): Promise<Map<StoreName, Oldest>> {
  const found = new Map<StoreName, Oldest>();
  const days = longestDays(await agesOf(state, retentionDays));
  const note = (store: StoreName, at: number, days: number): unknown =>
    Number.isFinite(at) && found.set(store, { oldest: { at, leavesAt: at + days * dayMs } });
  const firstDay = async (...path: string[]): Promise<number> =>
    Date.parse(
      (await namesIn(join(dataDir, ...path))).filter((name) => /^\d{4}-\d\d-\d\d$/.test(name)).sort()[0] ?? '',
    );
  note('payloads', await firstDay('payloads'), days.errors + payloadDays + 1);
  note('attachments', await firstDay('blobs', 'items'), days.attachments + 1);
  const { rows: database, system } = layoutOf(events.address);
  const weeks = await events
    .query<{ table: 'errors' | 'spans' | 'logs'; week: string }>(
      `SELECT table, min(partition_id) AS week FROM ${system('parts')}
       WHERE database = {database:String} AND active AND table IN ('errors', 'spans', 'logs') AND length(partition_id) = 8
       GROUP BY table`,
      { database },
    )
    .catch(() => []);
  const first = weeks
    .map(({ table, week }) => {
      const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(week) ?? [];
      return { at: Date.parse(`${year}-${month}-${day}`), days: 7 + days[table] };
    })
    .toSorted((a, b) => a.at + a.days * dayMs - (b.at + b.days * dayMs))[0];
  if (first) note('events', first.at, first.days);
  return found;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);
