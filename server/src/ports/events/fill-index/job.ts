/**
 * Fills the event index in the background, once an installation has been upgraded, or after a power cut; and writes weeks
 * of it anew that went quiet, so that they take less room.
 */
import type { Logger } from 'pino';
import type { Job } from '../../../base/jobs/index.ts';
import type { Events } from '../events.ts';
import { fillIndex, hasIndex, restWhile, weeksToFill } from './fill.ts';
import { jobs as jobTexts } from '../../../base/texts/jobs.ts';

export interface FillJobOptions {
  readonly events: Events;
  readonly logger: Logger;
  /** There is something more important to do. */
  readonly isBusy: () => Promise<boolean>;
}

const minuteMs = 60_000;
/** What comes with a start comes first. */
const firstMs = 20_000;

export function createFillJob({ events, logger, isBusy }: FillJobOptions): Job {
  let waiting = 0;
  let isRunning = false;
  return {
    name: 'event-index',
    title: jobTexts.eventIndex.title,
    // Each has its own.
    nodes: 'each',
    everyMs: minuteMs,
    firstMs,
    needsEvents: true,
    failed: jobTexts.eventIndex.failed,
    async run({ signal }) {
      if (!hasIndex(events) || (await isBusy())) return;
      const rest = restWhile(isBusy, signal);
      waiting = (await weeksToFill(events)).length;
      if (waiting > 0 || !events.index.filling.isComplete()) {
        isRunning = true;
        try {
          logger.info(await fillIndex(events, { signal, rest }), 'stored events were indexed');
          waiting = 0;
        } finally {
          isRunning = false;
        }
      }
      for (const week of events.index.weeksToPack()) {
        if (signal.aborted) return;
        await events.index.pack(week, (tookMs) =>
          rest(tookMs).then(
            () => true,
            () => false,
          ),
        );
      }
    },
    count: async () => ({ waiting, running: isRunning ? 1 : 0 }),
  };
}
