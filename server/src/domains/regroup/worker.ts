/** The thread of one preview, or of rules that are about to be saved. The server ends it when nobody wants the result any more. */
import { parentPort, workerData } from 'node:worker_threads';
import { runInBackground } from '../../base/background-thread.ts';
import { CodedError } from '../../base/errors.ts';
import { connectEvents } from '../../ports/events/open.ts';
import { openState } from '../../ports/state/open.ts';
import { adoptHashes } from '../issues/index.ts';
import { changesOf } from './changes.ts';
import type { FromPreview, PreviewSetup } from './messages.ts';
import { adoptedBy } from './places.ts';
import { regroup } from './regroup.ts';

const port = parentPort;
if (!port) throw new Error('the thread of a preview is started by the server, not by hand');
const { state: stateOptions, events: address, request, adopt } = workerData as PreviewSetup;
const send = (message: FromPreview): void => port.postMessage(message);

runInBackground();
try {
  await using state = await openState(stateOptions);
  await using events = connectEvents(address);
  const wanted = { ...request, keepGroupings: adopt };
  const { places, examined, sampled } = await regroup({ state, events }, wanted, {
    onProgress: (share) => send({ kind: 'progress', share }),
  });
  if (adopt) await adoptHashes(state, request.projectId, places.flatMap(adoptedBy), Date.now());
  const issues = new Set(places.map(({ regrouped }) => regrouped.issueId)).size;
  send({ kind: 'done', result: { examined: { events: examined, issues, sampled }, ...changesOf(places) } });
} catch (error) {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  send({ kind: 'failed', text, expected: error instanceof CodedError });
}
