/** The thread that examines suspects. It ends when none is due for a while. */
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../base/background-thread.ts';
import { CodedError } from '../../base/errors.ts';
import { connectEvents } from '../../ports/events/open.ts';
import { openState } from '../../ports/state/open.ts';
import { examineDue } from './examine.ts';
import type { ExaminerSetup, FromExaminer } from './messages.ts';
import { nextDue } from './suspects.ts';

const port = parentPort;
if (!port) throw new Error('the examining thread is started by the server, not by hand');
const setup = workerData as ExaminerSetup;
const stopping = new AbortController();
const send = (message: FromExaminer): void => port.postMessage(message);
port.on('message', () => stopping.abort());

/** The thread stays for what is due sooner than that: starting it costs as much as many rounds. */
const stayMs = 15_000;
/** Suspects are examined together where they come together. */
const shortestPauseMs = 500;

runInBackground();
await using state = await openState(setup.state);
await using events = connectEvents(setup.events);

try {
  while (!stopping.signal.aborted) {
    const { taken, recorded } = await examineDue(
      { state, events },
      { now: Date.now(), waitMs: setup.waitMs, claimer: setup.claimer },
    );
    if (recorded) send({ kind: 'recorded', project: recorded });
    if (taken > 0) continue;
    const nextAt = await nextDue(state);
    const dueInMs = (nextAt ?? Infinity) - Date.now();
    if (dueInMs > stayMs) break;
    const pauseMs = Math.max(dueInMs, Math.min(shortestPauseMs, setup.waitMs));
    await delay(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
  }
} catch (error) {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  send({ kind: 'failed', text, expected: error instanceof CodedError });
}
port.close();
