import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLmdbLog } from '../ports/queue/lmdb.ts';
import type { EventLog } from '../ports/queue/log.ts';
import { decodeReceived, type OutcomeCount } from '../ports/queue/received.ts';
import { readable } from '../ports/queue/testing/readable.ts';
import { testSecrets } from '../base/secrets/testing.ts';
import { openOutcomeCounter } from './outcomes.ts';

const logger = pino({ level: 'silent' });
let dir: string;
let log: EventLog;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'culprit-outcomes-'));
  log = readable(await openLmdbLog({ dir, limitBytes: 2000, box: testSecrets.boxSetup('log record') }));
});

afterEach(async () => {
  await log.close();
  await rm(dir, { recursive: true });
});

async function written(): Promise<OutcomeCount[]> {
  const counts: OutcomeCount[] = [];
  for (;;) {
    const batch = await log.lease({ maxRecords: 100, maxBytes: 1e6 });
    if (!batch) return counts;
    for (const { value } of batch.records) {
      const { head } = decodeReceived(value);
      if (head.kind === 'outcomes') counts.push(...head.counts);
    }
    await log.acknowledge(batch);
  }
}

test('sums of a minute are written once', async () => {
  await using outcomes = openOutcomeCounter(log, logger, 60_000);
  outcomes.count({ projectId: 1, keyId: 1 }, 'error', 'invalid', 'too_large', 1);
  outcomes.count({ projectId: 1, keyId: 1 }, 'error', 'invalid', 'too_large', 2);
  outcomes.count({ projectId: 2, keyId: 1 }, 'session', 'rate_limited', 'key_quota', 5);
  await outcomes.flush();
  await outcomes.flush();
  const counts = await written();
  expect(counts.reduce((sum, count) => sum + count.quantity, 0)).toBe(8);
  expect(counts.find((count) => count.projectId === 2)).toMatchObject({
    category: 'session',
    outcome: 'rate_limited',
    reason: 'key_quota',
    quantity: 5,
  });
  for (const count of counts) expect(count.minuteMs % 60_000).toBe(0);
});

test('closing writes what is left', async () => {
  const outcomes = openOutcomeCounter(log, logger, 60_000);
  outcomes.count({ projectId: 1, keyId: 1 }, 'error', 'invalid', 'timeout', 1);
  await outcomes.close();
  expect(await written()).toHaveLength(1);
});

test('while the log is full nothing is lost, and sums do not grow without end', async () => {
  await using outcomes = openOutcomeCounter(log, logger, 60_000);
  await log.append(new Uint8Array(1900));
  for (let turn = 0; turn < 3; turn++) {
    outcomes.count({ projectId: 1, keyId: 1 }, 'error', 'rate_limited', 'log_full', 1);
    await outcomes.flush();
  }
  const full = await log.lease({ maxRecords: 1, maxBytes: 1e6 });
  if (full) await log.acknowledge(full);
  await outcomes.flush();
  const counts = await written();
  expect(counts.reduce((sum, count) => sum + count.quantity, 0)).toBe(3);
});
