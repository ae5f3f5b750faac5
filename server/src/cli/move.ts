import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, withoutPassword } from '../base/config.ts';
import { lockDataDir } from '../base/data-dir.ts';
import { CodedError } from '../base/errors.ts';
import { readNodeId } from '../base/node-id.ts';
import { findSecrets } from '../base/secrets/index.ts';
import { move as texts } from '../base/texts/move.ts';
import { backup as backupTexts } from '../base/texts/backups.ts';
import { things } from '../base/texts/things.ts';
import { version } from '../base/version.ts';
import {
  type BlobsEnds,
  connectControl,
  type EventsEnds,
  finish,
  forgetJournal,
  type Gate,
  type Move,
  move,
  type MoveReport,
  type Places,
  readMoved,
  removeMoved,
  type StateEnds,
  type StoreName,
  storeNames,
} from '../domains/move/index.ts';
import { openBlobs } from '../ports/blobs/open.ts';
import { connectEvents, openEvents } from '../ports/events/open.ts';
import { openPostgresSide } from '../ports/state/copy/postgres.ts';
import { openSqliteSide } from '../ports/state/copy/sqlite.ts';
import { openMigratedState as openStore } from '../ports/state/open.ts';
import { readRunning } from '../running.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { createProgressLine } from './progress-line.ts';
import { readSize } from './sizes.ts';
import { openMigratedState } from './stores.ts';

export const moveCommand: Command = {
  name: 'move',
  summary: texts.summary,
  usage: texts.usage,
  options: {
    to: { type: 'boolean', help: texts.to },
    'dry-run': { type: 'boolean', help: texts.dryRun },
    rate: { type: 'string', placeholder: 'SIZE', help: texts.rate },
    undo: { type: 'boolean', help: texts.undo },
  },
  words: 4,
  examples: [
    'culprit move --to postgres://culprit@db/culprit https://clickhouse:8443/culprit s3://bucket?region=eu-west-1',
    'culprit move --to postgres://culprit@db/culprit --dry-run',
    'culprit move --to postgres://culprit@db/culprit https://clickhouse:8443/culprit --rate 50m',
    'culprit move --undo',
  ],
  async run(invocation) {
    const { words, flag } = invocation;
    if (flag('undo')) return undo(invocation);
    if (!words.length) throw new UsageError(texts.nothing);
    await moveOut(invocation, readUrls(words, invocation.config));
  },
};

type Urls = Partial<Record<StoreName, string>>;

const protocols: Readonly<Record<string, StoreName>> = {
  'postgres:': 'state',
  'postgresql:': 'state',
  'http:': 'events',
  'https:': 'events',
  's3:': 'blobs',
  'nats:': 'log',
  'tls:': 'log',
};

function readUrls(words: readonly string[], config: Config): Urls {
  const urls: Urls = {};
  for (const word of words) {
    // Keys of S3 have characters that no URL has.
    const store = protocols[/^[a-z0-9+]+:(?=\/\/)/.exec(word)?.[0] ?? ''];
    if (!store) throw new UsageError(texts.unknownPlace(withoutPassword(word)));
    if (urls[store] !== undefined) throw new UsageError(texts.twice(store));
    if (config[`${store}Url`] !== '') throw new UsageError(texts.already(store));
    urls[store] = word;
  }
  return urls;
}

async function undo({ config, print }: Invocation): Promise<void> {
  const { dataDir } = config;
  await using _ = await lockDataDir(dataDir);
  if (!(await readMoved(dataDir)))
    throw new CodedError('NOT_FOUND', [things.installation(dataDir)], { hint: texts.notMoved(dataDir) });
  await removeMoved(dataDir);
  await forgetJournal(dataDir);
  print({ dataDir }, [texts.undone(dataDir)]);
}

async function moveOut(invocation: Invocation, urls: Urls): Promise<void> {
  const { config, text, flag, print } = invocation;
  const { dataDir } = config;
  if (!existsSync(join(dataDir, config.stateUrl ? 'node.id' : 'state.db'))) {
    throw new CodedError('NOT_FOUND', [things.installation(dataDir)], { hint: backupTexts.noInstallation });
  }
  const secrets = await findSecrets(config);
  if (!secrets) throw new CodedError('NOT_FOUND', [things.key]);
  const places: Places = Object.fromEntries(
    storeNames.flatMap((name) => (urls[name] === undefined ? [] : [[name, withoutPassword(urls[name])]])),
  );
  await using opened = new AsyncDisposableStack();
  const moved = await readMoved(dataDir);
  const state = urls.state === undefined ? undefined : await openState(config, urls.state, opened);
  const running = await readRunning(dataDir);
  if (moved && JSON.stringify(moved.to) === JSON.stringify(places)) {
    // It was broken off after the commit.
    await finish({ state, events: undefined, nodes: [await readNodeId(dataDir)] });
    print({ id: moved.id, to: places }, [texts.done(Object.values(places)), ...settingLines(urls)]);
    return;
  }
  if (!running || !(await isRunning(running.pid))) throw new CodedError('MOVE_REFUSED', [texts.notRunning]);
  if (!running.control) throw new CodedError('MOVE_REFUSED', [texts.noControl]);
  const control = opened.use(await connectControl(running.control, version));
  const events = urls.events === undefined ? undefined : await openEventsEnds(config, urls.events, running, opened);
  const blobs = urls.blobs === undefined ? undefined : await openBlobsEnds(config, urls.blobs);
  if (flag('dry-run')) {
    await dryRun(invocation, { state, events, blobs });
    return;
  }
  const to = Object.values(places).join(', ');
  const gate: Gate = {
    signal: control.signal,
    freeze: (limitMs) => control.freeze(to, limitMs),
    thaw: () => control.thaw(),
    commit: (done) => control.commit(done, urls.log ?? ''),
  };
  using progress = createProgressLine((done) => String(done));
  const say = (line: string): void => {
    if (!invocation.json) process.stdout.write(`${line}\n`);
  };
  const done = await move({
    dataDir,
    from: dataDir,
    places,
    state,
    events,
    blobs,
    gate,
    nodes: [await readNodeId(dataDir)],
    rate: readSize(text('rate')) ?? 0,
    onStage: (stage, isResumed) => {
      progress.end();
      if (isResumed) say(texts.resumed);
      say(texts.stage[stage]);
    },
    onProgress: (line) => progress.write(line),
    onPass: (line) => {
      progress.end();
      say(line);
    },
  });
  progress.end();
  await forgetJournal(dataDir);
  print(done, [
    ...linesOf(done),
    texts.key(secrets.fingerprint),
    texts.settings,
    ...settingLines(urls),
    urls.log ? texts.forwards : texts.stopped,
  ]);
}

const linesOf = (report: MoveReport & { readonly path: string }): string[] => [
  texts.done(Object.values(report.to)),
  texts.frozen(report.frozenMs),
  texts.verified(report.state.rows, report.events.rows, report.blobs.count),
  texts.report(report.path),
];

const settingLines = (urls: Urls): string[] =>
  storeNames.flatMap((name) =>
    urls[name] === undefined ? [] : [`  CULPRIT_${name.toUpperCase()}_URL=${withoutPassword(urls[name])}`],
  );

async function openState(config: Config, url: string, opened: AsyncDisposableStack): Promise<StateEnds> {
  // Migrated, as the server has it.
  const own = await openMigratedState(config);
  await own.close();
  const { state } = await openStore({ url, dataDir: '' });
  opened.use(state);
  return {
    source: opened.use(openSqliteSide(config)),
    target: opened.use(await openPostgresSide({ url })),
    state,
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
  await target.prepare({ retentionDays: config.retentionDays });
  return { source, target: target.events };
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

async function dryRun(
  { print }: Invocation,
  { state, events, blobs }: Pick<Move, 'state' | 'events' | 'blobs'>,
): Promise<void> {
  const found = { state: 0, events: { rows: 0, bytes: 0 }, blobs: { count: 0, bytes: 0 } };
  if (state) {
    await using snapshot = await state.source.snapshot();
    for (const table of (await state.source.tables()).values()) {
      for await (const page of snapshot.pages(table)) found.state += page.length;
    }
  }
  if (events) {
    const [size] = await events.source.query<{ rows: number; bytes: number }>(
      'SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase() AND active',
    );
    if (size) found.events = size;
  }
  if (blobs) {
    for await (const { bytes } of blobs.source.list('')) {
      found.blobs.count += 1;
      found.blobs.bytes += bytes;
    }
  }
  print(found, [
    texts.dry,
    ...(state ? [texts.dryState(found.state)] : []),
    ...(events ? [texts.dryEvents(found.events.rows, found.events.bytes)] : []),
    ...(blobs ? [texts.dryBlobs(found.blobs.count, found.blobs.bytes)] : []),
  ]);
}
