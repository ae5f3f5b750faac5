import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlAddress } from './domains/move/index.ts';
import type { EventsAddress } from './ports/events/events.ts';

/** What another process of this machine (the CLI) needs to talk to a running server. */
export interface Running {
  readonly pid: number;
  /** Public address, without a trailing slash. */
  readonly url: string;
  readonly listening: string;
  readonly events: EventsAddress;
  /** For `culprit move`; an earlier version has none. */
  readonly control?: ControlAddress | undefined;
}

/** Where that is written down: in the data directory, for its owner only. */
export const runningFile = (dataDir: string): string => join(dataDir, 'running.json');

/** Undefined when no server was started on the directory. One that was killed leaves the file behind. */
export async function readRunning(dataDir: string): Promise<Running | undefined> {
  try {
    return JSON.parse(await readFile(runningFile(dataDir), 'utf8')) as Running;
  } catch {
    return undefined;
  }
}
