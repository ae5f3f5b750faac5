import type { ErrorCode } from '../../../base/errors.ts';
import type { EventsAddress } from '../../../ports/events/events.ts';
import type { LogCopy } from '../../../ports/queue/log.ts';
import type { Credential } from '../repository/keys.ts';
import type { Summary } from '../repository/manifest.ts';
import type { KeepRules } from '../keep.ts';

/** What a thread needs to take a backup. */
export interface TakeSetup {
  readonly id: string;
  /** Absolute, or an address of S3. */
  readonly dir: string;
  readonly credential: Credential | undefined;
  readonly dataDir: string;
  /** Folder for what is copied, below the data directory; not there yet. */
  readonly workDir: string;
  /** Of the embedded engine; undefined where events lie elsewhere. */
  readonly events: EventsAddress | undefined;
  /** PostgreSQL; '' for the file. */
  readonly stateUrl: string;
  /** S3; '' for files in the data directory. */
  readonly blobsUrl: string;
  readonly url: string;
  readonly key: { readonly fingerprint: string; readonly text: string | undefined };
  /** Bytes a second; 0 for as many as go. */
  readonly rate: number;
  readonly keep: KeepRules | undefined;
}

export interface Progress {
  /** Bytes that were looked at, of all. */
  readonly done: number;
  readonly of: number;
}

export interface Taken {
  readonly summary: Summary;
  /** Backups that were removed by the rules, and bytes of objects that went. */
  readonly removed: readonly string[];
  readonly freed: number;
}

export type ToThread =
  /** No batch is leased, and a copy of the log is begun in the work folder; `log` is undefined where it is elsewhere. */
  | { readonly kind: 'held'; readonly log: LogCopy | undefined; readonly startedAt: number }
  /** That copy is whole. */
  | { readonly kind: 'copied' }
  | { readonly kind: 'stop' };

export type FromThread =
  /** The repository is open and this run's. */
  | { readonly kind: 'ready' }
  /** The moment has been taken: the program may go on. */
  | { readonly kind: 'pinned' }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'taken'; readonly taken: Taken }
  | { readonly kind: 'failed'; readonly code: ErrorCode | undefined; readonly message: string; readonly cause: string };
