/** The job that takes backups: those that commands ask for, and those that are due by the schedule. One at a time. */
import { resolve } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { isS3, parseS3Address } from '../../base/s3/address.ts';
import type { Job } from '../../base/jobs/index.ts';
import type { TextBox } from '../../base/secrets/index.ts';
import type { Failures } from '../../base/self/index.ts';
import { repository as texts } from '../../base/texts/backups.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';
import type { State } from '../../ports/state/state.ts';
import { type BackupHealth, readHealth, tellOwners } from './health.ts';
import type { Credential } from './repository/keys.ts';
import {
  askForBackup,
  endRun,
  listRuns,
  noteProgress,
  putBack,
  type RunOptions,
  takeRun,
  takeUpAgain,
} from './runs.ts';
import { nextDue } from './schedule.ts';
import { type Installation, removeLeft, takeBackup } from './take/take.ts';

export interface BackupJobOptions {
  readonly state: State;
  readonly node: string;
  readonly failures: Failures;
  readonly getUrl: () => string;
  /** Opens what commands have sealed. */
  readonly box: TextBox;
  readonly installation: () => Promise<Installation>;
  /** Undefined where none are scheduled. */
  readonly schedule?: Schedule | undefined;
}

export interface Schedule {
  /** Absolute, or an address of S3. */
  readonly dir: string;
  /** A cron expression. */
  readonly expression: string;
  readonly options: RunOptions;
  /** As the settings say; what commands give stands with what they ask for. */
  readonly credential: () => Promise<Credential | undefined>;
}

/** What a command has asked for is found so often. */
const everyMs = 2_000;
const noteMs = 1_000;
/** How old what Health shows may be, ms. */
const lookMs = 20_000;

export interface Backups {
  readonly job: Job;
  /** As of a while ago; undefined before the first look. */
  health(): BackupHealth | undefined;
}

export function createBackups(options: BackupJobOptions): Backups {
  const { state, node, box, schedule } = options;
  const since = Date.now();
  const facts = { node, expression: schedule?.expression, since };
  let health: BackupHealth | undefined;
  let lookedAt = 0;
  const look = async (): Promise<void> => {
    lookedAt = Date.now();
    health = await readHealth(state, facts);
    // The same matter has one key until it is over, also after a restart.
    const key = `${node}:${health.last?.at ?? 0}`;
    if (health.trouble) await tellOwners(state, health.trouble, { key, url: options.getUrl() });
  };
  const job: Job = {
    name: 'backups',
    title: jobTexts.backups.title,
    nodes: 'each',
    everyMs,
    needsEvents: true,
    failed: jobTexts.backups.failed,
    async run({ isFresh, signal }) {
      if (isFresh) {
        await removeLeft((await options.installation()).dataDir);
        await takeUpAgain(state, node);
      }
      await askWhenDue(options, since);
      if (isFresh || Date.now() - lookedAt > lookMs) await look();
      while (!signal.aborted) {
        const taken = await takeRun(state, node, box);
        if (!taken) break;
        await runOne(options, taken, signal);
        await look();
      }
    },
  };
  return { job, health: () => health };
}

async function askWhenDue({ state, node, schedule, box }: BackupJobOptions, since: number): Promise<void> {
  if (!schedule) return;
  const [last] = await listRuns(state, { node, askedBy: 'schedule', limit: 1 });
  const due = nextDue(schedule.expression, last, since);
  if (due === undefined || due > Date.now()) return;
  const { dir, options } = schedule;
  await askForBackup(state, { node, dir, askedBy: 'schedule', options, credential: undefined }, box);
}

async function runOne(
  { state, failures, installation, schedule }: BackupJobOptions,
  { run, target, credential: given }: NonNullable<Awaited<ReturnType<typeof takeRun>>>,
  signal: AbortSignal,
): Promise<void> {
  let notedAt = 0;
  try {
    const place = await installation();
    const dir = run.askedBy === 'schedule' && schedule ? schedule.dir : target;
    checkPlace(dir, place);
    const credential = run.askedBy === 'schedule' ? await schedule?.credential() : given;
    const onProgress = (progress: Parameters<typeof noteProgress>[2]): void => {
      if (Date.now() - notedAt < noteMs) return;
      notedAt = Date.now();
      void noteProgress(state, run.id, progress).catch(() => undefined);
    };
    await endRun(state, run.id, await takeBackup(place, { ...run.options, dir, credential, onProgress }, signal));
  } catch (error) {
    if (signal.aborted) {
      await putBack(state, run.id);
      return;
    }
    // What a person can do something about is said; the rest is ours.
    const { digest } = failures.note(error, { message: jobTexts.backups.failed, fields: { dir: run.dir } });
    await endRun(state, run.id, error instanceof CodedError ? error.message : texts.failed(digest));
  }
}

/** Throws `CodedError('BACKUP_TARGET')` where the backup would lie in what it is of. */
export function checkPlace(dir: string, { dataDir, blobsUrl }: { dataDir: string; blobsUrl: string }): void {
  if (!isS3(dir)) {
    const inside = `${resolve(dir)}/`.startsWith(`${resolve(dataDir)}/`);
    if (inside) throw new CodedError('BACKUP_TARGET', [dir, texts.inData]);
    return;
  }
  if (!blobsUrl) return;
  const [target, blobs] = [parseS3Address(dir), parseS3Address(blobsUrl)];
  const isNested = target.prefix.startsWith(blobs.prefix) || blobs.prefix.startsWith(target.prefix);
  if (target.host === blobs.host && target.bucket === blobs.bucket && isNested) {
    throw new CodedError('BACKUP_TARGET', [target.place, texts.inBlobs]);
  }
}
