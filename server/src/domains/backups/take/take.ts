/** Takes a backup of what this process has open: a thread does the work, and is told when the log is held. */
import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../../../base/errors.ts';
import { startThread } from '../../../base/jobs/index.ts';
import type { EventsAddress } from '../../../ports/events/events.ts';
import { removeFrozen } from '../../../ports/events/snapshot.ts';
import type { EmbeddedLog, HeldLog } from '../../../ports/queue/log.ts';
import type { KeepRules } from '../keep.ts';
import type { Credential } from '../repository/keys.ts';
import { backupId } from '../repository/manifest.ts';
import type { FromThread, Progress, Taken, TakeSetup, ToThread } from './messages.ts';

/** What is backed up. */
export interface Installation {
  readonly dataDir: string;
  /** PostgreSQL; '' for the file in the data directory. */
  readonly stateUrl: string;
  /** S3; '' for files in the data directory. */
  readonly blobsUrl: string;
  /** '' where it is not known. */
  readonly url: string;
  /** Undefined where it is NATS: that is backed up by itself. */
  readonly log: Pick<EmbeddedLog, 'hold'> | undefined;
  /** Of the embedded engine; undefined where events lie elsewhere. */
  readonly events: EventsAddress | undefined;
  readonly key: { readonly fingerprint: string; readonly text: string | undefined };
}

export interface TakeOptions {
  /** Absolute, or an address of S3. */
  readonly dir: string;
  readonly credential: Credential | undefined;
  /** Bytes a second; 0 for as many as go. */
  readonly rate: number;
  /** Removes nothing unless given. */
  readonly keep?: KeepRules | undefined;
  readonly onProgress: (progress: Progress) => void;
}

/** What the thread has to let go of the repository in, ms. */
const graceMs = 3_000;
const workFolder = 'backup-work';

/** What runs that were killed have left. While none is under way. */
export async function removeLeft(dataDir: string): Promise<void> {
  await rm(join(dataDir, workFolder), { recursive: true, force: true });
  await removeFrozen(dataDir);
}

/** One at a time for a data directory. Throws `CodedError` of `BACKUP_…`. */
export async function takeBackup(
  installation: Installation,
  { onProgress, keep, ...options }: TakeOptions,
  signal: AbortSignal,
): Promise<Taken> {
  const { log, ...about } = installation;
  await removeLeft(about.dataDir);
  const workDir = join(about.dataDir, workFolder);
  await mkdir(workDir, { recursive: true, mode: 0o700 });
  const setup: TakeSetup = {
    ...about,
    ...options,
    keep,
    id: backupId(Date.now(), randomBytes(3).toString('hex')),
    workDir,
  };
  const thread = startThread({ module: new URL('./worker.ts', import.meta.url), name: 'backup', setup });
  const send = (message: ToThread): void => thread.postMessage(message, []);
  const stop = (): void => send({ kind: 'stop' });
  signal.addEventListener('abort', stop, { once: true });
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  let held: HeldLog | undefined;
  const hold = async (): Promise<void> => {
    held = await log?.hold();
    // What is acknowledged by now is in the log, or stored.
    const startedAt = Date.now();
    const copying = await held?.copyTo(join(workDir, 'log.mdb'));
    send({ kind: 'held', log: copying?.copy, startedAt });
    await copying?.done;
    send({ kind: 'copied' });
  };
  try {
    return await new Promise<Taken>((resolve, reject) => {
      let taken: Taken | undefined;
      thread.on('message', (message: FromThread) => {
        if (message.kind === 'ready') hold().catch(reject);
        else if (message.kind === 'pinned') held?.[Symbol.dispose]();
        else if (message.kind === 'progress') onProgress(message.progress);
        else if (message.kind === 'failed') reject(failureOf(message));
        else taken = message.taken;
      });
      thread.on('error', reject);
      thread.on('exit', () => (taken ? resolve(taken) : reject(new CodedError('BACKUP_STOPPED'))));
    });
  } finally {
    held?.[Symbol.dispose]();
    signal.removeEventListener('abort', stop);
    stop();
    await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
    await thread.terminate();
    await removeLeft(about.dataDir);
  }
}

function failureOf({ code, message, cause }: Extract<FromThread, { kind: 'failed' }>): Error {
  if (code === undefined) return new Error(message);
  const error = new CodedError(code, [], { cause: cause && new Error(cause) });
  error.message = message;
  return error;
}
