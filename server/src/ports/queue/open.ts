import { join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import type { BoxSetup } from '../../base/secrets/index.ts';
import { addresses } from '../../base/texts/stores.ts';
import { isNatsUrl } from '../nats/address.ts';
import type { Nats } from '../nats/connection.ts';
import type { EmbeddedLog, EventLog } from './log.ts';
import type { RetainOptions } from './retained.ts';

export interface LogOptions {
  /** `''` for the embedded log in the data directory, `nats://` or `tls://` for NATS JetStream. */
  readonly url: string;
  readonly dataDir: string;
  readonly limitBytes: number;
  /** What records are sealed with. */
  readonly box: BoxSetup;
  /** Keeps records after they are acknowledged, for a downgrade; see `retained.ts`. */
  readonly retain?: RetainOptions | undefined;
  /** Whose the log is, where several could share it by mistake; whoever only looks into it needs none. */
  readonly installation?: string | undefined;
  /** Told what an operator should know, in a sentence. */
  readonly warn?: (sentence: string) => void;
  /** The connection that the process has for that URL; one of its own, closed with the log, unless given. */
  readonly nats?: Nats | undefined;
}

/** Chooses the log by the URL. Throws `LOG_OTHER` where it belongs to another installation. */
export async function openLog({ url, dataDir, nats, ...options }: LogOptions): Promise<EventLog> {
  if (isNatsUrl(url)) {
    const { openNatsLog, openOwnNatsLog } = await import('./nats/log.ts');
    return nats ? openNatsLog({ nats, ...options }) : openOwnNatsLog(url, options);
  }
  if (url) throw new CodedError('CONFIG_INVALID', [addresses.log(url)]);
  const { openLmdbLog } = await import('./lmdb.ts');
  return openLmdbLog({ dir: join(dataDir, 'log'), ...options });
}

/** A log on this machine in a directory of its own, of what is to be sent on from here. */
export async function openSpool(
  dir: string,
  options: Omit<LogOptions, 'url' | 'dataDir' | 'nats'>,
): Promise<EmbeddedLog> {
  const { openLmdbLog } = await import('./lmdb.ts');
  // It makes room for the log of what was received first.
  return openLmdbLog({ dir, reserveBytes: 512 * 2 ** 20, ...options });
}
