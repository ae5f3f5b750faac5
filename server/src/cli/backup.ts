import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../base/config.ts';
import { lockDataDir } from '../base/data-dir.ts';
import { CodedError } from '../base/errors.ts';
import { readNodeId } from '../base/node-id.ts';
import { isS3, parseS3Address, urlOf } from '../base/s3/address.ts';
import { findSecrets, openSecrets, readKeyText, type Secrets, textBox } from '../base/secrets/index.ts';
import { backup as texts } from '../base/texts/backups.ts';
import { general } from '../base/texts/cli.ts';
import { things } from '../base/texts/things.ts';
import {
  askForBackup,
  checkPlace,
  type Credential,
  findRun,
  type KeepRules,
  openRepository,
  parseKeep,
  readCredential,
  type Repository,
  type Summary,
  type Taken,
  takeBackup,
  verifyBackup,
} from '../domains/backups/index.ts';
import { openEvents } from '../ports/events/open.ts';
import { openLog } from '../ports/queue/open.ts';
import { readRunning } from '../running.ts';
import { type Command, type Invocation, UsageError } from './command.ts';
import { createProgressLine, type ProgressLine } from './progress-line.ts';
import { readSize } from './sizes.ts';
import { checkInstallation, openInstallation } from './stores.ts';

const actions = ['verify', 'list'] as const;

export const backupCommand: Command = {
  name: 'backup',
  summary: texts.summary,
  usage: texts.usage,
  options: {
    rate: { type: 'string', placeholder: 'SIZE', help: texts.rate },
    keep: { type: 'string', placeholder: 'COUNTS', help: texts.keep },
    'passphrase-file': { type: 'string', placeholder: 'FILE', help: texts.passphrase },
  },
  words: 3,
  examples: [
    'culprit backup /mnt/backups/culprit',
    'culprit backup /mnt/backups/culprit --rate 50m --keep daily=7,weekly=4,monthly=6',
    'culprit backup verify /mnt/backups/culprit',
    'culprit backup list /mnt/backups/culprit',
    'culprit backup s3://s3.example.com/backups/culprit',
  ],
  async run(invocation) {
    const { config, words } = invocation;
    const [first] = words;
    if (first === 'verify') return verify(invocation);
    if (first === 'list') return list(invocation);
    const dir = first ?? config.backupDir;
    if (!dir) throw new UsageError(texts.dirNeeded);
    if (words.length > 1) throw new UsageError(general.actions(actions));
    return take(invocation, targetOf(dir));
  },
};

/** Absolute, or an address of S3. Throws `UsageError` for an address that is none. */
export function targetOf(text: string): string {
  if (!isS3(text)) return resolve(text);
  try {
    // The server, which may take it, has an environment of its own.
    const address = parseS3Address(text);
    return address.credentials?.token ? text : urlOf(address);
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(texts.badAddress(error.message));
    throw error;
  }
}

/** As the flags say, else the settings. */
export const credentialOf = ({ config, text }: Invocation): Promise<Credential | undefined> => {
  const file = text('passphrase-file');
  return readCredential(
    file === undefined ? config : { ...config, backupPassphraseFile: resolve(file), backupPassphrase: '' },
  );
};

async function take(invocation: Invocation, dir: string): Promise<void> {
  const { config, text, print } = invocation;
  checkInstallation(config);
  checkPlace(dir, config);
  const request: Request = {
    dir,
    rate: readSize(text('rate')) ?? config.backupRate,
    keep: readKeep(text('keep')),
    credential: await credentialOf(invocation),
  };
  const began = performance.now();
  using progress = createProgressLine(texts.progress);
  const taken = (await takeHere(config, request, progress)) ?? (await takeByServer(config, request, progress));
  const { summary, removed, freed } = taken;
  print({ ...summary, removed, freed }, [
    texts.done(summary.id, Math.round((performance.now() - began) / 100) / 10),
    texts.size(summary.bytes, summary.stored, summary.added),
    ...(removed.length ? [texts.removed(removed.length, freed)] : []),
    ...keyLines(summary, config),
    ...(summary.elsewhere.length ? [texts.elsewhere(summary.elsewhere)] : []),
  ]);
}

function keyLines({ key }: Summary, config: Config): string[] {
  if (key.isIncluded) return [texts.keyIn(key.fingerprint)];
  return [
    texts.keyOut(key.fingerprint, config.secret ? 'CULPRIT_SECRET' : config.keyFile || `${config.dataDir}/secret.key`),
  ];
}

interface Request {
  readonly dir: string;
  readonly rate: number;
  readonly keep: KeepRules | undefined;
  readonly credential: Credential | undefined;
}

/** Undefined while a server has the data directory. */
async function takeHere(config: Config, request: Request, progress: ProgressLine): Promise<Taken | undefined> {
  await using opened = new AsyncDisposableStack();
  try {
    opened.use(await lockDataDir(config.dataDir));
  } catch (error) {
    if (error instanceof CodedError && error.code === 'DATA_DIR_IN_USE') return undefined;
    throw error;
  }
  const secrets: Secrets = await openSecrets(config);
  const log = opened.use(
    await openLog({
      url: config.logUrl,
      dataDir: config.dataDir,
      limitBytes: config.logMaxBytes,
      box: secrets.boxSetup('log record'),
    }),
  );
  const store = config.eventsUrl ? undefined : opened.use(await openEvents({ url: '', dataDir: config.dataDir }));
  return await takeBackup(
    {
      dataDir: config.dataDir,
      stateUrl: config.stateUrl,
      blobsUrl: config.blobsUrl,
      url: config.url,
      log: log.embedded,
      events: store?.events.address,
      key: { fingerprint: secrets.fingerprint, text: await readKeyText(config) },
    },
    { ...request, onProgress: progress.show },
    new AbortController().signal,
  );
}

const pollMs = 300;
/** So long it may take until a server begins. */
const beginMs = 30_000;

async function takeByServer(
  config: Config,
  { credential, dir, ...options }: Request,
  progress: ProgressLine,
): Promise<Taken> {
  const secrets = await findSecrets(config);
  if (!secrets) throw new CodedError('NOT_FOUND', [things.key]);
  await using state = await openInstallation(config);
  const node = await readNodeId(config.dataDir);
  const box = textBox(secrets.box('stored secret'));
  const id = await askForBackup(state, { node, dir, askedBy: 'command', options, credential }, box);
  progress.say(texts.waiting(String((await readRunning(config.dataDir))?.pid ?? '?')));
  for (const begun = performance.now(); ; await delay(pollMs)) {
    const run = await findRun(state, id);
    if (run?.taken) return run.taken;
    if (!run || run.state === 'failed') throw new CodedError('BACKUP_FAILED', [run?.detail ?? '']);
    if (run.progress) progress.show(run.progress);
    if (run.state === 'running' || performance.now() - begun < beginMs) continue;
    await state.db.deleteFrom('backup_run').where('id', '=', id).where('state', '=', 'waiting').execute();
    throw new CodedError('BACKUP_FAILED', [texts.notTaken]);
  }
}

async function openHere(invocation: Invocation): Promise<Repository> {
  const { config, words } = invocation;
  const dir = words[1] ?? config.backupDir;
  if (!dir) throw new UsageError(texts.dirNeeded);
  return openRepository({ dir: targetOf(dir), credential: await credentialOf(invocation) });
}

async function verify(invocation: Invocation): Promise<number> {
  const { words, print } = invocation;
  const repository = await openHere(invocation);
  const { summaries, damaged } = await repository.list();
  const wanted = words[2] === undefined ? summaries : [findBackup(summaries, words[2])];
  if (!wanted.length && !damaged.length) throw new CodedError('NOT_FOUND', [things.backup(repository.place)]);
  using progress = createProgressLine(texts.progress);
  const seen = new Map<string, string>();
  const verified = [];
  for (const { id } of wanted) verified.push(await verifyBackup(repository, id, progress.show, seen));
  progress.end();
  print({ backups: verified, damaged }, [
    ...verified.flatMap(({ id, objects, bytes, problems }) =>
      problems.length
        ? [texts.broken(id, problems.length), ...problems.map(texts.problem)]
        : [texts.verified(id, objects, bytes)],
    ),
    ...damaged.map(texts.unreadable),
  ]);
  return damaged.length || verified.some(({ problems }) => problems.length) ? 1 : 0;
}

/** By its id; the newest where none is named. */
export function findBackup(summaries: readonly Summary[], id: string | undefined): Summary {
  const found = id === undefined ? summaries.at(-1) : summaries.find((each) => each.id === id);
  if (!found) throw new CodedError('NOT_FOUND', [id === undefined ? texts.newest : things.backup(id)]);
  return found;
}

async function list(invocation: Invocation): Promise<void> {
  const repository = await openHere(invocation);
  const { summaries, damaged } = await repository.list();
  const rows = summaries.map(({ id, snapshotAt, stored, added, counts }) =>
    texts.row(id, snapshotAt, stored, added, counts.errors ?? 0, counts.issues ?? 0),
  );
  invocation.print({ dir: repository.place, backups: summaries, damaged }, [
    ...(rows.length ? [texts.columns, ...rows].map(aligned) : [texts.none(repository.place)]),
    ...damaged.map(texts.unreadable),
  ]);
}

/** Names to the left, numbers to the right. */
const aligned = (cells: readonly string[]): string =>
  cells.map((cell, index) => (index < 2 ? cell.padEnd(23) : cell.padStart(11))).join(' ');

function readKeep(text: string | undefined): KeepRules | undefined {
  const rules = text === undefined ? undefined : parseKeep(text);
  if (text !== undefined && !rules) throw new UsageError(texts.badKeep(text));
  return rules;
}
