/**
 * The thread that takes a backup. It waits for its files itself, so that it takes none of the threads on which the log
 * commits, and gives way to all others where the system lets it.
 *
 * The moment: a copy of the log is begun, and it gives out no batch; the engine takes no changes; nobody writes to the state store.
 * Then what is in the log, in the tables and in the state store is what a process that was killed there would have left.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createByteRate } from '../../../base/byte-rate.ts';
import { CodedError } from '../../../base/errors.ts';
import { version } from '../../../base/version.ts';
import { holdEvents } from '../../../ports/events/snapshot.ts';
import { type LinkedFile, linkSegments } from '../../../ports/payloads/snapshot.ts';
import { type HeldState, holdSqlite } from '../../../ports/state/snapshot.ts';
import { addDeletions, type Deletion } from '../deletions.ts';
import { outdated } from '../keep.ts';
import type { StoredObject, Summary } from '../repository/manifest.ts';
import { openOrMakeRepository, removeBackup, type Repository, sweep, writeManifest } from '../repository/repository.ts';
import type { FromThread, Taken, TakeSetup, ToThread } from './messages.ts';
import {
  blobSources,
  frozenTables,
  type FrozenTables,
  pieces,
  segmentSources,
  sizeOf,
  type Source,
} from './sources.ts';
import { openStoring, type Storing } from './store.ts';

type Held = Extract<ToThread, { kind: 'held' }>;

const setup = workerData as TakeSetup;
const port = parentPort;
const progressMs = 500;
const niceness = 10;

let isStopped = false;
const { promise: held, resolve: onHeld, reject: onNeverHeld } = Promise.withResolvers<Held>();
const { promise: copied, resolve: onCopied, reject: onNeverCopied } = Promise.withResolvers<void>();
for (const each of [held, copied]) each.catch(() => undefined);
const say = (message: FromThread): void => port?.postMessage(message);
port?.on('message', (message: ToThread) => {
  if (message.kind === 'held') onHeld(message);
  else if (message.kind === 'copied') onCopied();
  else {
    isStopped = true;
    for (const never of [onNeverHeld, onNeverCopied]) never(new CodedError('BACKUP_STOPPED'));
  }
});

const inWork = (name: string): string => join(setup.workDir, name);

/** What the moment has left in the work folder, and who still holds some of it. */
interface Moment {
  readonly at: number;
  readonly state: HeldState | undefined;
  readonly tables: FrozenTables | undefined;
  readonly segments: readonly LinkedFile[];
}

async function takeMoment(): Promise<Moment> {
  const { dataDir, events, stateUrl, id } = setup;
  await using tables = events && (await holdEvents(events, dataDir, id));
  const state = stateUrl ? undefined : holdSqlite(dataDir);
  const at = Date.now();
  let frozen: string | undefined;
  try {
    frozen = await tables?.freeze();
  } finally {
    state?.letGo();
  }
  const segments = events ? linkSegments(join(dataDir, 'payloads'), inWork('payloads')) : [];
  return { at, state, tables: frozen === undefined ? undefined : frozenTables(frozen), segments };
}

async function take(repository: Repository): Promise<Taken> {
  const { startedAt, log } = await held;
  const moment = await takeMoment();
  say({ kind: 'pinned' });
  using state = moment.state;
  await state?.copyTo(inWork('state.db'), refuseIfStopped);
  await copied;
  const isKeyIncluded = repository.keys.isSealed && setup.key.text !== undefined;
  if (isKeyIncluded) writeFileSync(inWork('secret.key'), `${setup.key.text}\n`, { mode: 0o600 });
  const sources = sourcesOf(moment, { isKeyIncluded, hasLog: log !== undefined });
  const latest = (await repository.list()).summaries.at(-1);
  const storing = await openStoring({
    repository,
    known: latest ? (await repository.manifest(latest.id)).objects : [],
    onBytes: createByteRate(setup.rate),
  });
  const objects = await storeAll(sources, storing);
  await storing.settle();
  refuseIfStopped();
  const summary: Omit<Summary, 'manifest'> = {
    format: 1,
    id: setup.id,
    program: version,
    startedAt,
    snapshotAt: moment.at,
    finishedAt: Date.now(),
    bytes: objects.flatMap(({ parts }) => parts).reduce((sum, [, size]) => sum + size, 0),
    stored: [...new Map(objects.map((object) => [object.id, object.stored])).values()].reduce((a, b) => a + b, 0),
    added: storing.added.bytes,
    objects: objects.length,
    newObjects: storing.added.objects,
    counts: { ...Object.fromEntries(moment.tables?.rows ?? []), ...(moment.state && countState(inWork('state.db'))) },
    log: { records: log?.records ?? 0, next: log?.next ?? 1 },
    key: { fingerprint: setup.key.fingerprint, isIncluded: isKeyIncluded },
    url: setup.url,
    elsewhere: [
      ...(setup.stateUrl ? (['state'] as const) : []),
      ...(setup.events ? [] : (['events'] as const)),
      ...(log ? [] : (['log'] as const)),
      ...(setup.blobsUrl ? (['blobs'] as const) : []),
    ],
  };
  const links = moment.tables?.links.map(([path, target]): [string, string] => [path, target]) ?? [];
  if (moment.state) await addDeletions(repository, deletionsIn(inWork('state.db')), moment.at);
  const written = await writeManifest(repository, { summary, objects, links });
  await storing.finish();
  return { summary: written, ...(await prune(repository)) };
}

const versionFile = join(setup.dataDir, 'version.json');

function sourcesOf(
  { tables, segments }: Moment,
  { isKeyIncluded, hasLog }: { readonly isKeyIncluded: boolean; readonly hasLog: boolean },
): Source[] {
  return [
    ...(setup.stateUrl ? [] : pieces(inWork('state.db'), 'state.db')),
    ...(hasLog ? pieces(inWork('log.mdb'), 'log/log.mdb') : []),
    ...(isKeyIncluded ? pieces(inWork('secret.key'), 'secret.key') : []),
    // Which version its stores are of: without it the next one takes them for those of an earlier one.
    ...(existsSync(versionFile) ? pieces(versionFile, 'version.json') : []),
    ...(tables?.sources ?? []),
    ...segmentSources(inWork('payloads'), segments),
    ...(setup.blobsUrl ? [] : blobSources(join(setup.dataDir, 'blobs'))),
  ];
}

async function storeAll(sources: readonly Source[], storing: Storing): Promise<StoredObject[]> {
  const of = sources.reduce((sum, source) => sum + sizeOf(source), 0);
  let done = 0;
  let saidAt = 0;
  const objects: StoredObject[] = [];
  for (const source of sources) {
    await turn();
    refuseIfStopped();
    const object = await storing.put(source);
    if (object) objects.push(object);
    // Some of them were deleted meanwhile.
    else if (source.parts.length > 1) {
      for (const part of source.parts) {
        const one = await storing.put({ ...source, same: '', parts: [part] });
        if (one) objects.push(one);
      }
    }
    done += sizeOf(source);
    if (performance.now() - saidAt < progressMs) continue;
    saidAt = performance.now();
    say({ kind: 'progress', progress: { done, of } });
  }
  say({ kind: 'progress', progress: { done: of, of } });
  return objects;
}

function countState(file: string): Record<string, number> {
  const database = new DatabaseSync(file);
  try {
    const count = (table: string): number => Number(database.prepare(`select count(*) as n from ${table}`).get()?.n);
    return { projects: count('project'), issues: count('issue'), users: count('"user"') };
  } finally {
    database.close();
  }
}

function deletionsIn(file: string): Deletion[] {
  const database = new DatabaseSync(file);
  try {
    // One of an earlier version has no such table.
    if (!database.prepare("select 1 from sqlite_schema where name = 'deletion'").get()) return [];
    const rows = database.prepare('select * from deletion order by id').all();
    return rows.map(({ kind, target_id, made_at, deleted_at, detail }) => ({
      kind: kind as Deletion['kind'],
      id: Number(target_id),
      madeAt: Number(made_at),
      deletedAt: Number(deleted_at),
      ...(typeof detail === 'string' && detail !== '' && { detail }),
    }));
  } finally {
    database.close();
  }
}

async function prune(repository: Repository): Promise<Pick<Taken, 'removed' | 'freed'>> {
  const removed = setup.keep ? outdated((await repository.list()).summaries, setup.keep) : [];
  for (const id of removed) await removeBackup(repository, id);
  return { removed, freed: await sweep(repository) };
}

function refuseIfStopped(): void {
  if (isStopped) throw new CodedError('BACKUP_STOPPED');
}

async function run(): Promise<void> {
  // Of this thread alone; elsewhere it would be the whole program's.
  if (process.platform === 'linux') setPriority(niceness);
  mkdirSync(setup.workDir, { recursive: true, mode: 0o700 });
  const repository = await openOrMakeRepository({ ...setup, workDir: inWork('shelf') });
  await using _ = await repository.shelf.lock();
  say({ kind: 'ready' });
  say({ kind: 'taken', taken: await take(repository) });
}

try {
  await run();
} catch (error) {
  const stackOf = (thrown: unknown): string =>
    thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  say(
    error instanceof CodedError
      ? { kind: 'failed', code: error.code, message: error.message, cause: stackOf(error.cause ?? '') }
      : { kind: 'failed', code: undefined, message: stackOf(error), cause: '' },
  );
} finally {
  rmSync(setup.workDir, { recursive: true, force: true });
  port?.close();
}
