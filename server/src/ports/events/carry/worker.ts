/** The thread that carries payloads over. It ends when there is nothing left. */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../../base/background-thread.ts';
import { openClickHouse } from '../clickhouse.ts';
import { carryOver } from './carry.ts';
import { hasSegments } from './places.ts';
import type { CarrySetup, FromCarry } from './messages.ts';

const port = parentPort;
if (!port) throw new Error('the thread that carries payloads over is started by the server, not by hand');
const setup = workerData as CarrySetup;
const busy = new Int32Array(setup.busy);
const stopping = new AbortController();
const { signal } = stopping;
const send = (message: FromCarry): void => port.postMessage(message);
port.on('message', () => stopping.abort());

/** Times what something took: a fourth of a core is the most that this and the engine take for it. */
const restTimes = 3;
const busyMs = 500;

async function rest(tookMs: number): Promise<void> {
  await delay(tookMs * restTimes, undefined, { signal });
  while (Atomics.load(busy, 0) !== 0) await delay(busyMs, undefined, { signal });
}

runInBackground();
await using events = openClickHouse(setup.events);
try {
  if (hasSegments(events)) {
    await carryOver(events, { signal, rest, onWeek: (progress) => send({ kind: 'week', progress }) });
  }
} catch (error) {
  if (!signal.aborted)
    send({ kind: 'failed', text: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
port.close();
