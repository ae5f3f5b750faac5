/** Processes what waits in the log of a data directory that nobody serves: no requests, no jobs, nobody is told. */
import { availableParallelism } from 'node:os';
import { pino } from 'pino';
import type { Config } from '../base/config.ts';
import { createLive } from '../base/live.ts';
import type { Secrets } from '../base/secrets/index.ts';
import { createFailures } from '../base/self/index.ts';
import { openPipeline } from '../pipeline/pipeline.ts';
import type { Events } from '../ports/events/events.ts';
import { openLog } from '../ports/queue/open.ts';

export interface Place {
  readonly dataDir: string;
  /** Open, with its tables. */
  readonly events: Events;
  /** With which its records were sealed. */
  readonly secrets: Secrets;
}

/** Resolves when nothing is in it any more. */
export async function drainLog(
  { dataDir, events, secrets }: Place,
  { logMaxBytes, maxEnvelopeBytes, performanceWaitSeconds, workers }: Config,
): Promise<void> {
  const box = secrets.boxSetup('log record');
  await using log = await openLog({ url: '', dataDir, limitBytes: logMaxBytes, box });
  const logger = pino({ level: 'silent' });
  await using pipeline = openPipeline({
    log,
    live: createLive(),
    logger,
    failures: createFailures({ logger }),
    state: { url: '', dataDir },
    events: events.address,
    index: events.index,
    blobs: { url: '', dataDir },
    maxEnvelopeBytes,
    performanceWaitMs: performanceWaitSeconds * 1_000,
    pseudonymKey: secrets.derive('pseudonyms of users').toString('hex'),
    workers: workers || Math.max(1, availableParallelism() - 1),
  });
  await pipeline.drained();
}
