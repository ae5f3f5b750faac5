/** `culprit move --to DIR`: from stores that nodes share back to a data directory. */
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config, withoutPassword } from '../base/config.ts';
import { lockDataDir, makeDataDir } from '../base/data-dir.ts';
import { CodedError } from '../base/errors.ts';
import { findSecrets, readKeyText, type Secrets } from '../base/secrets/index.ts';
import { move as texts } from '../base/texts/move.ts';
import {
  type EventsEnds,
  forgetJournal,
  type Gate,
  move,
  type Moved,
  type StateEnds,
  writeMark,
} from '../domains/move/index.ts';
import { openBlobs } from '../ports/blobs/open.ts';
import { openEvents } from '../ports/events/open.ts';
import { openLog } from '../ports/queue/open.ts';
import { createReader } from '../ports/queue/seal.ts';
import { type PostgresSide, openPostgresSide } from '../ports/state/copy/postgres.ts';
import { openSqliteSide } from '../ports/state/copy/sqlite.ts';
import { installationId } from '../ports/state/installation.ts';
import { rememberedKey } from '../ports/state/key-claim.ts';
import { keepingOf } from '../domains/retention/index.ts';
import { openMigratedState } from '../ports/state/open.ts';
import { type Invocation, UsageError } from './command.ts';
import { dryRun, linesOf, showMove } from './move-shown.ts';
import { readSize } from './sizes.ts';

const pollMs = 500;
/** What is left of an earlier run of the same move. */
const ours: ReadonlySet<string> = new Set([
  'moving',
  'owner.lock',
  'owner.lock-journal',
  'owner.pid',
  'secret.key',
  'state.db',
  'state.db-journal',
  'state.db-shm',
  'state.db-wal',
  'events',
  'event-index',
  'payloads',
  'blobs',
  'log',
  'node.id',
]);

export async function moveBack(invocation: Invocation, dir: string): Promise<void> {
  const { config, text, flag, print } = invocation;
  if (!config.stateUrl || !config.eventsUrl) throw new UsageError(texts.backNeeds);
  await using opened = new AsyncDisposableStack();
  const { secrets, installation } = await checkKey(config);
  await checkDir(dir);
  if (flag('dry-run')) {
    return dryRun(invocation, {
      state: opened.use(await openPostgresSide({ url: config.stateUrl })),
      events: opened.use(await openEvents({ url: config.eventsUrl, dataDir: '' })).events,
      blobs: config.blobsUrl ? openBlobs({ url: config.blobsUrl, dataDir: '' }) : undefined,
    });
  }
  await makeDataDir(dir);
  opened.use(await lockDataDir(dir));
  const key = await readKeyText(config);
  if (key !== undefined && !config.secret && !config.keyFile) {
    await writeFile(join(dir, 'secret.key'), `${key}\n`, { mode: 0o600 });
  }
  const source = opened.use(await openPostgresSide({ url: config.stateUrl }));
  const state = await openState(source, dir, opened);
  const events = await openEventsEnds(config, dir, opened);
  const blobs = config.blobsUrl
    ? { source: openBlobs({ url: config.blobsUrl, dataDir: '' }), target: openBlobs({ url: '', dataDir: dir }) }
    : undefined;
  using shown = showMove(invocation);
  const done = await move({
    dataDir: dir,
    from: withoutPassword(config.stateUrl),
    places: { state: dir, events: dir, log: dir, ...(blobs && { blobs: dir }) },
    state,
    events,
    blobs,
    gate: createGate(config, { secrets, installation }, dir, source, () => shown.onStage('waitForNodes', false)),
    rate: readSize(text('rate')) ?? 0,
    ...shown,
  });
  shown.end();
  await opened.disposeAsync();
  // It knows nothing of rows that were copied; the next start fills it anew.
  await rm(join(dir, 'event-index'), { recursive: true, force: true });
  await forgetJournal(dir);
  print(done, [...linesOf(done), texts.key(secrets.fingerprint), texts.startDir(dir)]);
}

interface Keyed {
  readonly secrets: Secrets;
  readonly installation: string;
}

/** The key here is that of the state store. */
async function checkKey(config: Config): Promise<Keyed> {
  const secrets = await findSecrets(config);
  if (!secrets) throw new CodedError('MOVE_REFUSED', [texts.keyMissing]);
  const { state } = await openMigratedState({ url: config.stateUrl, dataDir: '' });
  await using _ = state;
  const known = await rememberedKey(state);
  if (known !== undefined && known !== secrets.fingerprint) {
    throw new CodedError('MOVE_REFUSED', [texts.keyOther(known, secrets.fingerprint)]);
  }
  return { secrets, installation: await installationId(state) };
}

async function checkDir(dir: string): Promise<void> {
  if (!existsSync(dir)) return;
  const names = await readdir(dir);
  const foreign = names.includes('moving') ? names.find((name) => !ours.has(name)) : names[0];
  if (foreign !== undefined) throw new CodedError('MOVE_REFUSED', [texts.dirUsed(dir, foreign)]);
}

async function openState(source: PostgresSide, dir: string, opened: AsyncDisposableStack): Promise<StateEnds> {
  const { state } = await openMigratedState({ url: '', dataDir: dir });
  opened.use(state);
  // Nobody has it open any more in the last step.
  return { source, target: opened.use(openSqliteSide({ dataDir: dir })), state, others: 0, isShared: false };
}

async function openEventsEnds(config: Config, dir: string, opened: AsyncDisposableStack): Promise<EventsEnds> {
  const { events: source } = opened.use(await openEvents({ url: config.eventsUrl, dataDir: '' }));
  const [shards] = source.address.cluster
    ? await source.query<{ n: number }>(
        'SELECT uniqExact(shard_num) AS n FROM system.clusters WHERE cluster = {name:String}',
        { name: source.address.cluster },
      )
    : [];
  if ((shards?.n ?? 1) > 1) throw new CodedError('MOVE_REFUSED', [texts.shards]);
  const target = opened.use(await openEvents({ url: '', dataDir: dir }));
  const { retentionDays, stateUrl } = config;
  const { state } = await openMigratedState({ url: stateUrl, dataDir: '' });
  await using _ = state;
  await target.prepare(await keepingOf(state, retentionDays));
  return { source, target: target.events, isLeased: false };
}

/** Nodes are stopped by whoever runs them: they are gone once nobody has the state store open. */
function createGate(config: Config, keyed: Keyed, dir: string, source: PostgresSide, onWait: () => void): Gate {
  const { signal } = new AbortController();
  return {
    signal,
    async freeze() {
      if ((await source.others()) > 0) onWait();
      while ((await source.others()) > 0) await delay(pollMs);
      return performance.now();
    },
    async thaw() {},
    async commit(moved: Moved) {
      const others = await source.others();
      if (others > 0) throw new CodedError('MOVE_REFUSED', [texts.nodesRun(others)]);
      if (config.logUrl) await copyLog(config, keyed, dir);
      const { state } = await openMigratedState({ url: config.stateUrl, dataDir: '' });
      await using _ = state;
      await writeMark(state, { kind: 'gone', id: moved.id, at: moved.at, to: dir });
    },
  };
}

/** What waits there is left where it is, so that the next run finds it when this one is broken off. */
async function copyLog(config: Config, { secrets, installation }: Keyed, dir: string): Promise<void> {
  const options = { limitBytes: config.logMaxBytes, box: secrets.boxSetup('log record') };
  await rm(join(dir, 'log'), { recursive: true, force: true });
  await using from = await openLog({ url: config.logUrl, dataDir: '', installation, ...options });
  await using to = await openLog({ url: '', dataDir: dir, ...options });
  const open = createReader(from.reader);
  for (let copied = 0; copied < from.stats().records;) {
    const batch = await from.lease({ maxRecords: 1_000, maxBytes: 16 * 2 ** 20 });
    if (!batch) {
      // Whoever had it last gives it back in a while.
      await delay(pollMs);
      continue;
    }
    const { records } = open(batch.records);
    await Promise.all(records.map(({ value }) => to.append(value)));
    copied += batch.size;
  }
}
