/** The thread that symbolicates stored events again. It runs jobs until there are none, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../background-thread.ts';
import { openBlobs } from '../blobs/open.ts';
import { connectEvents } from '../events/open.ts';
import { createSymbolicator } from '../process/symbolicator.ts';
import { openState } from '../state/open.ts';
import { finishJob, takeJob } from './jobs.ts';
import type { FromSymbolication, SymbolicationSetup } from './messages.ts';
import { runJob } from './run-job.ts';

const port = parentPort;
if (!port) throw new Error('the symbolication thread is started by the server, not by hand');
const setup = workerData as SymbolicationSetup;
const stopping = new AbortController();
const send = (message: FromSymbolication): void => port.postMessage(message);
port.on('message', () => stopping.abort());

runInBackground();
await using state = await openState(setup.state);
await using events = connectEvents(setup.events);
const symbolicator = createSymbolicator({ state, blobs: openBlobs(setup.blobs) });

while (!stopping.signal.aborted) {
  const job = await takeJob(state, Date.now());
  if (!job) break;
  const { projectId } = job;
  try {
    const detail = await runJob({ state, events, symbolicator }, job, {
      days: setup.days,
      signal: stopping.signal,
      onProgress: (issueIds) => send({ kind: 'progress', projectId, issueIds }),
    });
    const done = stopping.signal.aborted ? 'waiting' : 'done';
    await finishJob(state, job.id, { state: done, detail }, Date.now());
    send({ kind: 'progress', projectId, issueIds: [] });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await finishJob(state, job.id, { state: 'waiting', detail: text.split('\n', 1)[0] ?? '' }, Date.now());
    send({ kind: 'failed', text });
    break;
  }
}
port.close();
