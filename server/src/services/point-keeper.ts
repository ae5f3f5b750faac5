/** Removes restore points that are over, and what the log keeps for them. */
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import type { Job } from '../base/jobs/index.ts';
import { jobs as texts } from '../base/texts/jobs.ts';
import type { EventLog } from '../ports/queue/log.ts';
import { expirePoints } from '../ports/restore-points/index.ts';

const minuteMs = 60_000;

export function createPointKeeper(config: Config, log: EventLog, logger: Logger): Job {
  const { dataDir, restorePointDays: days, restorePointMaxBytes: maxBytes } = config;
  return {
    name: 'restore-point-expiry',
    title: texts.restorePointExpiry.title,
    // Each has its own.
    nodes: 'each',
    everyMs: 5 * minuteMs,
    firstMs: minuteMs,
    failed: texts.restorePointExpiry.failed,
    async run() {
      for (const { point, why } of await expirePoints({ dataDir, days, maxBytes, log: log.embedded })) {
        logger.info({ before: point.from.version, why }, 'a restore point was deleted');
      }
    },
  };
}
