/** Where a repository lies: a directory, or a bucket of S3. Names are relative, with `/`. */
import { isS3, parseS3Address } from '../../../base/s3/address.ts';
import { createObjects } from '../../../base/s3/objects.ts';
import { openDirectoryShelf } from './directory-shelf.ts';
import { openS3Shelf } from './s3-shelf.ts';

export interface Shelf {
  /** For people; names no secret. */
  readonly place: string;
  /** Makes what has to be there before anything is written. */
  prepare(): Promise<void>;
  /** Whether nothing is in it that anybody would miss. */
  isEmpty(): Promise<boolean>;
  /** Undefined where there is none. */
  readText(name: string): Promise<string | undefined>;
  /** Whole and durable when it resolves. */
  writeText(name: string, text: string): Promise<void>;
  /** Adds whole lines, each with its end; durable when it resolves. A last line that was cut short goes. */
  appendLines(name: string, text: string): Promise<void>;
  /** Adds a line that may be lost when the process is killed soon after. Of whoever has the lock. */
  note(name: string, line: string): Promise<void>;
  /** Bytes; undefined where there is none. Of whoever has the lock, or reads. */
  size(name: string): Promise<number | undefined>;
  /** A path on this machine for a file that `put` takes. One at a time. */
  draft(): string;
  /** Durable when it resolves, under its name from the next `settle` on. */
  put(draft: string, name: string): Promise<void>;
  /** A path on this machine to read it from; undefined where there is none. */
  fetch(name: string): Promise<Fetched | undefined>;
  remove(name: string): Promise<void>;
  /** All below a folder, in the order of their names. */
  files(folder: string): AsyncIterable<{ readonly name: string; readonly size: number }>;
  settle(): Promise<void>;
  /** Nobody else writes while it is held. Throws `CodedError('BACKUP_TARGET')` while another run does. */
  lock(): Promise<AsyncDisposable>;
}

export interface Fetched extends Disposable {
  readonly path: string;
  readonly size: number;
}

/** Who writes, as `in-use` says it. */
export interface User {
  readonly host: string;
  readonly pid: number;
}

/** `workDir`: for files on their way to or from S3; one of the system's unless given. */
export const openShelf = (target: string, workDir?: string): Shelf =>
  isS3(target) ? openS3Shelf(createObjects(parseS3Address(target)), workDir) : openDirectoryShelf(target);
