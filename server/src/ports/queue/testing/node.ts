/**
 * One node of several on the same log: appends, leases, reads in pieces, acknowledges and releases at random until it is
 * killed, or is told on stdin to stop appending and end when nothing is left; says on stdout what happened. Run by a test as
 * a process of its own.
 */
import { randomInt } from 'node:crypto';
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CodedError } from '../../../base/errors.ts';
import { BatchGone, type Batch, type EventLog, type LogRecord } from '../log.ts';
import { openLog } from '../open.ts';
import { readable } from './readable.ts';
import { readWriterOptions } from './writer-options.ts';

/** NATS may be away just now. */
async function open(): Promise<EventLog> {
  for (;;) {
    try {
      return readable(await openLog(readWriterOptions(process.argv[2] ?? '')));
    } catch (error) {
      if (!(error instanceof CodedError) || error.code !== 'LOG_UNAVAILABLE') throw error;
      await delay(50);
    }
  }
}
const log = await open();
const node = process.argv[3] ?? '';
const pieceBytes = 20_000;
const ending = new AbortController();
process.stdin.once('data', () => ending.abort());

const say = (...words: readonly (string | number)[]): void => {
  writeSync(1, `${words.join(' ')}\n`);
};
/** The log may be away or full: then it is tried again. */
const isExpected = (error: unknown): boolean => error instanceof CodedError && error.code.startsWith('LOG_');

async function append(writer: number): Promise<void> {
  for (let count = 0; !ending.signal.aborted; count++) {
    const text = `${node}/${writer}-${count}`;
    // Now and then one that is too large for a message.
    const bytes = randomInt(200) === 0 ? 1_500_000 : 50 + randomInt(4_000);
    try {
      const position = await log.append(Buffer.from(text.padEnd(bytes, '.')));
      say('appended', position, text);
    } catch (error) {
      if (!isExpected(error)) throw error;
      say('refused', text);
      await delay(50);
    }
    await delay(randomInt(10));
  }
}

async function readAll(batch: Batch): Promise<LogRecord[]> {
  const records = [...batch.records];
  for (let last; (last = records.at(-1)?.position ?? batch.to) < batch.to;) {
    const piece = await log.read(batch, last + 1, pieceBytes);
    if (piece.length === 0) break;
    records.push(...piece);
  }
  return records;
}

async function consume(): Promise<void> {
  for (let emptySince: number | undefined; ;) {
    const batch = await log.lease({ maxRecords: 50, maxBytes: 500_000, pieceBytes }).catch(refuseSurprise);
    if (batch) {
      emptySince = undefined;
      await store(batch);
      continue;
    }
    if (log.stats().records > 0) emptySince = undefined;
    emptySince ??= Date.now();
    if (ending.signal.aborted && Date.now() - emptySince > 3_000) return;
    await delay(10);
  }
}

function refuseSurprise(error: unknown): undefined {
  if (!isExpected(error)) throw error;
}

async function store(batch: Batch): Promise<void> {
  try {
    const records = await readAll(batch);
    await delay(randomInt(20));
    if (randomInt(10) === 0) {
      log.release(batch);
      return;
    }
    // As if it were stored now.
    const texts = records.map(({ position, value }) => `${position}=${String(value).replace(/\.*$/, '')}`);
    say('stored', batch.token, batch.size, ...texts);
  } catch (error) {
    if (!(error instanceof BatchGone)) {
      refuseSurprise(error);
      log.release(batch);
      return;
    }
    say('gone', batch.token);
  }
  for (let isDone = false; !isDone; await delay(1)) {
    isDone = await log.acknowledge(batch).then(
      () => true,
      (error: unknown) => Boolean(refuseSurprise(error)),
    );
  }
}

await Promise.all([...Array.from({ length: 6 }, (_, writer) => append(writer)), consume(), consume()]);
await log.close();
say('ended');
process.exit(0);
