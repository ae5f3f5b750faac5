/** Carries payloads of stored events over to segments, once an installation has been upgraded: in a thread that lives only while there are some. */
import type { Logger } from 'pino';
import { type Job, runThread } from '../../../base/jobs/index.ts';
import type { Events } from '../events.ts';
import { weeksToCarry } from './carry.ts';
import type { CarrySetup, FromCarry } from './messages.ts';
import { hasSegments } from './places.ts';
import { jobs as jobTexts } from '../../../base/texts/jobs.ts';

export interface CarryJobOptions {
  readonly events: Events;
  readonly logger: Logger;
  /** There is something more important to do. */
  readonly isBusy: () => Promise<boolean>;
}

const dayMs = 86_400_000;
/** What comes with a start comes first. */
const firstMs = 15_000;
const lookMs = 500;

export function createCarryJob({ events, logger, isBusy }: CarryJobOptions): Job {
  let left = 0;
  let isRunning = false;

  async function runThere(signal: AbortSignal): Promise<void> {
    const busy = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    const lookNow = async (): Promise<unknown> => Atomics.store(new Int32Array(busy), 0, (await isBusy()) ? 1 : 0);
    const look = setInterval(() => void lookNow(), lookMs).unref();
    const total = { rows: 0, bytes: 0 };
    let failure: string | undefined;
    const onMessage = (message: FromCarry): void => {
      if (message.kind === 'failed') {
        failure = message.text;
        return;
      }
      const { week, rows, bytes, refused, lackingBytes } = message.progress;
      // It knew nothing of where these lie.
      if (rows > 0) void events.index?.filling.again(week);
      left = message.progress.left;
      total.rows += rows;
      total.bytes += bytes;
      if (refused > 0) logger.warn({ week, rows: refused }, 'copies of stored events are damaged; will retry tomorrow');
      if (lackingBytes > 0)
        logger.warn({ week, lackingBytes }, 'not enough disk space to move stored events; will retry tomorrow');
    };
    const setup: CarrySetup = { events: events.address, busy };
    const module = new URL('./worker.ts', import.meta.url);
    try {
      await runThread({ module, name: 'carry-over', setup, oldMb: 192, youngMb: 16, onMessage }, signal);
    } finally {
      clearInterval(look);
    }
    if (failure !== undefined) throw new Error(failure);
    if (!signal.aborted) logger.info(total, 'stored events were moved into segments');
  }

  return {
    name: 'carry-over',
    title: jobTexts.carryOver.title,
    // Each has its own.
    nodes: 'each',
    everyMs: dayMs,
    firstMs,
    needsEvents: true,
    failed: jobTexts.carryOver.failed,
    async run({ signal }) {
      if (!hasSegments(events)) return;
      left = (await weeksToCarry(events)).reduce((sum, { rows }) => sum + rows, 0);
      if (left === 0) return;
      logger.info({ rows: left }, 'stored events are being moved into segments');
      isRunning = true;
      try {
        await runThere(signal);
      } finally {
        isRunning = false;
      }
    },
    count: async () => ({ waiting: left, running: isRunning ? 1 : 0 }),
  };
}
