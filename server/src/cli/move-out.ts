/** `culprit move --to URL …`: from the data directory of a running server to stores that nodes share. */
import { type Config, withoutPassword } from '../base/config.ts';
import { lockDataDir } from '../base/data-dir.ts';
import { CodedError } from '../base/errors.ts';
import { findSecrets, type Secrets } from '../base/secrets/index.ts';
import { move as texts } from '../base/texts/move.ts';
import { things } from '../base/texts/things.ts';
import { version } from '../base/version.ts';
import {
  type BlobsEnds,
  connectControl,
  type EventsEnds,
  finish,
  forgetJournal,
  type Gate,
  move,
  type Places,
  readMoved,
  type StateEnds,
  type StoreName,
  storeNames,
} from '../domains/move/index.ts';
import { openBlobs } from '../ports/blobs/open.ts';
import { connectEvents, openEvents } from '../ports/events/open.ts';
import { openLog } from '../ports/queue/open.ts';
import { openPostgresSide } from '../ports/state/copy/postgres.ts';
import { openSqliteSide } from '../ports/state/copy/sqlite.ts';
import { installationId } from '../ports/state/installation.ts';
import { openMigratedState as openStore } from '../ports/state/open.ts';
import { readRunning } from '../running.ts';
import { forwardRest } from '../services/forward.ts';
import type { Invocation } from './command.ts';
import { dryRun, linesOf, showMove } from './move-shown.ts';
import { readSize } from './sizes.ts';
import { checkInstallation, keepingAt, openMigratedState } from './stores.ts';

export type Urls = Partial<Record<StoreName, string>>;

export async function moveOut(invocation: Invocation, urls: Urls): Promise<void> {
  const { config, text, flag, print } = invocation;
  const { dataDir } = config;
  checkInstallation(config);
  const secrets = await findSecrets(config);
  if (!secrets) throw new CodedError('NOT_FOUND', [things.key]);
  const places: Places = Object.fromEntries(
    storeNames.flatMap((name) => (urls[name] === undefined ? [] : [[name, withoutPassword(urls[name])]])),
  );
  await using opened = new AsyncDisposableStack();
  if (flag('dry-run')) return tryOut(invocation, urls);
  const moved = await readMoved(dataDir);
  const state = urls.state === undefined ? undefined : await openState(config, urls.state, opened);
  const running = await readRunning(dataDir);
  if (moved && JSON.stringify(moved.to) === JSON.stringify(places)) {
    // It was broken off after the commit.
    await finish({ state, events: undefined });
    if (urls.log !== undefined && !(running && (await isRunning(running.pid)))) {
      await using _ = await lockDataDir(dataDir);
      await forwardRest({ config, secrets, logUrl: urls.log, installation: await installationOf(config) });
    }
    print({ id: moved.id, to: places }, [texts.done(Object.values(places)), ...settingLines(urls)]);
    return;
  }
  if (!running || !(await isRunning(running.pid))) throw new CodedError('MOVE_REFUSED', [texts.notRunning]);
  if (!running.control) throw new CodedError('MOVE_REFUSED', [texts.noControl]);
  const control = opened.use(await connectControl(running.control, version));
  const events = urls.events === undefined ? undefined : await openEventsEnds(config, urls.events, running, opened);
  const blobs = urls.blobs === undefined ? undefined : await openBlobsEnds(config, urls.blobs);
  if (urls.log !== undefined) await checkLog(config, secrets, urls.log);
  const to = Object.values(places).join(', ');
  const gate: Gate = {
    signal: control.signal,
    async freeze(limitMs) {
      const beganAt = performance.now();
      await control.freeze(to, limitMs);
      return beganAt;
    },
    thaw: () => control.thaw(),
    commit: (done) => control.commit(done, urls.log ?? ''),
  };
  using shown = showMove(invocation);
  const done = await move({
    dataDir,
    from: dataDir,
    places,
    state,
    events,
    blobs,
    gate,
    rate: readSize(text('rate')) ?? 0,
    ...shown,
  });
  shown.end();
  await forgetJournal(dataDir);
  print(done, [
    ...linesOf(done),
    texts.key(secrets.fingerprint),
    texts.settings,
    ...settingLines(urls),
    urls.log ? texts.forwards : texts.stopped,
  ]);
}

/** Asks all stores, and writes to none. */
async function tryOut(invocation: Invocation, urls: Urls): Promise<void> {
  const { config } = invocation;
  await using opened = new AsyncDisposableStack();
  const running = await readRunning(config.dataDir);
  if (!running?.control || !(await isRunning(running.pid))) throw new CodedError('MOVE_REFUSED', [texts.notRunning]);
  if (urls.state !== undefined) opened.use(await openPostgresSide({ url: urls.state }));
  if (urls.events !== undefined) {
    const { events } = opened.use(await openEvents({ url: urls.events, dataDir: '' }));
    if (!(await events.ready())) throw new CodedError('ENGINE_UNAVAILABLE');
  }
  if (urls.blobs !== undefined) await openBlobs({ url: urls.blobs, dataDir: '' }).ready();
  await dryRun(invocation, {
    state: urls.state === undefined ? undefined : opened.use(openSqliteSide(config)),
    events: urls.events === undefined ? undefined : opened.use(connectEvents(running.events)),
    blobs: urls.blobs === undefined ? undefined : openBlobs({ url: config.blobsUrl, dataDir: config.dataDir }),
  });
}

const settingLines = (urls: Urls): string[] =>
  storeNames.flatMap((name) =>
    urls[name] === undefined ? [] : [`  CULPRIT_${name.toUpperCase()}_URL=${withoutPassword(urls[name])}`],
  );

async function openState(config: Config, url: string, opened: AsyncDisposableStack): Promise<StateEnds> {
  // Migrated, as the server has it.
  const own = await openMigratedState(config);
  await own.close();
  const target = opened.use(await openPostgresSide({ url }));
  const others = await target.others();
  const { state } = await openStore({ url, dataDir: '' });
  opened.use(state);
  return {
    source: opened.use(openSqliteSide(config)),
    target,
    state,
    others,
    isShared: true,
  };
}

async function openEventsEnds(
  config: Config,
  url: string,
  running: { readonly events: Parameters<typeof connectEvents>[0] },
  opened: AsyncDisposableStack,
): Promise<EventsEnds> {
  const source = opened.use(connectEvents(running.events));
  const target = opened.use(await openEvents({ url, dataDir: '' }));
  await target.prepare(await keepingAt(config));
  return { source, target: target.events, isLeased: true };
}

async function installationOf(config: Config): Promise<string> {
  await using state = await openMigratedState(config);
  return await installationId(state);
}

/** It is there, takes records of this installation, and nothing waits in it. Throws `LOG_OTHER`. */
async function checkLog(config: Config, secrets: Secrets, url: string): Promise<void> {
  const box = secrets.boxSetup('log record');
  const installation = await installationOf(config);
  await using log = await openLog({ url, dataDir: config.dataDir, limitBytes: config.logMaxBytes, box, installation });
  if (log.stats().records > 0) throw new CodedError('MOVE_REFUSED', [texts.notEmpty(withoutPassword(url))]);
}

async function openBlobsEnds(config: Config, url: string): Promise<BlobsEnds> {
  const target = openBlobs({ url, dataDir: '' });
  await target.ready();
  return { source: openBlobs({ url: config.blobsUrl, dataDir: config.dataDir }), target };
}

async function isRunning(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is another user's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
