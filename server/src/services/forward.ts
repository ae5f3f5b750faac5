/** What a server still receives after its installation has moved goes to the log of the new stores. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../base/config.ts';
import type { Secrets } from '../base/secrets/index.ts';
import type { Failures } from '../base/self/index.ts';
import type { EventLog } from '../ports/queue/log.ts';
import { openLog } from '../ports/queue/open.ts';
import { createReader } from '../ports/queue/seal.ts';

const limits = { maxRecords: 500, maxBytes: 16 * 2 ** 20 };
const retryMs = 1_000;
const restMs = 50;
/** What came last is on its way within this time of a stop, or it is left for the next run of the command. */
const endsWithinMs = 5_000;

export interface ForwardOptions {
  readonly config: Pick<Config, 'dataDir' | 'logMaxBytes'>;
  readonly secrets: Secrets;
  readonly logUrl: string;
  /** Whose that log is. */
  readonly installation: string;
}

/** Goes on until it is ended, when nothing is received any more; `end` sends what is left. */
export function forwardLog(
  log: EventLog,
  options: ForwardOptions,
  failures: Pick<Failures, 'note'>,
): { end(): Promise<void> } {
  let isEnding = false;
  const run = async (): Promise<void> => {
    for (;;) {
      try {
        await using target = await openTarget(options);
        for (;;) {
          const isLast = isEnding;
          if ((await forwardBatch(log, target)) > 0) continue;
          if (isLast) return;
          await delay(restMs);
        }
      } catch (error) {
        failures.note(error, { message: 'could not forward what was received; will retry', atMostEveryMs: 60_000 });
        await delay(retryMs);
      }
    }
  };
  const running = run();
  return {
    async end() {
      isEnding = true;
      await Promise.race([running, delay(endsWithinMs, undefined, { ref: false })]);
    },
  };
}

/** What a server that was killed has left in its data directory, while nobody has that open. Resolves to the records. */
export async function forwardRest(options: ForwardOptions): Promise<number> {
  const { config, secrets } = options;
  if (!existsSync(join(config.dataDir, 'log'))) return 0;
  await using log = await openLog({
    url: '',
    dataDir: config.dataDir,
    limitBytes: config.logMaxBytes,
    box: secrets.boxSetup('log record'),
  });
  if (log.stats().records === 0) return 0;
  await using target = await openTarget(options);
  let records = 0;
  for (let sent = 1; sent > 0; records += sent) sent = await forwardBatch(log, target);
  return records;
}

const openTarget = ({ config, secrets, logUrl, installation }: ForwardOptions): Promise<EventLog> =>
  openLog({
    url: logUrl,
    installation,
    dataDir: config.dataDir,
    limitBytes: config.logMaxBytes,
    box: secrets.boxSetup('log record'),
  });

/** Resolves to the records that went. */
async function forwardBatch(log: EventLog, target: EventLog): Promise<number> {
  const batch = await log.lease(limits);
  if (!batch) return 0;
  try {
    const { records, unreadable } = createReader(log.reader)(batch.records);
    const send = (position: number, value: Uint8Array): Promise<unknown> =>
      // Of a batch that was on its way when the process was killed, nothing comes a second time.
      target.appendOnce?.(`move.${log.reader.logId}.${position}`, value) ?? target.append(value);
    await Promise.all(records.map(({ position, value }) => send(position, value)));
    await log.acknowledge(batch, unreadable);
    return batch.size;
  } catch (error) {
    log.release(batch);
    throw error;
  }
}
