/**
 * Counts items that end before they reach the log. The sums are written into the log once a second, so that the same
 * pipeline that counts everything else counts them too, exactly once.
 */
import type { FastifyBaseLogger } from 'fastify';
import type { EventLog } from '../ports/queue/log.ts';
import { receivedParts, type OutcomeCount } from '../ports/queue/received.ts';
import type { IngestKey } from './keys.ts';

export interface OutcomeCounter extends AsyncDisposable {
  count(
    key: Pick<IngestKey, 'projectId' | 'keyId'>,
    category: string,
    outcome: 'invalid' | 'rate_limited' | 'filtered',
    reason: string,
    quantity: number,
  ): void;
  /** Writes what was counted so far. Does not throw: what could not be written is tried again later. */
  flush(): Promise<void>;
  /** Flushes a last time and stops. */
  close(): Promise<void>;
}

type Counts = Map<string, { -readonly [Name in keyof OutcomeCount]: OutcomeCount[Name] }>;

const minuteMs = 60_000;
/** While the log takes nothing the sums wait here. With so many of them, minutes are no longer told apart. */
const maxSums = 10_000;

export function openOutcomeCounter(log: EventLog, logger: FastifyBaseLogger, everyMs = 1000): OutcomeCounter {
  let counts: Counts = new Map();
  let flushing = Promise.resolve();
  const timer = setInterval(() => void flush(), everyMs).unref();

  function add(outcome: OutcomeCount): void {
    const minute =
      counts.size < maxSums ? outcome.minuteMs : (counts.values().next().value?.minuteMs ?? outcome.minuteMs);
    const name = `${outcome.projectId}|${outcome.keyId}|${minute}|${outcome.category}|${outcome.outcome}|${outcome.reason}`;
    const known = counts.get(name);
    if (known) known.quantity += outcome.quantity;
    else counts.set(name, { ...outcome, minuteMs: minute });
  }

  async function write(): Promise<void> {
    if (counts.size === 0) return;
    const written = counts;
    counts = new Map();
    try {
      await log.append(...receivedParts({ kind: 'outcomes', receivedAt: Date.now(), counts: [...written.values()] }));
    } catch (error) {
      const newer = counts;
      counts = written;
      for (const count of newer.values()) add(count);
      logger.debug({ err: error }, 'could not write outcomes to the log yet');
    }
  }

  function flush(): Promise<void> {
    flushing = flushing.then(write);
    return flushing;
  }

  async function close(): Promise<void> {
    clearInterval(timer);
    await flush();
    if (counts.size > 0)
      logger.warn({ counts: [...counts.values()] }, 'outcomes of rejected items are lost: the log is not writable');
  }

  return {
    count({ projectId, keyId }, category, outcome, reason, quantity) {
      const nowMs = Date.now();
      add({ projectId, keyId, minuteMs: nowMs - (nowMs % minuteMs), category, outcome, reason, quantity });
    },
    flush,
    close,
    [Symbol.asyncDispose]: close,
  };
}
