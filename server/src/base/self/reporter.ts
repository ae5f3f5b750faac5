/**
 * Reports failures of the program to its own internal project. What is reported goes straight into ingestion, without
 * HTTP. That a report could not be made is logged and never reported: a failure to report must not report itself.
 */
import { createEventId } from '@culprit/envelope';
import type { Failed } from './event-client.ts';
import type { InternalKey } from './internal-key.ts';
import { createReportLimiter, type ReportLimiter } from './limiter.ts';
import { createThrottle } from './throttle.ts';

export type Report = Omit<Failed, 'eventId'>;

export interface ReporterOptions {
  /** Whom to report to; undefined when self-reporting is off or there is no organisation yet. */
  readonly target: () => Promise<InternalKey | undefined>;
  /** Puts an envelope into ingestion. */
  readonly accept: (publicKey: string, envelope: Uint8Array) => Promise<void>;
  readonly logger: { warn(fields: object, message: string): void };
  readonly limiter?: ReportLimiter;
}

export interface Reporter extends AsyncDisposable {
  /** Returns the id of the event that is on its way; undefined when there are too many. Never throws. */
  report(report: Report): string | undefined;
  /** Resolves when what was reported so far is in the log, or could not be put there, at most after so many ms. */
  flush(withinMs: number): Promise<void>;
}

/** Events that are being made or written at once. */
const maxUnderWay = 100;
const tellEveryMs = 60_000;
const closeWithinMs = 2_000;

export function createReporter(options: ReporterOptions): Reporter {
  const { target, accept, logger, limiter = createReportLimiter() } = options;
  const throttle = createThrottle();
  const underWay = new Set<Promise<void>>();

  const send = async (failed: Failed): Promise<void> => {
    const key = await target();
    if (!key) return;
    // Loaded with the first failure: a server that does not fail needs no memory for it.
    const { toEnvelope } = await import('./event-client.ts');
    await accept(key.publicKey, await toEnvelope(failed, key));
  };

  const complain = (error: unknown): void => {
    if (throttle.passes('failed', tellEveryMs))
      logger.warn({ err: error }, 'could not report a server failure to the internal project; the log has it');
  };
  const tellRefused = (): void => {
    const count = limiter.refused();
    if (count) logger.warn({ count }, 'too many server failures; they were logged but not reported');
  };
  const watch = setInterval(tellRefused, tellEveryMs).unref();

  const flush = async (withinMs: number): Promise<void> => {
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, withinMs);
    await Promise.race([Promise.all(underWay), patience.promise]);
    clearTimeout(timer);
  };

  return {
    report(report) {
      if (underWay.size >= maxUnderWay || !limiter.take(report.digest)) return undefined;
      const eventId = createEventId();
      const sending = send({ ...report, eventId })
        .catch(complain)
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
      return eventId;
    },
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(watch);
      await flush(closeWithinMs);
      tellRefused();
    },
  };
}
