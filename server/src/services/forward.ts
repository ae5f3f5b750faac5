/** What a server still receives after its installation has moved goes to the log of the new stores. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import type { EventLog } from '../ports/queue/log.ts';
import { openLog } from '../ports/queue/open.ts';
import { createReader } from '../ports/queue/seal.ts';
import type { Stores } from './stores.ts';

const limits = { maxRecords: 500, maxBytes: 16 * 2 ** 20 };
const retryMs = 1_000;
const restMs = 100;

export interface ForwardOptions {
  readonly config: Pick<Config, 'dataDir' | 'logMaxBytes'>;
  readonly logger: Logger;
  readonly stores: Pick<Stores, 'log' | 'secrets' | 'failures'>;
  readonly logUrl: string;
}

/** Goes on until the process ends. */
export function forwardLog(options: ForwardOptions): void {
  const { stores } = options;
  const run = async (): Promise<void> => {
    for (;;) {
      try {
        await using target = await openTarget(options);
        for (;;) if ((await forwardBatch(stores.log, target)) === 0) await delay(restMs);
      } catch (error) {
        stores.failures.note(error, {
          message: 'could not forward what was received; will retry',
          atMostEveryMs: 60_000,
        });
        await delay(retryMs);
      }
    }
  };
  void run();
}

const openTarget = ({ config, stores, logUrl }: ForwardOptions): Promise<EventLog> =>
  openLog({
    url: logUrl,
    dataDir: config.dataDir,
    limitBytes: config.logMaxBytes,
    box: stores.secrets.boxSetup('log record'),
  });

/** Resolves to the records that went. */
export async function forwardBatch(log: EventLog, target: EventLog): Promise<number> {
  const batch = await log.lease(limits);
  if (!batch) return 0;
  try {
    const { records, unreadable } = createReader(log.reader)(batch.records);
    await Promise.all(records.map(({ value }) => target.append(value)));
    await log.acknowledge(batch, unreadable);
    return batch.size;
  } catch (error) {
    log.release(batch);
    throw error;
  }
}
