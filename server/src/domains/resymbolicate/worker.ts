/** The thread that symbolicates stored events again. It runs jobs until there are none, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../base/background-thread.ts';
import { LeaseLost, withHeartbeat } from '../../base/jobs/index.ts';
import { openBlobs } from '../../ports/blobs/open.ts';
import { connectEvents } from '../../ports/events/open.ts';
import { createSymbolicator } from '../artifacts/symbolicator.ts';
import { openState } from '../../ports/state/open.ts';
import { finishJob, holdJob, type Job, takeJob } from './jobs.ts';
import type { FromSymbolication, SymbolicationSetup } from './messages.ts';
import { runJob } from './run-job.ts';

const port = parentPort;
if (!port) throw new Error('the symbolication thread is started by the server, not by hand');
const { claimer, days, pseudonymKey, ...places } = workerData as SymbolicationSetup;
const stopping = new AbortController();
const send = (message: FromSymbolication): void => port.postMessage(message);
port.on('message', () => stopping.abort());

/** After a failure, times the number of attempts. */
const retryMs = 2_000;

runInBackground();
await using state = await openState(places.state);
await using events = connectEvents(places.events);
const symbolicator = createSymbolicator({ state, blobs: openBlobs(places.blobs) });

/** False when the thread should end. */
async function work(job: Job): Promise<boolean> {
  const { id, projectId, attempts } = job;
  const claimed = { id, node: claimer.node };
  try {
    const beat = { keep: () => holdJob(state, id, claimer), leaseMs: claimer.leaseMs, signal: stopping.signal };
    const detail = await withHeartbeat(beat, async (signal) => {
      const text = await runJob({ state, events, symbolicator, pseudonymKey }, job, {
        node: claimer.node,
        days,
        signal,
        onRevising: () => send({ kind: 'revising', projectId }),
        onProgress: (issueIds) => send({ kind: 'progress', projectId, issueIds }),
      });
      if (signal.reason instanceof LeaseLost) throw signal.reason;
      return text;
    });
    const isBrokenOff = stopping.signal.aborted;
    await finishJob(
      state,
      claimed,
      isBrokenOff ? { state: 'waiting', detail: '', afterMs: 0, counts: false } : { state: 'done', detail },
    );
    send({ kind: 'progress', projectId, issueIds: [] });
    return true;
  } catch (error) {
    if (error instanceof LeaseLost) return true;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const detail = text.split('\n', 1)[0] ?? '';
    await finishJob(state, claimed, { state: 'waiting', detail, afterMs: retryMs * attempts, counts: true });
    send({ kind: 'failed', text });
    return false;
  }
}

while (!stopping.signal.aborted) {
  const job = await takeJob(state, claimer);
  if (!job || !(await work(job))) break;
}
port.close();
