import { join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import type { BoxSetup } from '../../base/secrets/index.ts';
import { addresses } from '../../base/texts/stores.ts';
import type { EventLog } from './log.ts';
import type { RetainOptions } from './retained.ts';

export interface LogOptions {
  /** `''` for the embedded log in the data directory; the only one so far. */
  readonly url: string;
  readonly dataDir: string;
  readonly limitBytes: number;
  /** What records are sealed with. */
  readonly box: BoxSetup;
  /** Keeps records after they are acknowledged, for a downgrade; see `retained.ts`. */
  readonly retain?: RetainOptions | undefined;
  /** Told what an operator should know, in a sentence. */
  readonly warn?: (sentence: string) => void;
}

/** Chooses the log by the URL. */
export async function openLog({ url, dataDir, ...options }: LogOptions): Promise<EventLog> {
  if (url) throw new CodedError('CONFIG_INVALID', [addresses.log(url)]);
  const { openLmdbLog } = await import('./lmdb.ts');
  return openLmdbLog({ dir: join(dataDir, 'log'), ...options });
}

/** A log on this machine in a directory of its own, of what is to be sent on from here. */
export async function openSpool(dir: string, options: Omit<LogOptions, 'url' | 'dataDir'>): Promise<EventLog> {
  const { openLmdbLog } = await import('./lmdb.ts');
  // It makes room for the log of what was received first.
  return openLmdbLog({ dir, reserveBytes: 512 * 2 ** 20, ...options });
}
